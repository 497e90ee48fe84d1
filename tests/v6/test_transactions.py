"""Transactions as groups of splits: what phone apps and importers record, read, change and delete."""

from ..rules.making import a_rule, stored
from ..transactions.making import (
    a_transaction,
    asset,
    expense,
    findings,
    liability,
    made,
    posted,
    split,
    transfer,
    withdrawal,
)
from .making import converts, data, refused, undone


def group(client, entry_id):
    return data(client.v6.get(f"/transactions/{entry_id}"))["attributes"]


def test_a_transaction_of_version_1_is_a_group_in_version_6(me):
    me.put("/preferences/timezone", {"data": "Europe/Berlin"})
    checking = made(me, asset())
    splits = [
        split(source_id=checking, amount="1.5", description="bread", destination_name="Bakery", category_name="Food"),
        split(source_id=checking, amount=2, description="milk", foreign_amount="300", foreign_currency_code="JPY"),
    ]
    body = a_transaction(
        "withdrawal", *splits, description="Market", date="2024-07-01", tags="a,b", due_date="2024-12-01"
    )
    [bread, milk] = posted(me, body)
    entry_id = str(bread["attributes"]["journal_id"])

    shown = data(me.v6.get(f"/transactions/{entry_id}"))

    assert (shown["type"], shown["id"]) == ("transactions", entry_id)
    assert shown["links"]["self"].endswith(f"/v6/api/v1/transactions/{entry_id}")
    attributes = shown["attributes"]
    assert (attributes["user"], attributes["group_title"]) == (str(me.user.id), "Market")
    first, second = attributes["transactions"]
    assert [first["transaction_journal_id"], second["transaction_journal_id"]] == [bread["id"], milk["id"]]
    expected = {
        "type": "withdrawal", "date": "2024-07-01T00:00:00+02:00", "due_date": "2024-12-01T00:00:00+01:00",
        "amount": "1.50", "currency_code": "EUR", "currency_decimal_places": 2, "description": "bread", "order": 0,
        "source_id": str(checking), "source_type": "Asset account", "destination_name": "Bakery",
        "destination_type": "Expense account", "category_name": "Food", "budget_id": None, "tags": ["a", "b"],
        "foreign_amount": None, "pc_amount": None, "bill_id": None, "reconciled": False, "has_attachments": False,
        "external_id": None, "source_balance_after": None, "interest_date": None, "recurrence_id": None,
    }  # fmt: skip
    assert {name: first[name] for name in expected} == expected
    assert (second["foreign_amount"], second["foreign_currency_code"], second["tags"]) == ("300", "JPY", ["a", "b"])
    [listed] = data(me.v6.get("/transactions"))
    assert listed == shown


def test_a_single_split_has_the_description_and_the_group_no_title(me):
    [made_in_v1] = posted(me, a_transaction("withdrawal", split(source_id=made(me, asset())), description="Lunch"))

    shown = group(me, made_in_v1["attributes"]["journal_id"])

    assert shown["group_title"] is None
    assert shown["transactions"][0]["description"] == "Lunch"


def test_amounts_are_converted_into_the_primary_currency_if_the_user_wishes(me):
    checking = made(me, asset())
    rate = {"from_currency_code": "EUR", "to_currency_code": "USD", "date": "2024-05-01", "rate": "2"}
    assert me.post("/exchange_rates", rate).status_code == 200
    euros = lunch(checking, amount="1", foreign_amount="3", foreign_currency_code="USD")
    shown = recorded(me, euros, {**euros, "foreign_amount": "0"}, group_title="T")
    converts(me)

    first, second = group(me, shown["id"])["transactions"]

    assert (first["pc_amount"], first["pc_foreign_amount"]) == ("1.00", "1.50")
    assert (second["pc_amount"], second["pc_foreign_amount"], second["foreign_amount"]) == ("1.00", None, None)


