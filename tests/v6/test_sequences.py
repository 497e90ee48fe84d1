"""What clients send one after the other: a phone app, an importer that runs twice, and a categoriser."""

import re

import pytest

from ..length import LONG
from ..transactions.making import asset, findings, made
from ..webhooks.receiver import make_sender, work
from .making import data


def test_a_phone_app_records_a_receipt_and_corrects_it(world, me):
    api = me.v6
    assert data(api.get("/about"))["api_version"] >= "6.3.2"
    currency = data(api.get("/currencies/primary"))["attributes"]["code"]
    assert data(api.get("/configuration/app.timezone"))["title"] == "app.timezone"
    new = {"name": "Wallet", "type": "asset", "account_role": "defaultAsset", "currency_code": currency}
    wallet = data(api.post("/accounts", new))["id"]

    def bought(text, amount):
        sides = {"source_id": wallet, "destination_name": "Market"}
        return {"type": "withdrawal", "date": "2024-05-12", "description": text, "amount": amount, **sides}

    body = {"group_title": "Shopping", "transactions": [bought("bread", "3.20"), bought("soap", "4.00")]}
    shown = data(api.post("/transactions", body))
    bread, soap = shown["attributes"]["transactions"]
    file = {
        "filename": "r.jpg",
        "attachable_type": "TransactionJournal",
        "attachable_id": soap["transaction_journal_id"],
    }
    attachment = data(api.post("/attachments", file))
    address = attachment["attributes"]["upload_url"].removeprefix("http://farthing.example")
    assert api.request("POST", address, content=b"\xff\xd8\xff receipt").status_code == 204
    [listed] = data(api.get(f"/transactions/{shown['id']}/attachments"))
    assert listed["id"] == attachment["id"]

    # The app sends back all that it was shown, with one split changed.
    changed = data(api.put(f"/transactions/{shown['id']}", {"transactions": [{**bread, "amount": "3.50"}, soap]}))
    assert api.delete(f"/transaction-journals/{soap['transaction_journal_id']}").status_code == 204

    assert [split["amount"] for split in changed["attributes"]["transactions"]] == ["3.50", "4.00"]
    [left] = data(api.get(f"/transactions/{shown['id']}"))["attributes"]["transactions"]
    assert (left["transaction_journal_id"], left["description"]) == (bread["transaction_journal_id"], "bread")
    assert left["has_attachments"] is True, "the receipt belongs to the whole transaction"
    assert data(api.get(f"/accounts/{wallet}"))["attributes"]["current_balance"] == "-3.50"
    assert findings(world, me) == []


def test_an_importer_that_runs_twice_doubles_nothing(world, me):
    rows, checking = 500 if LONG else 30, made(me, asset())

    def send(row):
        row -= row % 10 == 9  # the bank lists some rows twice
        split = {
            "type": "withdrawal" if row % 3 else "deposit", "date": f"2024-05-{row % 28 + 1:02}T00:00:00+00:00",
            "amount": f"{row + 1}.{row % 100:02}", "currency_code": "EUR", "description": f"Row {row}",
            "external_id": f"bank-{row}", "internal_reference": f"{row:08}", "tags": ["Import"], "notes": "",
            ("source_id" if row % 3 else "destination_id"): str(checking),
            ("destination_name" if row % 3 else "source_name"): f"Payee {row % 7}",
        }  # fmt: skip
        flags = {"error_if_duplicate_hash": True, "apply_rules": True, "fire_webhooks": False}
        return me.v6.post("/transactions", {**flags, "transactions": [split]})

    first, second = ([send(row) for row in range(rows)] for _ in range(2))

    assert sum(answer.status_code == 200 for answer in first) == rows - rows // 10
    for answer in [*second, *first[9::10]]:
        assert answer.status_code == 422
        assert re.fullmatch(r"Duplicate of transaction #\d+\.", answer.json()["message"])
    assert me.v6.post("/batch/finish", {}).status_code == 204
    listed = me.v6.get("/transactions", limit=1).json()["meta"]["pagination"]
    assert listed["total"] == rows - rows // 10
    assert findings(world, me) == []


@pytest.mark.any_database
def test_a_categoriser_is_woken_and_is_not_woken_by_its_own_change(new_world, receiver):
    me = new_world.someone()
    bank, sender = made(me, asset()), make_sender(new_world)
    food = data(me.v6.post("/categories", {"name": "Food"}))
    body = {"title": "Sort", "url": f"{receiver.url}/webhook", "trigger": "STORE_TRANSACTION", "delivery": "JSON"}
    data(me.v6.post("/webhooks", {**body, "response": "TRANSACTIONS", "active": True}))
    split = {"type": "withdrawal", "date": "2024-05-12", "amount": "9.90", "source_id": bank}
    splits = [{**split, "description": text, "destination_name": "Market"} for text in ("bread", "soap")]
    data(me.v6.post("/transactions", {"group_title": "Shopping", "transactions": splits}))

    work(sender)
    [told] = [body["content"] for body in receiver.bodies]
    # It leaves alone what has a category.
    bread = next(each for each in told["transactions"] if each["category_id"] is None)
    group = data(me.v6.get(f"/transactions/{told['id']}"))["attributes"]
    names = {one["attributes"]["name"]: one["id"] for one in data(me.v6.get("/categories", page=1))}
    assert names == {"Food": food["id"]}
    chosen = [
        {"transaction_journal_id": each["transaction_journal_id"], "category_id": names["Food"], "tags": ["sorted"]}
        if each["description"] == bread["description"]
        else {"transaction_journal_id": each["transaction_journal_id"]}
        for each in group["transactions"]
    ]
    sent = {"apply_rules": True, "fire_webhooks": True, "transactions": chosen}
    shown = data(me.v6.put(f"/transactions/{told['id']}", sent))["attributes"]["transactions"]
    work(sender)

    assert [(each["description"], each["category_name"]) for each in shown] == [("bread", "Food"), ("soap", None)]
    assert len(receiver.received) == 1
    # What version 6 has made is the same tag and category in the first version.
    [tag] = me.get("/tags").json()["data"]
    assert (tag["attributes"]["tag"], me.get("/tags/sorted").json()["data"]["id"]) == ("sorted", tag["id"])
    assert me.put(f"/tags/{tag['id']}", {"tag": "done"}).status_code == 200
    again = data(me.v6.get(f"/transactions/{told['id']}"))["attributes"]["transactions"]
    assert {tuple(each["tags"]) for each in again} == {("done",)}
    assert [one["id"] for one in data(me.v6.get("/tags/done/transactions"))] == [str(told["id"])]
