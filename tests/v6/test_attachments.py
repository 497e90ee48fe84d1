"""Files of version 6: what a phone app does with a receipt, and all the objects that can have files."""

import hashlib
from typing import Any

import pytest

from ..attachments.making import a_bill, a_transaction, attached
from ..conftest import Client
from ..http.makers import a_budget, a_category, a_piggy_bank, a_tag, an_account
from .making import undone

FIELDS = {
    "created_at", "updated_at", "attachable_type", "attachable_id", "hash", "filename", "download_url", "upload_url",
    "title", "notes", "mime", "size",
}  # fmt: skip


def make(client: Client, **fields: Any) -> dict[str, Any]:
    answer = client.v6.post("/attachments", {"filename": "receipt.txt", **fields})
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["data"])


def upload(client: Client, thing: dict[str, Any], content: bytes, media_type: str = "application/octet-stream") -> Any:
    url = thing["attributes"]["upload_url"]
    return client.v6.request("POST", url, content=content, headers={"Content-Type": media_type})


def see(client: Client, path: str) -> dict[str, Any]:
    answer = client.v6.get(path)
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["data"]["attributes"])


@pytest.mark.parametrize(
    "media_type",
    ["application/octet-stream", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "image/png"],
)
def test_a_file_is_announced_uploaded_and_downloaded_at_the_addresses_of_the_answer(me, media_type):
    account_id = an_account(me)
    new = make(me, attachable_type="Account", attachable_id=account_id, title="Contract", notes="signed")

    empty = new["attributes"]
    assert set(empty) == FIELDS
    assert (empty["attachable_type"], empty["attachable_id"]) == ("Account", account_id)
    assert (empty["hash"], empty["mime"], empty["size"]) == ("", "", 0)
    base = f"http://farthing.example/v6/api/v1/attachments/{new['id']}"
    assert (empty["upload_url"], empty["download_url"]) == (f"{base}/upload", f"{base}/download")
    assert see(me, f"/attachments/{new['id']}") == empty, "it is there before its content"
    assert me.v6.get("/attachments").json()["data"] == []

    answer = upload(me, new, b"a text", media_type)

    assert (answer.status_code, answer.content) == (204, b"")
    [listed] = me.v6.get("/attachments").json()["data"]
    assert (listed["attributes"]["mime"], listed["attributes"]["size"]) == ("text/plain", 6)
    assert listed["attributes"]["hash"] == hashlib.md5(b"a text").hexdigest()
    file = me.v6.request("GET", empty["download_url"])
    assert (file.content, file.headers["content-type"]) == (b"a text", "application/octet-stream")
    assert me.v6.delete(f"/attachments/{new['id']}").status_code == 204
    assert me.v6.get(f"/attachments/{new['id']}").status_code == 404


def test_a_put_changes_only_what_it_names(me):
    new = make(me, attachable_type="Bill", attachable_id=a_bill(me), title="Contract", notes="signed")
    path = f"/attachments/{new['id']}"

    assert me.v6.put(path, {"notes": "void"}).status_code == 200
    assert {**see(me, path), "updated_at": ""} == {**new["attributes"], "notes": "void", "updated_at": ""}
    assert me.v6.put(path, {"title": ""}).json()["data"]["attributes"]["title"] is None
    assert me.v6.put(path, {"filename": ""}).status_code == 422


def test_the_file_of_a_split_belongs_to_its_transaction(me):
    second = a_transaction(me)
    entry_id, split_id = second["journal_id"], second["id"]

    new = make(me, attachable_type="TransactionJournal", attachable_id=split_id)
    upload(me, new, b"a receipt")

    assert new["attributes"]["attachable_id"] == split_id
    [old] = me.get(f"/transactions/{split_id}/attachments").json()["data"]
    assert (old["id"], str(old["attributes"]["attachable_id"])) == (new["id"], str(entry_id))
    from_old = attached(me, model="TransactionJournal", model_id=entry_id)
    first_id = see(me, f"/attachments/{from_old}")["attachable_id"]
    assert first_id != split_id, "without a split, it is shown with the first"
    assert first_id in [split["id"] for split in me.get(f"/transactions/{split_id}").json()["data"]]
    kept = {"filename": "receipt.txt", "model": "TransactionJournal", "model_id": entry_id, "notes": "old client"}
    assert me.put(f"/attachments/{new['id']}", kept).status_code == 200
    assert see(me, f"/attachments/{new['id']}")["attachable_id"] == split_id