def test_a_list_pages_by_groups_and_filters_by_type_and_days(me):
    checking, savings = made(me, asset()), made(me, asset(name="Savings"))
    for day in ("2024-05-01", "2024-05-02", "2024-05-03"):
        posted(me, withdrawal(checking, date=day))
    posted(me, transfer(checking, savings, date="2024-05-04"))

    page = me.v6.get("/transactions", limit=2, page=2, type="withdrawal").json()

    days = [one["attributes"]["transactions"][0]["date"][:10] for one in page["data"]]
    assert days == ["2024-05-01"]
    assert page["meta"]["pagination"] == {
        "total": 3, "count": 1, "per_page": 2, "current_page": 2, "total_pages": 2,
    }  # fmt: skip
    assert "type=withdrawal" in page["links"]["first"]
    ranged = me.v6.get("/transactions", start="2024-05-02", end="2024-05-03").json()
    assert ranged["meta"]["pagination"]["total"] == 2
    alone = [{"start": "2024-05-03"}, {"end": "2024-05-01"}]
    assert [me.v6.get("/transactions", **one).json()["meta"]["pagination"]["total"] for one in alone] == [2, 1]
    assert me.v6.get("/transactions", page=99).json()["data"] == []


def test_a_group_is_deleted_whole_and_an_undo_brings_it_back(me):
    checking = made(me, asset())
    entry_id = posted(me, withdrawal(checking))[0]["attributes"]["journal_id"]
    before = group(me, entry_id)

    assert me.v6.delete(f"/transactions/{entry_id}").status_code == 204
    assert me.v6.delete(f"/transactions/{entry_id}").status_code == 404

    undone(me)
    assert group(me, entry_id) == before


def lunch(checking, **fields):
    """A flat split, as clients send it."""
    usual = {"type": "withdrawal", "date": "2024-05-10", "amount": "12.50", "description": "Lunch"}
    return {**usual, "source_id": str(checking), "destination_name": "Bistro", **fields}


