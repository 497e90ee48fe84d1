"""Accounts of version 6: every field, partial changes, the order, and what both versions know of each other's."""

from typing import Any

import pytest

from ..accounts.making import asset, card, expense, liability, made, shown
from ..attachments.making import a_transaction
from ..conftest import Client
from ..http.makers import a_piggy_bank

FIELDS = [
    "created_at",
    "updated_at",
    "active",
    "order",
    "name",
    "type",
    "account_role",
    "object_group_id",
    "object_group_order",
    "object_group_title",
    "object_has_currency_setting",
    "currency_id",
    "currency_name",
    "currency_code",
    "currency_symbol",
    "currency_decimal_places",
    "primary_currency_id",
    "primary_currency_name",
    "primary_currency_code",
    "primary_currency_symbol",
    "primary_currency_decimal_places",
    "current_balance",
    "pc_current_balance",
    "balance_difference",
    "pc_balance_difference",
    "opening_balance",
    "pc_opening_balance",
    "virtual_balance",
    "pc_virtual_balance",
    "debt_amount",
    "pc_debt_amount",
    "current_balance_date",
    "notes",
    "monthly_payment_date",
    "credit_card_type",
    "account_number",
    "iban",
    "bic",
    "opening_balance_date",
    "liability_type",
    "liability_direction",
    "interest",
    "interest_period",
    "include_net_worth",
    "longitude",
    "latitude",
    "zoom_level",
    "last_activity",
]


def see(client: Client, account_id: str, **query: Any) -> dict[str, Any]:
    answer = client.v6.get(f"/accounts/{account_id}", **query)
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["data"]["attributes"])


def make(client: Client, **body: Any) -> str:
    answer = client.v6.post("/accounts", body)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["data"]["id"])


def change(client: Client, account_id: str, **body: Any) -> dict[str, Any]:
    answer = client.v6.put(f"/accounts/{account_id}", body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["data"]["attributes"])


def refused(answer: Any) -> list[str]:
    assert answer.status_code == 422, answer.text
    return list(answer.json()["errors"])


def test_a_new_account_needs_only_a_name_and_a_type(me):
    account = see(me, make(me, name="Checking", type="asset"))

    assert set(account) == set(FIELDS)
    assert (account["type"], account["account_role"], account["order"]) == ("asset", "defaultAsset", 1)
    assert account["active"] is account["include_net_worth"] is account["object_has_currency_setting"] is True
    assert (account["currency_code"], account["primary_currency_code"]) == ("EUR", "EUR")
    assert (account["currency_id"], account["currency_decimal_places"]) == ("1", 2)
    assert (account["current_balance"], account["opening_balance"], account["virtual_balance"]) == ("0.00",) * 3
    nothing = [name for name in FIELDS if account[name] is None]
    assert {"balance_difference", "pc_current_balance", "debt_amount", "liability_type", "iban", "notes"} <= {*nothing}
    assert refused(me.v6.post("/accounts", {})) == ["name", "type"]


def test_days_are_points_in_time_of_the_users_zone(me):
    me.put("/preferences/timezone", {"data": "Europe/Berlin"})
    account_id = make(
        me, name="Checking", type="asset", opening_balance="45.6", opening_balance_date="2024-01-31T23:30:00Z"
    )

    account = see(me, account_id, date="2024-02-01")

    assert account["opening_balance_date"] == account["last_activity"] == "2024-02-01T00:00:00+01:00"
    assert account["current_balance_date"] == "2024-02-01T23:59:59+01:00"
    assert (account["opening_balance"], account["current_balance"]) == ("45.60", "45.60")
    assert see(me, account_id, date="2024-01-31")["current_balance"] == "0.00"
    assert see(me, account_id)["current_balance_date"] == "2024-05-15T23:59:59+02:00"


def test_a_range_shows_by_how_much_the_balance_changed(me):
    account_id = make(me, name="Checking", type="asset", opening_balance="45.6", opening_balance_date="2024-02-01")

    of = {"start": "2024-02-01", "end": "2024-02-29"}
    assert see(me, account_id, **of)["balance_difference"] == "45.60"
    assert see(me, account_id, start="2024-02-02", end="2024-02-29")["balance_difference"] == "0.00"
    [listed] = [one for one in me.v6.get("/accounts", **of).json()["data"] if one["id"] == account_id]
    assert listed["attributes"]["balance_difference"] == "45.60"


