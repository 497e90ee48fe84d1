"""Transactions as groups of splits: what phone apps and importers record, read, change and delete."""

from ..transactions.making import a_transaction, asset, made, posted, split, transfer, withdrawal


def data(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def group(client, entry_id):
    return data(client.v6.get(f"/transactions/{entry_id}"))["attributes"]


def undo(client):
    """Takes the newest change back."""
    [change] = client.get("/changes", limit=1).json()["data"]
    assert client.post(f"/changes/{change['id']}/undo", {}).status_code == 200


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
    assert me.v6.get("/transactions", page=99).json()["data"] == []


def test_a_group_is_deleted_whole_and_an_undo_brings_it_back(me):
    checking = made(me, asset())
    entry_id = posted(me, withdrawal(checking))[0]["attributes"]["journal_id"]
    before = group(me, entry_id)

    assert me.v6.delete(f"/transactions/{entry_id}").status_code == 204
    assert me.v6.delete(f"/transactions/{entry_id}").status_code == 404

    undo(me)
    assert group(me, entry_id) == before