def recorded(client, *splits, **fields):
    answer = client.v6.post("/transactions", {"transactions": list(splits), **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def changed(client, shown, *splits, **fields):
    body = {"transactions": list(splits), **fields} if splits else fields
    return data(client.v6.put(f"/transactions/{shown['id']}", body))["attributes"]


def ids_of(attributes):
    return [split["transaction_journal_id"] for split in attributes["transactions"]]


def test_a_phone_records_a_payment(me):
    me.put("/preferences/timezone", {"data": "Europe/Berlin"})
    checking = made(me, asset())
    sent = lunch(
        checking, amount=12.340000000000002, date="2024-05-10T23:30:00+00:00", category_name="Food", tags=["a"],
        bill_id="0", budget_id=0, foreign_amount="0", notes="", piggy_bank_id=0, external_id="x1", sepa_cc="cc",
        external_url="https://shop.example/1", due_date="2024-06-01", latitude="52.5", longitude=13, zoom_level=6,
    )  # fmt: skip

    shown = recorded(me, sent)

    [split] = shown["attributes"]["transactions"]
    expected = {
        "amount": "12.34", "date": "2024-05-11T00:00:00+02:00", "category_name": "Food", "tags": ["a"], "bill_id": None,
        "notes": None, "external_id": "x1", "external_url": "https://shop.example/1", "sepa_cc": "cc", "zoom_level": 6,
        "latitude": 52.5, "longitude": 13.0, "due_date": "2024-06-01T00:00:00+02:00", "currency_code": "EUR",
    }  # fmt: skip
    assert {name: split[name] for name in expected} == expected
    [old] = data(me.get(f"/transactions/{split['transaction_journal_id']}"))
    assert (old["attributes"]["date"], old["attributes"]["external_id"]) == ("2024-05-11", "x1")
    undone(me)
    assert me.v6.get(f"/transactions/{shown['id']}").status_code == 404
    undone(me)
    assert group(me, shown["id"]) == shown["attributes"], "with its details"


def test_a_split_transaction_needs_a_title_and_one_day(me):
    checking = made(me, asset())

    errors = refused(
        me.v6.post(
            "/transactions",
            {"transactions": [lunch(checking, notes="n"), lunch(checking, date="2024-05-11", notes="m")]},
        )
    )

    assert set(errors) == {"group_title", "transactions.1.date", "transactions.1.notes"}
    shown = recorded(me, lunch(checking, tags="a"), lunch(checking, tags="b"), group_title="Lunch")["attributes"]
    assert [split["tags"] for split in shown["transactions"]] == [["a", "b"]] * 2
    assert [split["description"] for split in shown["transactions"]] == ["Lunch", "Lunch"], "as the title"


def test_problems_name_the_fields_as_they_were_sent(me):
    missing = refused(me.v6.post("/transactions", {"transactions": [{"amount": "1", "destination_name": "x"}]}))
    assert {"transactions.0.type", "transactions.0.date", "transactions.0.description"} <= set(missing)
    wrong = lunch(made(me, asset()), bill_id="99999", piggy_bank_id="99999", currency_code="QQQ")
    assert set(refused(me.v6.post("/transactions", {"transactions": [wrong]}))) == {
        "transactions.0.bill_id", "transactions.0.piggy_bank_id", "transactions.0.currency_code",
    }  # fmt: skip
    assert list(refused(me.v6.post("/transactions", {}))) == ["transactions"]


def test_an_account_is_found_by_its_iban(me):
    iban = "DE89370400440532013000"
    checking, shop = made(me, asset()), made(me, expense(name="Shop", iban=iban))

    known = recorded(me, lunch(checking, destination_name="Other name", destination_iban="DE89 3704 0044 0532 0130 00"))
    new = recorded(me, lunch(checking, destination_name=None, destination_iban="NL91ABNA0417164300"))

    assert known["attributes"]["transactions"][0]["destination_id"] == str(shop)
    assert new["attributes"]["transactions"][0]["destination_name"] == "NL91ABNA0417164300"


def test_a_new_payee_gets_its_iban_number_and_bic_unless_another_account_has_them(me):
    checking = made(me, asset(account_number="17"))
    codes = {"destination_iban": "nl91 ABNA 0417164300", "destination_number": "99", "destination_bic": "abnanl2a"}
    shops = [
        lunch(checking, destination_name="Shop", **codes),
        lunch(checking, destination_name="shop"),
        lunch(checking, destination_name="Other", **codes | {"destination_number": "17", "destination_bic": "?"}),
        lunch(checking, destination_name="Third", destination_iban="NL00"),
    ]

    shown = recorded(me, *shops, group_title="Day out")["attributes"]["transactions"]

    payees = [data(me.v6.get(f"/accounts/{split['destination_id']}"))["attributes"] for split in shown]
    assert [[payee[name] for name in ("name", "iban", "account_number", "bic")] for payee in payees] == [
        ["Shop", "NL91ABNA0417164300", "99", "ABNANL2A"], ["Shop", "NL91ABNA0417164300", "99", "ABNANL2A"],
        ["Other", None, None, None], ["Third", None, None, None],
    ]  # fmt: skip
    again = recorded(me, lunch(checking, destination_name=None, destination_number="99"))
    assert again["attributes"]["transactions"][0]["destination_id"] == shown[0]["destination_id"]
    sides = {"destination_id": checking, "destination_name": None, "source_id": None}
    refund = recorded(me, lunch(checking, type="deposit", **sides, source_iban="NL91ABNA0417164300"))
    assert refund["attributes"]["transactions"][0]["source_name"] == "Shop"


def test_a_field_that_cannot_be_read_is_not_missing_too(me):
    checking = made(me, asset())

    for field in ("type", "date", "amount", "description", "bill_id"):
        errors = refused(me.v6.post("/transactions", {"transactions": [lunch(checking, **{field: {"a": 1}})]}))
        assert {name: len(sentences) for name, sentences in errors.items()} == {f"transactions.0.{field}": 1}


def test_splits_may_name_the_same_bill_by_its_id_and_by_its_name(me):
    checking = made(me, asset())
    body = {"amount_min": 7, "amount_max": 9, "date": "2024-05-01", "repeat_freq": "monthly"}
    rent, gas = (data(me.v6.post("/bills", {"name": name, **body}))["id"] for name in ("Rent", "Gas"))

    shown = recorded(me, lunch(checking, bill_id=rent), lunch(checking, bill_name="RENT"), group_title="Flat")

    assert [split["bill_id"] for split in shown["attributes"]["transactions"]] == [rent, rent]
    splits = [lunch(checking, bill_name="Rent"), lunch(checking, bill_id=gas)]
    assert list(refused(me.v6.post("/transactions", {"group_title": "Flat", "transactions": splits}))) == [
        "transactions.0.bill_name"
    ]


def test_paying_off_a_loan_is_a_transfer(me):
    checking, loan = made(me, asset()), made(me, liability())

    shown = recorded(me, lunch(checking, destination_id=loan, destination_name=None))

    [split] = shown["attributes"]["transactions"]
    assert (split["type"], split["destination_type"]) == ("transfer", "Loan")
    again = changed(me, shown, {"type": "withdrawal", "destination_id": loan, "amount": "3"})
    assert (again["transactions"][0]["type"], again["transactions"][0]["amount"]) == ("transfer", "3.00")
    back = recorded(me, lunch(None, type="deposit", source_id=loan, destination_id=checking))
    assert back["attributes"]["transactions"][0]["type"] == "transfer"


def test_the_same_request_is_a_duplicate_while_its_transaction_exists(me):
    checking = made(me, asset())
    first = recorded(me, lunch(checking, amount="5.0"))
    body = {"error_if_duplicate_hash": True, "transactions": [lunch(checking, amount=5)]}

    errors = refused(me.v6.post("/transactions", body))

    assert errors == {"transactions.0.description": [f"Duplicate of transaction #{first['id']}."]}
    assert refused(me.v6.post("/transactions", body)), "still"
    other = {**body, "transactions": [lunch(checking, amount=5, notes="another")]}
    assert me.v6.post("/transactions", other).status_code == 200
    me.v6.delete(f"/transactions/{first['id']}")
    assert me.v6.post("/transactions", body).status_code == 200


def test_rules_run_unless_the_client_says_no(me):
    stored(me, a_rule(triggers=[("description_is", "Lunch")]))
    checking = made(me, asset())

    ruled, plain = recorded(me, lunch(checking)), recorded(me, lunch(checking), apply_rules=False)

    categories = [shown["attributes"]["transactions"][0]["category_name"] for shown in (ruled, plain)]
    assert categories == ["Food", None]


def test_a_put_changes_only_what_it_names(me):
    checking = made(me, asset())
    sent = lunch(
        checking, category_name="Food", budget_name="Home", notes="n", tags=["a"], foreign_amount="9",
        foreign_currency_code="USD", external_id="x", sepa_ci="ci", internal_reference="r", book_date="2024-05-12",
    )  # fmt: skip
    shown = recorded(me, sent)
    before = shown["attributes"]["transactions"][0]

    cheaper = changed(me, shown, {"amount": "1"})
    assert cheaper["transactions"] == [{**before, "amount": "1.00"}]

    emptied = {
        "notes": "",
        "category_name": "",
        "tags": [],
        "foreign_amount": None,
        "external_id": "",
        "book_date": None,
    }
    [after] = changed(me, shown, emptied)["transactions"]
    gone = {
        "notes": None, "category_id": None, "category_name": None, "foreign_amount": None, "foreign_currency_id": None,
        "foreign_currency_code": None, "foreign_currency_symbol": None, "foreign_currency_decimal_places": None,
        "external_id": None, "book_date": None,
    }  # fmt: skip
    assert {name: after[name] for name in gone} == gone
    assert (after["tags"], after["sepa_ci"], after["internal_reference"]) == ([], "ci", "r")
    undone(me)
    assert group(me, shown["id"])["transactions"] == cheaper["transactions"]


def test_splits_are_changed_added_and_removed_by_their_ids(world, me):
    checking = made(me, asset())
    shown = recorded(me, *(lunch(checking, description=text) for text in ("a", "b", "c")), group_title="Market")
    first, second, third = ids_of(shown["attributes"])

    after = changed(
        me, shown,
        {"transaction_journal_id": third, "amount": "7"}, {"transaction_journal_id": first},
        lunch(checking, description="d"),
    )  # fmt: skip

    assert ids_of(after)[:2] == [third, first]
    assert ids_of(after)[2] not in (first, second, third)
    assert [(split["description"], split["amount"]) for split in after["transactions"]] == [
        ("c", "7.00"), ("a", "12.50"), ("d", "12.50"),
    ]  # fmt: skip
    assert changed(me, shown, group_title="Shop")["group_title"] == "Shop"
    unknown = me.v6.put(f"/transactions/{shown['id']}", {"transactions": [{"transaction_journal_id": second}]})
    assert set(refused(unknown)) == {"transactions.0.transaction_journal_id"}
    assert changed(me, shown, transactions=[]) == group(me, shown["id"])
    assert findings(world, me) == []


def test_what_belongs_to_the_whole_is_changed_by_one_split(me):
    """Phone apps send every field of every split, and people change one of them."""
    checking = made(me, asset())
    shown = recorded(me, lunch(checking, notes="old"), lunch(checking, notes="old"), group_title="T")
    first, second = ({**split} for split in shown["attributes"]["transactions"])

    after = changed(me, shown, {**first, "notes": "new", "date": "2024-05-20"}, second)

    assert [(split["notes"], split["date"][:10]) for split in after["transactions"]] == [("new", "2024-05-20")] * 2
    both = me.v6.put(
        f"/transactions/{shown['id']}", {"transactions": [{**first, "notes": "x"}, {**second, "notes": "y"}]}
    )
    assert set(refused(both)) == {"transactions.1.notes"}


def test_the_type_of_a_transaction_stays(me):
    checking = made(me, asset())
    shown = recorded(me, lunch(checking))
    other = me.v6.put(f"/transactions/{shown['id']}", {"transactions": [{"type": "deposit"}]})
    assert set(refused(other)) == {"transactions.0.type"}

    opening = made(me, asset(name="Old", opening_balance=5, opening_balance_date="2024-01-01"))
    [listed] = data(me.v6.get("/transactions", type="opening_balance"))
    assert listed["attributes"]["transactions"][0]["type"] == "opening balance"
    assert str(opening) in listed["attributes"]["transactions"][0].values()
    assert refused(me.v6.put(f"/transactions/{listed['id']}", {"transactions": [{"amount": "1"}]}))


def test_a_split_is_deleted_alone_and_the_last_one_with_its_transaction(world, me):
    checking = made(me, asset())
    shown = recorded(me, lunch(checking, description="a"), lunch(checking, description="b"), group_title="Market")
    first, second = ids_of(shown["attributes"])

    assert me.v6.delete(f"/transaction-journals/{first}").status_code == 204

    left = data(me.v6.get(f"/transaction-journals/{second}"))
    assert (left["id"], ids_of(left["attributes"]), left["attributes"]["group_title"]) == (shown["id"], [second], None)
    assert left["attributes"]["transactions"][0]["description"] == "b"
    assert me.v6.get(f"/transaction-journals/{first}").status_code == 404
    undone(me)
    assert group(me, shown["id"]) == {**shown["attributes"], "updated_at": group(me, shown["id"])["updated_at"]}
    for split_id in (first, second):
        me.v6.delete(f"/transaction-journals/{split_id}")
    assert me.v6.get(f"/transactions/{shown['id']}").status_code == 404
    assert findings(world, me) == []


def test_an_outdated_tag_is_refused_by_the_id_of_the_transaction(me):
    checking = made(me, asset())
    first, second = recorded(me, lunch(checking)), recorded(me, lunch(checking))
    tag = me.v6.get(f"/transactions/{first['id']}").headers["etag"]
    path, matching = f"/transactions/{first['id']}", {"headers": {"If-Match": tag}}

    changed(me, second, {"amount": "1"})
    assert me.v6.put(path, {"transactions": [{"amount": "2"}]}, **matching).status_code == 200
    assert me.v6.put(path, {"transactions": [{"amount": "3"}]}, **matching).status_code == 412
    [journal] = ids_of(first["attributes"])
    assert me.v6.request("DELETE", f"/transaction-journals/{journal}", **matching).status_code == 412


def test_version_1_keeps_details_that_it_does_not_name(me):
    checking = made(me, asset())
    [split] = recorded(me, lunch(checking, external_id="x", sepa_ci="ci"))["attributes"]["transactions"]
    path = f"/transactions/{split['transaction_journal_id']}"

    [kept] = data(me.put(path, withdrawal(checking)))
    assert kept["attributes"]["external_id"] == "x"
    [emptied] = data(me.put(path, withdrawal(checking, external_id="", external_url="https://a.example")))
    assert (emptied["attributes"]["external_id"], emptied["attributes"]["external_url"]) == (None, "https://a.example")
    [seen] = data(me.v6.get(f"/transaction-journals/{split['transaction_journal_id']}"))["attributes"]["transactions"]
    assert (seen["external_id"], seen["sepa_ci"]) == (None, "ci")


def test_sending_back_what_was_shown_changes_nothing(world, me):
    """Partial, whole, split by split: the answer is always the transaction as it was."""
    checking = made(me, asset())
    rent = {"name": "Rent", "match": "rent", "amount_min": 1, "amount_max": 99, "currency_code": "EUR", "active": True}
    answer = me.post("/bills", {**rent, "date": "2024-01-10", "repeat_freq": "monthly", "automatch": True, "skip": 0})
    assert answer.status_code == 200, answer.text
    sent = lunch(
        checking, description="rent", category_name="Food", budget_name="Home", notes="n", tags=["a", "b"],
        reconciled=True, foreign_amount="9", foreign_currency_code="USD", external_id="x", latitude=1, longitude=2,
        due_date="2024-06-01", internal_reference="r",
    )  # fmt: skip
    second = lunch(checking, description="garage", destination_name="")
    shown = recorded(me, sent, second, group_title="rent and garage")
    before = {**shown["attributes"], "updated_at": None}
    assert before["transactions"][0]["bill_name"] == "Rent"
    assert before["transactions"][1]["destination_type"] == "Cash account"
    splits = before["transactions"]
    ids = [{"transaction_journal_id": split["transaction_journal_id"]} for split in splits]

    for body in ({}, {"transactions": splits}, {"transactions": ids}, {"transactions": [splits[0], ids[1]]}, before):
        after = data(me.v6.put(f"/transactions/{shown['id']}", body))["attributes"]
        assert {**after, "updated_at": None} == before
    unlinked = changed(me, shown, {**ids[0], "bill_id": ""}, ids[1])
    assert [split["bill_id"] for split in unlinked["transactions"]] == [None, None]
    assert findings(world, me) == []


def test_nonsense_is_refused_and_never_breaks(me):
    checking = made(me, asset())
    shown = recorded(me, lunch(checking))
    many = [lunch(checking)] * 501
    nonsense = [
        "x", 7, [1], ["x", None], [[]], [{}], {"0": 1}, many, [lunch(checking, amount="1e3")],
        [lunch(checking, tags={"a": 1})], [lunch(checking, latitude=91, longitude=0)], [lunch(checking, latitude=1)],
        [lunch(checking, source_id="-1")], [lunch(checking, source_iban=[])], [lunch(checking, amount=12.3456)],
        [lunch(checking, transaction_journal_id=10**30)], [lunch(checking, amount=10**25)],
        [lunch(checking, bill_name={})], [lunch(checking, date=5)],
    ]  # fmt: skip
    for transactions in nonsense:
        refused(me.v6.post("/transactions", {"transactions": transactions}))
        if transactions not in ([{}], ["x", None]):
            answer = me.v6.put(f"/transactions/{shown['id']}", {"transactions": transactions})
            assert answer.status_code in (200, 422), answer.text
    for body in ({"group_title": {}}, {"apply_rules": "maybe"}, {"transactions": {"5": {"amount": "x"}}}):
        refused(me.v6.put(f"/transactions/{shown['id']}", body))
    assert list(refused(me.v6.post("/transactions", {"transactions": {"7": lunch(checking, amount="x")}}))) == [
        "transactions.7.amount"
    ]


def test_what_a_transfer_moved_into_a_piggy_bank_is_listed(me):
    checking, savings = made(me, asset()), made(me, asset(name="Savings"))
    bank = {"name": "Trip", "account_id": savings, "target_amount": "100", "start_date": "2024-01-01", "active": True}
    bank_id = data(me.post("/piggy_banks", {**bank, "current_amount": 0}))["id"]
    sides = {"source_id": checking, "destination_id": savings, "destination_name": None, "piggy_bank_id": bank_id}

    shown = recorded(me, lunch(type="transfer", **{"checking": checking, **sides}))
    path = f"/transactions/{shown['id']}/piggy-bank-events"

    [event] = data(me.v6.get(path))
    assert (event["attributes"]["amount"], event["attributes"]["transaction_group_id"]) == ("12.50", shown["id"])
    changed(me, shown, {"amount": "2"})
    assert [event["attributes"]["amount"] for event in data(me.v6.get(path))] == ["2.00"]
    changed(me, shown, {"piggy_bank_id": "0"})
    assert data(me.v6.get(path)) == []
