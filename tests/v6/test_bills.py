"""Bills, groups of them and available budgets in version 6."""

import pytest

from ..bills.making import a_bill, asset, made, paid, stored
from ..labels.making import BUDGET, recorded, withdrawn
from .making import converts, data, own, refused, shown, undone

NOW = "2024-05-15T12:00:00+00:00"
MAY = {"start": "2024-05-01", "end": "2024-05-31"}
EURO = {"currency_id": "1", "currency_code": "EUR", "currency_symbol": "€", "currency_decimal_places": 2}
RENT = {"name": "Rent", "amount_min": "795", "amount_max": 855.5, "date": "2024-01-01", "repeat_freq": "monthly"}


def test_every_attribute_of_a_bill(me):
    me.v6.put("/preferences/timezone", {"data": "Europe/Berlin"})
    body = {"notes": "Ours", "end_date": "2024-12-31", "extension_date": "2024-10-30T23:30:00Z"}

    thing = data(me.v6.post("/bills", RENT | body | {"object_group_title": "Home", "skip": 0}))

    group = thing["attributes"]["object_group_id"]
    assert isinstance(group, str)
    assert thing["attributes"] == {
        "created_at": NOW, "updated_at": NOW, "name": "Rent", "amount_min": "795.00", "amount_avg": "825.25",
        "amount_max": "855.50", "pc_amount_min": None, "pc_amount_avg": None, "pc_amount_max": None,
        "date": "2024-01-01T00:00:00+01:00", "end_date": "2024-12-31T00:00:00+01:00",
        "extension_date": "2024-10-31T00:00:00+01:00", "repeat_freq": "monthly", "skip": 0, "active": True,
        "order": 1, "notes": "Ours", "object_group_id": group, "object_group_order": 1, "object_group_title": "Home",
        "paid_dates": [], "pay_dates": [], "next_expected_match": "2024-06-01T00:00:00+02:00",
        "next_expected_match_diff": "in 17 days", "object_has_currency_setting": True, **own(),
    }  # fmt: skip
    assert (thing["type"], data(me.v6.get(f"/subscriptions/{thing['id']}"))) == ("bills", thing)
    [old] = me.get("/bills").json()["data"]
    seen = {name: old["attributes"][name] for name in ("match", "automatch", "end_date", "object_group_title")}
    assert seen == {"match": [], "automatch": False, "end_date": "2024-12-31", "object_group_title": "Home"}


def test_payments_are_objects_within_a_range(me):
    stored(me, a_bill(match="rent"))
    paid(me, made(me, asset()), on="2024-05-02")

    [bill] = data(me.v6.get("/bills", **MAY))
    [group] = data(me.v6.get(f"/bills/{bill['id']}/transactions"))
    [split] = group["attributes"]["transactions"]

    assert bill["attributes"]["paid_dates"] == [
        {
            "transaction_group_id": group["id"], "transaction_journal_id": split["transaction_journal_id"],
            "date": "2024-05-02T00:00:00+00:00", "subscription_id": bill["id"], "amount": "800.00", **EURO,
        }
    ]  # fmt: skip
    assert bill["attributes"]["pay_dates"] == ["2024-05-01T00:00:00+00:00"]
    assert data(me.v6.get("/bills"))[0]["attributes"]["paid_dates"] == []
    assert split["bill_id"] == bill["id"]
    assert data(me.v6.get(f"/bills/{bill['id']}/rules")) == []


def test_amounts_are_converted_if_the_user_wants_it(me):
    converts(me)

    bill = shown(me.v6.post("/bills", RENT))

    assert [bill[f"pc_amount_{which}"] for which in ("min", "avg", "max")] == ["795.00", "825.25", "855.50"]


