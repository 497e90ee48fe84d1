"""Recurrences in version 6: their shapes, partial changes, and what the first version sees of them."""

from typing import Any

from ..conftest import Client
from ..transactions.making import asset, expense, made
from .test_basics import data


def a_recurrence(client: Client, **fields: Any) -> dict[str, Any]:
    """From tests' usual today, 2024-05-15."""
    transaction = {
        "description": "Membership",
        "amount": 25.449999999999999,
        "source_id": made(client, asset()),
        "destination_id": made(client, expense(name="Gym Ltd")),
        "budget_id": "0",
        "foreign_amount": "0",
        "tags": ["sport"],
    }
    body = {
        "type": "withdrawal",
        "title": "Gym",
        "first_date": "2024-06-01",
        "repeat_until": None,
        "repetitions": [{"type": "monthly", "moment": "1"}],
        "transactions": [transaction],
        "notes": "Cancel in time",
        **fields,
    }
    return dict(data(client.v6.post("/recurrences", body)))


def test_a_recurrence_has_all_its_fields_as_they_are_described(me):
    me.v6.put("/preferences/timezone", {"data": "Europe/Berlin"})

    recurrence = a_recurrence(me)

    shown = recurrence["attributes"]
    assert recurrence["type"] == "recurrences"
    assert (shown["first_date"], shown["latest_date"], shown["repeat_until"]) == ("2024-06-01", None, None)
    assert (shown["nr_of_repetitions"], shown["notes"], shown["description"]) == (None, "Cancel in time", "")
    assert (shown["active"], shown["apply_rules"]) == (True, True)
    (repetition,), (split,) = shown["repetitions"], shown["transactions"]
    assert (repetition["type"], repetition["moment"], repetition["skip"], repetition["weekend"]) == (
        "monthly",
        "1",
        0,
        1,
    )
    assert repetition["occurrences"][0] == "2024-06-01T00:00:00+02:00"
    assert (split["amount"], split["currency_code"], split["object_has_currency_setting"]) == ("25.45", "EUR", True)
    assert (split["source_type"], split["destination_type"]) == ("Asset account", "Expense account")
    assert (split["foreign_amount"], split["pc_amount"], split["budget_id"], split["piggy_bank_id"]) == (None,) * 4
    assert split["tags"] == ["sport"]
    assert data(me.get(f"/recurrences/{recurrence['id']}"))["attributes"]["notes"] == "Cancel in time"
    assert me.v6.get("/recurrences").json()["data"] == [recurrence]


def test_a_put_changes_only_what_it_names_and_parts_keep_their_ids(me):
    before = a_recurrence(me)
    [split] = before["attributes"]["transactions"]
    path = f"/recurrences/{before['id']}"

    titled = data(me.v6.put(path, {"title": "Club", "notes": "", "repeat_until": "2025-06-01"}))["attributes"]
    priced = data(me.v6.put(path, {"transactions": [{"id": split["id"], "amount": "30"}]}))["attributes"]
    limited = data(me.v6.put(path, {"nr_of_repetitions": 5, "repetitions": [{"skip": 1}]}))["attributes"]

    assert (titled["title"], titled["notes"], titled["repeat_until"]) == ("Club", None, "2025-06-01")
    assert titled["transactions"] == [split]
    assert priced["transactions"] == [{**split, "amount": "30.00"}]
    assert priced["title"] == "Club"
    assert (limited["repeat_until"], limited["nr_of_repetitions"]) == (None, 5)
    [repetition] = limited["repetitions"]
    assert (repetition["type"], repetition["moment"], repetition["skip"]) == ("monthly", "1", 1)
    assert repetition["id"] == before["attributes"]["repetitions"][0]["id"]
    retagged = data(me.v6.put(path, {"transactions": [{"tags": []}]}))["attributes"]["transactions"][0]
    assert (retagged["tags"], retagged["amount"]) == ([], "30.00")
    for change in me.get("/changes").json()["data"][:4]:
        assert me.post(f"/changes/{change['id']}/undo").status_code == 200
    again = data(me.v6.get(path))["attributes"]
    assert again["transactions"] == before["attributes"]["transactions"]


def test_splits_are_added_and_removed_by_a_put(me):
    before = a_recurrence(me)
    [first] = before["attributes"]["transactions"]
    new = {"description": "Locker", "amount": "5", "source_id": first["source_id"], "destination_name": "Gym Ltd"}
    path = f"/recurrences/{before['id']}"

    two = data(me.v6.put(path, {"transactions": [{"id": first["id"]}, new]}))["attributes"]["transactions"]
    one = data(me.v6.put(path, {"transactions": [{"id": two[1]["id"]}]}))["attributes"]["transactions"]

    assert [(split["description"], split["amount"]) for split in two] == [("Membership", "25.45"), ("Locker", "5.00")]
    assert [split["description"] for split in one] == ["Locker"]


def test_what_is_wrong_is_named_where_it_was_sent(me):
    bill = {"bill_id": "1", "description": "x", "amount": "1", "source_id": "999", "destination_name": "Gym"}
    body = {
        "type": "withdrawal",
        "title": "Gym",
        "first_date": "soon",
        "repetitions": [{"type": "weekly", "moment": "9"}],
    }

    errors = me.v6.post("/recurrences", {**body, "transactions": [bill]}).json()["errors"]

    assert {"first_date", "repetitions.0.moment", "transactions.0.bill_id", "transactions.0.source_id"} <= errors.keys()
    assert {"repetitions", "transactions"} <= me.v6.post("/recurrences", {"title": "x"}).json()["errors"].keys()


def test_a_trigger_books_a_planned_day_today_and_never_twice(me):
    recurrence = a_recurrence(me)
    path = f"/recurrences/{recurrence['id']}"

    booked = me.v6.post(f"{path}/trigger?date=2024-06-01", {}).json()["data"]
    again = me.v6.post(f"{path}/trigger?date=2024-06-01", {}).json()["data"]

    [group] = booked
    [split] = group["attributes"]["transactions"]
    assert (split["date"][:10], split["amount"], split["tags"]) == ("2024-05-15", "25.45", ["sport"])
    assert again == []
    assert [one["id"] for one in me.v6.get(f"{path}/transactions").json()["data"]] == [group["id"]]
    after = data(me.v6.get(path))["attributes"]
    assert after["latest_date"] == "2024-05-15"
    assert after["repetitions"][0]["occurrences"][0][:10] == "2024-07-01"
    assert me.post("/recurrences/trigger?date=2024-06-01").status_code == 204
    for query in ("", "?date=2024-06-02"):
        assert me.v6.post(f"{path}/trigger{query}", {}).json()["errors"].keys() == {"date"}
