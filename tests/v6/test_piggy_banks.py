"""Piggy banks in version 6: their shapes, partial changes, and what the first version sees of them."""

from typing import Any

from ..conftest import Client
from ..piggy_banks.making import an_account, posted_one, transfer
from .test_basics import data


def a_piggy_bank(client: Client, account_id: str, **fields: Any) -> dict[str, Any]:
    share = {"id": account_id, "current_amount": "20"}
    body = {"name": "Bicycle", "accounts": [share], "target_amount": "600", "start_date": "2024-05-01", **fields}
    return dict(data(client.v6.post("/piggy-banks", body)))


def test_a_piggy_bank_has_all_its_fields_as_they_are_described(me):
    account_id = an_account(me)

    bank = a_piggy_bank(me, account_id, target_date="2024-07-20T12:00:00+02:00")

    shown = bank["attributes"]
    assert (bank["type"], bank["links"]["self"].rsplit("/", 2)[1]) == ("piggy_banks", "piggy-banks")
    assert (shown["target_amount"], shown["current_amount"], shown["left_to_save"]) == ("600.00", "20.00", "580.00")
    assert (shown["save_per_month"], shown["percentage"], shown["order"], shown["active"]) == ("290.00", 3, 1, True)
    assert (shown["start_date"], shown["target_date"]) == ("2024-05-01T00:00:00+00:00", "2024-07-20T00:00:00+00:00")
    assert (shown["pc_target_amount"], shown["object_group_id"], shown["notes"]) == (None, None, None)
    assert (shown["currency_code"], shown["object_has_currency_setting"]) == ("EUR", True)
    [share] = shown["accounts"]
    expected = {"account_id": account_id, "name": "Savings", "current_amount": "20.00", "pc_current_amount": None}
    assert share == expected
    listed = me.v6.get("/piggy-banks").json()
    assert listed["data"] == [bank]
    assert "self" in listed["links"]
    assert data(me.get(f"/piggy_banks/{bank['id']}"))["attributes"]["current_amount"] == 20


def test_a_piggy_bank_without_a_target_takes_any_amount(me):
    account_id, other = an_account(me), an_account(me, "Checking")
    bank = a_piggy_bank(me, account_id, target_amount=None)

    posted_one(me, transfer(other, account_id, "500", piggy_bank_id=bank["id"], date="2024-05-10"))

    shown = data(me.v6.get(f"/piggy-banks/{bank['id']}"))["attributes"]
    assert (shown["current_amount"], shown["target_amount"]) == ("520.00", None)
    assert (shown["left_to_save"], shown["percentage"], shown["save_per_month"]) == (None, None, None)
    old = data(me.get(f"/piggy_banks/{bank['id']}"))["attributes"]
    assert (old["target_amount"], old["left_to_save"], old["percentage"]) == (0, 0, 0)
    aimed = data(me.v6.put(f"/piggy-banks/{bank['id']}", {"target_amount": "1000"}))["attributes"]
    assert aimed["left_to_save"] == "480.00"
    assert data(me.v6.put(f"/piggy-banks/{bank['id']}", {"target_amount": "0"}))["attributes"]["target_amount"] is None


def test_a_put_changes_only_what_it_names_and_can_be_undone(me):
    account_id = an_account(me)
    before = a_piggy_bank(me, account_id, notes="Blue", target_date="2024-12-01")
    path = f"/piggy-banks/{before['id']}"

    moved = data(me.v6.put(path, {"accounts": [{"account_id": account_id, "current_amount": "45.5"}]}))
    emptied = data(me.v6.put(path, {"notes": "", "target_date": None, "name": "Tandem"}))

    different = {name for name, value in moved["attributes"].items() if before["attributes"][name] != value}
    assert different == {"accounts", "current_amount", "left_to_save", "percentage", "save_per_month"}
    shown = emptied["attributes"]
    assert (shown["notes"], shown["target_date"], shown["name"]) == (None, None, "Tandem")
    assert (shown["current_amount"], shown["target_amount"]) == ("45.50", "600.00")
    for change in me.get("/changes").json()["data"][:2]:
        assert me.post(f"/changes/{change['id']}/undo").status_code == 200
    assert data(me.v6.get(path))["attributes"] == before["attributes"]


def test_groups_are_made_by_naming_them_and_go_with_their_last_member(me):
    bank = a_piggy_bank(me, an_account(me), object_group_title="Dreams")
    path, shown = f"/piggy-banks/{bank['id']}", bank["attributes"]
    assert (shown["object_group_title"], shown["object_group_order"]) == ("Dreams", 1)

    kept = data(me.v6.put(path, {"name": "Tandem"}))["attributes"]
    assert kept["object_group_id"] == shown["object_group_id"]
    assert data(me.get(f"/piggy_banks/{bank['id']}"))["attributes"]["object_group_title"] == "Dreams"
    assert data(me.v6.put(path, {"object_group_title": ""}))["attributes"]["object_group_id"] is None
    again = data(me.v6.put(path, {"object_group_title": "Wheels"}))["attributes"]
    assert again["object_group_order"] == 1, "the empty group is gone"
    assert me.v6.get(f"{path}/attachments").json()["data"] == []


def test_events_name_their_transfers(me):
    account_id, other = an_account(me), an_account(me, "Checking")
    bank = a_piggy_bank(me, account_id)
    posted = posted_one(me, transfer(other, account_id, "5", piggy_bank_id=bank["id"], date="2024-05-10"))

    events = me.v6.get(f"/piggy-banks/{bank['id']}/events").json()

    by_hand, saved = (event["attributes"] for event in events["data"])
    assert (by_hand["amount"], by_hand["transaction_group_id"]) == ("20.00", None)
    assert (saved["amount"], saved["currency_code"], saved["pc_amount"]) == ("5.00", "EUR", None)
    assert saved["transaction_journal_id"] == posted["id"]
    assert saved["transaction_group_id"] == str(posted["journal_id"])
    assert events["meta"]["pagination"]["total"] == 2


def test_what_is_wrong_is_named_where_it_was_sent(me):
    account_id = an_account(me)

    def errors(**body):
        answer = me.v6.post("/piggy-banks", {"name": "X", "start_date": "2024-05-01", **body})
        assert answer.status_code == 422, answer.text
        return answer.json()["errors"].keys()

    assert errors() == {"accounts"}
    assert errors(accounts=[{"id": "999"}], target_amount="-1") == {"accounts.0.id", "target_amount"}
    assert errors(accounts=[{"id": account_id, "current_amount": "5000"}]) == {"accounts.0.current_amount"}
    assert errors(accounts=[{"id": account_id}], target_date="2024-04-01") == {"target_date"}
    assert errors(accounts=[{"id": account_id}, {"id": account_id}]) == {"accounts.1.id"}