@pytest.mark.parametrize(
    "change",
    [{}, {"notes": ""}, {"active": False}, {"amount_max": "900"}, {"end_date": None}, {"skip": 1},
     {"currency_code": "USD"}, {"object_group_id": "0"}, {"object_group_title": "Other"}],
)  # fmt: skip
def test_a_partial_put_is_a_whole_put_with_what_was_read(me, change):
    body = RENT | {"notes": "Old", "end_date": "2025-01-31", "object_group_title": "Home"}
    twins = [data(me.v6.post("/bills", body | {"name": name})) for name in ("One", "Two")]
    sent = (*body, "skip", "active", "extension_date", "currency_code")
    whole = {name: twins[1]["attributes"][name] for name in sent if "object_group_id" not in change or name in RENT}

    partly = shown(me.v6.put(f"/bills/{twins[0]['id']}", change))
    wholly = shown(me.v6.put(f"/subscriptions/{twins[1]['id']}", {**whole, **change}))

    assert {**partly, "name": "", "order": 0} == {**wholly, "name": "", "order": 0}


def test_a_bill_without_words_is_linked_only_by_hand_and_by_rules(me):
    paid(me, made(me, asset()), on="2024-05-02")

    bill = data(me.v6.post("/bills", RENT | {"amount_max": "800", "amount_min": "800"}))

    assert shown(me.v6.get(f"/bills/{bill['id']}", **MAY))["paid_dates"] == []
    assert me.v6.post("/bills", RENT | {"name": "Another"}).status_code == 200
    assert set(refused(me.v6.post("/bills", RENT))) == {"name"}
    assert set(refused(me.v6.post("/bills", {}))) == set(RENT)
    wrong = {"name": "X", "amount_min": "900", "end_date": "2023-12-31", "object_group_id": "99999"}
    fields = {"amount_min", "amount_max", "date", "end_date", "object_group_id"}
    assert set(refused(me.v6.post("/bills", RENT | wrong))) == fields
    assert me.v6.delete(f"/bills/{bill['id']}").status_code == 204
    undone(me)
    assert data(me.v6.get(f"/bills/{bill['id']}")) == bill


def test_version_1_changes_a_bill_without_words(me):
    """The web app sends what it was shown."""
    more = {"amount_max": "795", "end_date": "2025-01-31", "object_group_title": "Home"}
    bill = data(me.v6.post("/bills", RENT | more))
    old = {"name": "Flat", "match": [], "amount_min": 795, "amount_max": 795, "date": "2024-01-01", "skip": 0}
    old |= {"automatch": True, "active": True, "repeat_freq": "monthly", "currency_code": "EUR"}

    answer = me.put(f"/bills/{bill['id']}", old)

    assert answer.status_code == 200, answer.text
    kept = shown(me.v6.get(f"/bills/{bill['id']}"))
    assert (kept["name"], kept["end_date"][:10], kept["object_group_title"]) == ("Flat", "2025-01-31", "Home")
    assert answer.json()["data"]["attributes"]["automatch"] is False


def test_a_bill_is_not_expected_after_its_end(me):
    bill = data(me.v6.post("/bills", RENT | {"end_date": "2024-06-15"}))["id"]

    year = shown(me.v6.get(f"/bills/{bill}", start="2024-05-01", end="2024-12-31"))

    assert [day[:10] for day in year["pay_dates"]] == ["2024-05-01", "2024-06-01"]
    assert shown(me.v6.get(f"/bills/{bill}"))["next_expected_match"][:10] == "2024-06-01"
    late = {"start": "2024-07-01", "end": "2024-07-31"}
    assert shown(me.v6.get(f"/bills/{bill}", **late))["next_expected_match"] is None
    me.v6.put(f"/bills/{bill}", {"end_date": "2024-04-30"})
    assert shown(me.v6.get(f"/bills/{bill}"))["next_expected_match"] is None


def test_without_a_limit_all_bills_are_one_page(me):
    """One client asks for page 1 for ever when there are two."""
    me.put("/preferences/listPageSize", {"data": 2})
    ids = [data(me.v6.post("/bills", RENT | {"name": f"Bill {number}"}))["id"] for number in range(3)]

    me.v6.put(f"/bills/{ids[2]}", {"order": 1})

    answer = me.v6.get("/bills").json()
    assert [one["id"] for one in answer["data"]] == [ids[2], ids[0], ids[1]]
    assert answer["meta"]["pagination"]["total_pages"] == 1
    assert len(data(me.v6.get("/bills", limit=2))) == 2
    assert [one["id"] for one in me.get("/bills", limit=9).json()["data"]] == ids