def test_amounts_are_converted_only_if_the_user_wants_it(me):
    body = {"opening_balance": "10", "opening_balance_date": "2024-02-01", "currency_code": "USD"}
    account_id = make(me, name="Dollars", type="asset", **body)
    same_id = make(me, name="Euros", type="asset")
    rate = {"from_currency_code": "USD", "to_currency_code": "EUR", "date": "2024-01-01", "rate": "0.5"}
    assert me.post("/exchange_rates", rate).status_code == 200

    assert see(me, account_id)["pc_current_balance"] is None
    with me.books.writing() as db:
        db.run(
            """
            INSERT INTO preferences (user_id, name, data, created_at, updated_at)
            VALUES (:user_id, 'convertToPrimary', 'true', '2024-01-01', '2024-01-01')
            """,
            user_id=me.user.id,
        )
    me.put("/preferences/viewRange", {"data": "1W"})  # a new revision, and so new ETags

    account = see(me, account_id)
    assert (account["pc_current_balance"], account["pc_opening_balance"]) == ("5.00", "5.00")
    assert (account["pc_debt_amount"], account["pc_virtual_balance"]) == (None, "0.00")
    assert see(me, same_id)["pc_current_balance"] == "0.00"


@pytest.mark.parametrize(
    ("body", "type_", "role", "liability"),
    [
        (asset(account_role="savingAsset"), "asset", "savingAsset", None),
        (asset(account_role="propertyAsset"), "asset", "defaultAsset", None),
        (expense(), "expense", None, None),
        (liability(liability_type="mortgage"), "liability", None, "mortgage"),
        (liability(liability_type="credit card"), "liability", None, "debt"),
    ],
)
def test_accounts_of_the_first_version_are_shown_in_words_that_clients_know(me, body, type_, role, liability):
    account_id = made(me, body)

    account = see(me, account_id)

    assert (account["type"], account["account_role"], account["liability_type"]) == (type_, role, liability)
    before = shown(me, account_id)
    change(me, account_id, **{name: account[name] for name in FIELDS})
    after = shown(me, account_id)
    assert {**after, "updated_at": ""} == {**before, "updated_at": ""}, "sent back whole, it stays as it is"


@pytest.mark.parametrize("body", [asset(), card(), expense(), liability()], ids=["asset", "card", "expense", "loan"])
@pytest.mark.parametrize(
    ("field", "value", "emptied"),
    [
        ("name", "Other", False), ("active", False, False), ("include_net_worth", False, False),
        ("virtual_balance", "12.30", True), ("notes", "new", True), ("iban", "NL02ABNA0123456789", True),
        ("bic", "ABNANL2A", True), ("account_number", "77", True), ("latitude", "52.37", True),
        ("zoom_level", 7, True),
    ],
)  # fmt: skip
def test_a_put_changes_only_what_it_names(me, body, field, value, emptied):
    account_id = made(me, {**body, "notes": "old", "virtual_balance": "1", "account_number": "7"})
    before = see(me, account_id)

    after = change(me, account_id, **{field: value})

    assert str(after[field]) == str(value)
    stays = {"updated_at", "current_balance", field}
    assert {name: after[name] for name in after if name not in stays} == {
        name: before[name] for name in before if name not in stays
    }
    if emptied:
        assert change(me, account_id, **{field: ""})[field] in (None, "0.00")
    else:
        assert refused(me.v6.put(f"/accounts/{account_id}", {field: ""})) == [field]


def test_an_opening_balance_is_changed_in_parts(me):
    account_id = make(me, name="Checking", type="asset", opening_balance="10", opening_balance_date="2024-02-01")

    assert change(me, account_id, opening_balance=12.340000000000002)["opening_balance"] == "12.34"
    moved = change(me, account_id, opening_balance_date="2024-03-01")
    assert (moved["opening_balance"], moved["opening_balance_date"][:10]) == ("12.34", "2024-03-01")
    assert change(me, account_id, opening_balance="0")["opening_balance_date"] is None
    assert refused(me.v6.put(f"/accounts/{account_id}", {"opening_balance": "1"})) == ["opening_balance_date"]
    assert change(me, account_id, currency_code="JPY")["current_balance"] == "0"


def test_a_liability_is_owed_by_the_user_or_to_the_user(me):
    body = {"type": "liabilities", "liability_type": "loan", "opening_balance_date": "2024-02-01"}
    mine = make(me, name="Loan", opening_balance="100", interest="3.5", interest_period="half-year", **body)
    theirs = make(me, name="Lent", opening_balance="-100", liability_direction="credit", **body)

    owing, owed = see(me, mine), see(me, theirs)

    assert (owing["liability_direction"], owing["current_balance"], owing["debt_amount"]) == (
        "debit",
        "-100.00",
        "100.00",
    )
    assert (owing["interest"], owing["interest_period"]) == ("3.5", "half-year")
    assert (owed["liability_direction"], owed["current_balance"], owed["debt_amount"]) == ("credit", "100.00", "100.00")
    old = shown(me, theirs)
    assert (old["liability_direction"], old["liability_amount"], old["current_balance"]) == ("credit", 100, 100)
    sent = liability(name="Lent", liability_amount=str(old["liability_amount"]), liability_start_date="2024-02-01")
    assert me.put(f"/accounts/{theirs}", sent).status_code == 200, "clients that do not know directions keep them"
    assert see(me, theirs)["current_balance"] == "100.00"
    assert change(me, theirs, liability_direction="debit")["current_balance"] == "-100.00"
    assert refused(me.v6.put(f"/accounts/{mine}", {"liability_type": "mortgage"})) == ["liability_type"]
    assert refused(me.v6.put(f"/accounts/{mine}", {"type": "asset"})) == ["type"]