@pytest.mark.parametrize("way", ["DELETE", "PUT"])
def test_the_file_of_a_deleted_split_stays_with_its_transaction(me, way):
    """A receipt is often for all splits, and whoever deletes one of them does not mean the receipt."""
    second = a_transaction(me)
    entry_id, split_id = second["journal_id"], second["id"]
    new = make(me, attachable_type="TransactionJournal", attachable_id=split_id)
    upload(me, new, b"a receipt")
    [staying] = {split["id"] for split in me.get(f"/transactions/{split_id}").json()["data"]} - {split_id}

    if way == "PUT":
        body = {"transactions": [{"transaction_journal_id": staying}]}
        assert me.v6.put(f"/transactions/{entry_id}", body).status_code == 200
    else:
        assert me.v6.delete(f"/transaction-journals/{split_id}").status_code == 204

    assert see(me, f"/attachments/{new['id']}")["attachable_id"] == staying
    undone(me)
    assert see(me, f"/attachments/{new['id']}")["attachable_id"] == split_id
    assert me.v6.request("GET", new["attributes"]["download_url"]).content == b"a receipt"


OWNERS = {
    "Account": ("accounts", an_account),
    "Bill": ("bills", a_bill),
    "Budget": ("budgets", a_budget),
    "Category": ("categories", a_category),
    "PiggyBank": ("piggy_banks", a_piggy_bank),
    "Tag": ("tags", a_tag),
}


LISTING = [("/accounts", "Account", an_account), ("/piggy-banks", "PiggyBank", a_piggy_bank)]


@pytest.mark.parametrize("model", OWNERS)
def test_a_file_goes_with_its_object_and_comes_back_with_it(me, model):
    folder, maker = OWNERS[model]
    object_id = maker(me)
    object_id = str(me.get(f"/{folder}/{object_id}").json()["data"]["id"])
    new = make(me, attachable_type=model, attachable_id=object_id)
    upload(me, new, b"a text")
    assert [one["id"] for one in me.get(f"/{folder}/{object_id}/attachments").json()["data"]] == [new["id"]]

    assert me.delete(f"/{folder}/{object_id}").status_code == 204

    assert me.v6.get(f"/attachments/{new['id']}").status_code == 404
    [change, *_] = me.get("/changes").json()["data"]
    assert "1 attachment" in change["attributes"]["summary"]
    assert me.post(f"/changes/{change['id']}/undo").status_code == 200
    assert see(me, f"/attachments/{new['id']}")["attachable_id"] == object_id
    assert me.v6.request("GET", new["attributes"]["download_url"]).content == b"a text"


@pytest.mark.parametrize(("folder", "model", "field"), [("categories", "Category", "name"), ("tags", "Tag", "tag")])
def test_files_move_to_the_object_into_which_theirs_is_merged(me, folder, model, field):
    first, second = (me.post(f"/{folder}", {field: name}).json()["data"]["id"] for name in ("one", "two"))
    new = make(me, attachable_type=model, attachable_id=first)

    assert me.post(f"/{folder}/{first}/merge", {"into_id": second}).status_code == 200

    assert see(me, f"/attachments/{new['id']}")["attachable_id"] == second


@pytest.mark.parametrize(
    ("wrong", "fields"),
    [
        ({"attachable_type": "ImportJob"}, ["attachable_type"]),
        ({"attachable_type": "Recurrence"}, ["attachable_type"]),
        ({"attachable_id": "999999"}, ["attachable_id"]),
        ({"attachable_type": "TransactionJournal", "attachable_id": "999999"}, ["attachable_id"]),
        ({"filename": ""}, ["filename"]),
    ],
)
def test_what_is_wrong_is_named(me, wrong, fields):
    body = {"filename": "a.txt", "attachable_type": "Account", "attachable_id": an_account(me), **wrong}

    answer = me.v6.post("/attachments", body)

    assert (answer.status_code, list(answer.json()["errors"])) == (422, fields)


@pytest.mark.parametrize(("path", "model", "maker"), LISTING)
def test_an_object_lists_its_files(me, path, model, maker):
    object_id = maker(me)
    new = make(me, attachable_type=f"FireflyIII\\Models\\{model}", attachable_id=object_id)
    upload(me, new, b"a text")

    listed = me.v6.get(f"{path}/{object_id}/attachments").json()

    assert [one["id"] for one in listed["data"]] == [new["id"]]
    assert listed["links"]["self"].startswith(f"http://farthing.example/v6/api/v1{path}/{object_id}/attachments?")
    if model == "Account":
        assert me.get(f"/accounts/{object_id}/dependents").json()["data"]["attachments"] == 1