def test_groups_come_and_go_with_their_members(me):
    ids = [data(me.v6.post("/bills", RENT | {"name": name, "object_group_title": "home"}))["id"] for name in "AB"]
    [group] = data(me.v6.get("/object-groups"))

    assert (group["type"], group["attributes"]) == (
        "object_groups", {"created_at": NOW, "updated_at": NOW, "title": "home", "order": 1},
    )  # fmt: skip
    assert [one["id"] for one in data(me.v6.get(f"/object-groups/{group['id']}/bills"))] == ids
    assert shown(me.v6.put(f"/object-groups/{group['id']}", {"title": "Home"}))["title"] == "Home"
    me.v6.put(f"/bills/{ids[0]}", {"object_group_title": "Away"})
    assert [one["attributes"]["title"] for one in data(me.v6.get("/object-groups"))] == ["Home", "Away"]
    assert set(refused(me.v6.put(f"/object-groups/{group['id']}", {"title": "away"}))) == {"title"}
    me.v6.delete(f"/bills/{ids[1]}")
    assert me.v6.get(f"/object-groups/{group['id']}").status_code == 404
    undone(me)
    assert shown(me.v6.get(f"/bills/{ids[1]}"))["object_group_title"] == "Home"


def test_deleting_a_group_keeps_its_bills(me):
    bill = data(me.v6.post("/bills", RENT | {"object_group_title": "Home"}))
    group = bill["attributes"]["object_group_id"]

    assert me.v6.delete(f"/object-groups/{group}").status_code == 204

    assert shown(me.v6.get(f"/bills/{bill['id']}"))["object_group_id"] is None
    undone(me)
    assert shown(me.v6.get(f"/bills/{bill['id']}"))["object_group_id"] == group


def test_every_attribute_of_an_available_budget(me):
    body = {"amount": "1000", "currency_code": "EUR", "start_date": MAY["start"], "end_date": MAY["end"]}
    made_by_v1 = me.post("/available_budgets", body).json()["data"]["id"]
    account = made(me, asset())
    recorded(me, BUDGET.on(withdrawn(account, amount="50", on="2024-05-02"), "Food"))
    recorded(me, withdrawn(account, amount="7.5", on="2024-05-03"))

    [available] = data(me.v6.get("/available-budgets", **MAY))

    assert available == data(me.v6.get(f"/available-budgets/{made_by_v1}"))
    assert available["attributes"] == {
        "created_at": NOW, "updated_at": NOW, "amount": "1000.00", "pc_amount": None,
        "start": "2024-05-01T00:00:00+00:00", "end": "2024-05-31T00:00:00+00:00",
        "spent_in_budgets": [{**EURO, "sum": "-50.00"}], "pc_spent_in_budgets": [],
        "spent_outside_budgets": [{**EURO, "sum": "-7.50"}], "pc_spent_outside_budgets": [],
        "object_has_currency_setting": True, **own(),
    }  # fmt: skip
    assert me.v6.delete(f"/available-budgets/{made_by_v1}").status_code == 405


def test_piggy_banks_have_groups_too(me):
    account = made(me, asset())
    body = {"name": "Boat", "accounts": [{"account_id": account}], "start_date": "2024-05-01"}
    bank = data(me.v6.post("/piggy-banks", body | {"object_group_title": "Dreams"}))
    group = bank["attributes"]["object_group_id"]

    assert bank["attributes"]["object_group_title"] == "Dreams"
    assert [one["id"] for one in data(me.v6.get(f"/object-groups/{group}/piggy-banks"))] == [bank["id"]]
    assert data(me.v6.get(f"/object-groups/{group}/bills")) == []
    old = {"name": "Yacht", "account_id": account, "target_amount": "100"}
    assert me.put(f"/piggy_banks/{bank['id']}", old).status_code == 200
    assert shown(me.v6.get(f"/piggy-banks/{bank['id']}"))["object_group_id"] == group
    me.v6.put(f"/piggy-banks/{bank['id']}", {"object_group_id": ""})
    assert me.v6.get(f"/object-groups/{group}").status_code == 404
    undone(me)
    assert shown(me.v6.get(f"/piggy-banks/{bank['id']}"))["object_group_id"] == group