def test_a_second_account_of_one_name_and_type_is_refused_here_and_not_in_the_first_version(me):
    make(me, name="Grocer", type="expense")

    assert refused(me.v6.post("/accounts", {"name": "grocer", "type": "Expense account"})) == ["name"]
    assert me.v6.post("/accounts", {"name": "Grocer", "type": "revenue"}).status_code == 200
    assert me.post("/accounts", expense()).status_code == 200


def names(answer: Any) -> list[str]:
    return [one["attributes"]["name"] for one in answer.json()["data"]]


def test_own_accounts_are_listed_in_their_order_and_before_all_others(me):
    for name in ("A", "B", "C"):
        make(me, name=name, type="asset")
    loan, shop = make(me, name="Loan", type="liability"), make(me, name="A shop", type="expense")
    last = make(me, name="D", type="asset", order=1)

    listed = me.v6.get("/accounts")

    assert names(listed) == ["D", "A", "B", "C", "Loan", "A shop", "Cash account"]
    assert [one["attributes"]["order"] for one in listed.json()["data"]] == [1, 2, 3, 4, 1, None, None]
    assert change(me, last, order=3)["order"] == 3
    assert names(me.v6.get("/accounts", type="asset")) == ["A", "B", "D", "C"]
    assert change(me, loan, order=1)["order"] == 1
    assert change(me, shop, order=1)["order"] is None
    pages = [names(me.v6.get("/accounts", limit=3, page=page)) for page in (1, 2, 3, 4)]
    assert pages == [["A", "B", "D"], ["C", "Loan", "A shop"], ["Cash account"], []]
    [group] = [one for one in me.get("/accounts/groups").json()["data"] if one["group"] == "everyday"]
    assert [one["name"] for one in group["accounts"]] == ["A", "B", "D", "C"]
    [change_, *_] = me.get("/changes").json()["data"]
    assert names(me.get("/accounts", type="asset")) == ["A", "B", "C", "D"], "the first version lists by name"
    assert change_["attributes"]["summary"]


def test_a_change_of_the_order_is_undone(me):
    make(me, name="A", type="asset")
    b = make(me, name="B", type="asset")
    change(me, b, order=1)
    assert names(me.v6.get("/accounts", type="asset")) == ["B", "A"]

    [last, *_] = me.get("/changes").json()["data"]
    assert me.post(f"/changes/{last['id']}/undo").status_code == 200

    assert names(me.v6.get("/accounts", type="asset")) == ["A", "B"]


def test_a_list_is_as_long_as_its_client_asks(me):
    answer = me.v6.get("/accounts", limit="9999999999")

    assert answer.json()["meta"]["pagination"]["per_page"] == 2**31 - 1
    assert me.get("/accounts", limit="9999999999").json()["meta"]["pagination"]["per_page"] == 1000


def test_an_account_lists_its_transactions_whole(me):
    second = a_transaction(me)
    account_id = str(second["source_id"])

    listed = me.v6.get(f"/accounts/{account_id}/transactions", type="all").json()

    [group] = listed["data"]
    assert (group["type"], group["id"]) == ("transactions", str(second["journal_id"]))
    assert [split["source_id"] for split in group["attributes"]["transactions"]] == [account_id, account_id]
    assert f"/accounts/{account_id}/transactions?" in listed["links"]["self"]
    assert listed["meta"]["pagination"]["total"] == 1
    assert me.v6.get(f"/accounts/{account_id}/transactions", type="deposit").json()["data"] == []
    assert me.v6.get("/accounts/999999/transactions").status_code == 404


def test_an_account_lists_its_piggy_banks(me):
    bank = me.get(f"/piggy_banks/{a_piggy_bank(me)}").json()["data"]
    account_id = bank["attributes"]["account_id"]

    listed = me.v6.get(f"/accounts/{account_id}/piggy-banks").json()

    assert [one["id"] for one in listed["data"]] == [bank["id"]]
    assert listed["data"][0]["attributes"]["accounts"][0]["account_id"] == str(account_id)
    assert me.v6.get(f"/accounts/{made(me, asset(name='Empty'))}/piggy_banks").json()["data"] == []


def test_an_outdated_change_is_refused(me):
    account_id = make(me, name="Checking", type="asset")
    tag = me.v6.get(f"/accounts/{account_id}").headers["etag"]
    change(me, account_id, notes="by another")

    late = me.v6.put(f"/accounts/{account_id}", {"notes": "late"}, headers={"If-Match": tag})

    assert late.status_code == 412
    assert me.v6.delete(f"/accounts/{account_id}").status_code == 204
    assert me.v6.get(f"/accounts/{account_id}").status_code == 404
