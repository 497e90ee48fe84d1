"""Imports move with the books: their rows are known again, their mappings serve again, and they can be undone."""

import io
import json
from typing import Any
from zipfile import ZipFile

import pytest

from farthing.care.doctor import examine_user
from farthing.kernel.clock import stamp
from farthing.moving.findings import Unreadable
from farthing.storage import blobs

from ...conftest import Client, World
from ...sharing.people import member_of
from ..exports.making import exported
from ..import_jobs.making import (
    a_csv,
    a_job,
    an_account,
    balance,
    counts,
    imported,
    outcomes,
    preview,
    run,
    shown,
    transactions,
)
from .loading import load_archive
from .making import Members, packed

HEADER = "Booked,Who,What,Out of it"
ROWS = ("2024-05-02,Bakery,Bread,2.10", "2024-05-03,Kiosk,News,3")
MAPPING = {"columns": {"date": 0, "payee": 1, "description": 2, "amount": 3}, "invert": True}


def members(world: World, client: Client) -> Members:
    content = exported(world.books, client.user.id, "json", blobs.connect(world.settings))
    with ZipFile(io.BytesIO(content)) as file:
        return {name: file.read(name) for name in file.namelist()}


def bring(world: World, client: Client, of: Members) -> None:
    load_archive(
        world.books,
        blobs.connect(world.settings),
        client.user.id,
        io.BytesIO(packed(of)),
        stamp(world.time.now),
    )


def accounts(client: Client) -> dict[str, str]:
    found = client.get("/accounts", type="all").json()["data"]
    return {one["attributes"]["name"]: one["id"] for one in found}


def faults(world: World, client: Client) -> list[Any]:
    with world.books.reading() as db:
        return list(examine_user(db, client.user.id))


def changed(of: Members, **fields: Any) -> Members:
    """With other fields in the first job."""
    [first, *rest] = of["import_jobs.jsonl"].splitlines(keepends=True)
    line = json.dumps(json.loads(first) | fields).encode() + b"\n"
    return {**of, "import_jobs.jsonl": b"".join([line, *rest])}


def test_what_was_imported_is_known_in_the_other_books_and_can_be_undone_there(world):
    ann, ben = world.someone(), world.someone()
    account = an_account(ann)
    imported(world, ann, a_csv(*ROWS, header=HEADER), account_id=account, mapping=MAPPING)
    bring(world, ben, members(world, ann))
    [job] = ben.get("/import_jobs").json()["data"]

    file = a_csv(*ROWS, "2024-05-04,Kiosk,Ice,1", header=HEADER)
    again = a_job(ben, file, account_id=accounts(ben)["Checking"])

    assert again["attributes"]["mapping"]["invert"] is True
    assert outcomes(preview(ben, again)) == ["duplicate", "duplicate", "new"]
    undone = ben.post(f"/import_jobs/{job['id']}/undo")
    assert undone.status_code == 200, undone.text
    assert transactions(ben) == []
    assert accounts(ben).keys() == {"Cash account", "Checking"}
    assert faults(world, ben) == []
    assert len(transactions(ann)) == 2


def test_a_transfer_of_two_imports_becomes_what_it_was_in_the_other_books_too(world):
    ann, ben = world.someone(), world.someone()
    giro, savings = an_account(ann, "Giro"), an_account(ann, "Savings")
    imported(world, ann, a_csv("2024-05-01,Me,To savings,-100"), account_id=giro)
    imported(world, ann, a_csv("2024-05-01,Me,From giro,100"), account_id=savings)
    bring(world, ben, members(world, ann))
    [second, _] = ben.get("/import_jobs").json()["data"]

    undone = ben.post(f"/import_jobs/{second['id']}/undo")

    assert undone.status_code == 200, undone.text
    assert [(one["type"], one["destination_name"]) for one in transactions(ben)] == [("Withdrawal", "Me")]
    assert (balance(ben, accounts(ben)["Giro"]), balance(ben, accounts(ben)["Savings"])) == (-100, 0)
    assert faults(world, ben) == []


def test_an_import_that_was_running_can_be_run_again_in_the_other_books(world):
    ann, ben = world.someone(), world.someone()
    job = a_job(ann, a_csv("2024-05-02,Bakery,Bread,-2.10"), account_id=an_account(ann))
    assert ann.post(f"/import_jobs/{job['id']}/run").status_code == 200
    bring(world, ben, members(world, ann))
    [brought] = ben.get("/import_jobs").json()["data"]

    assert brought["attributes"]["state"] == "failed"
    assert counts(run(world, ben, brought)) == (1, 1, 0, 0, 0)


def test_an_archive_that_came_from_an_archive_says_that_it_cannot_be_undone(world):
    ann, ben, carl = world.someone(), world.someone(), world.someone()
    imported(world, ann, a_csv("2024-05-02,Bakery,Bread,-2.10"), account_id=an_account(ann))
    imported(world, ben, packed(members(world, ann)), filename="archive.zip")
    bring(world, carl, members(world, ben))
    jobs = carl.get("/import_jobs").json()["data"]
    [own] = [one for one in jobs if one["attributes"]["format"] == "farthing"]

    refused = carl.post(f"/import_jobs/{own['id']}/undo")

    assert refused.status_code == 409
    assert "log of changes does not reach back" in refused.text
    assert len(transactions(carl)) == 1


def test_an_archive_from_before_imports_were_in_it_still_comes_in(world):
    ann, ben = world.someone(), world.someone()
    imported(world, ann, a_csv("2024-05-02,Bakery,Bread,-2.10"), account_id=an_account(ann))
    of = members(world, ann)
    [row] = [json.loads(line) for line in of["import_rows.jsonl"].splitlines()]
    row.pop("import_job_id")
    of["import_rows.jsonl"] = json.dumps(row | {"job": 0}).encode() + b"\n"
    manifest = json.loads(of["farthing.json"])
    for name in ("import_jobs", "import_objects", "attachments"):
        del of[f"{name}.jsonl"], manifest["counts"][name]
    of["farthing.json"] = json.dumps(manifest).encode()

    bring(world, ben, of)

    job = a_job(ben, a_csv("2024-05-02,Bakery,Bread,-2.10"), account_id=accounts(ben)["Checking"])
    assert outcomes(preview(ben, job)) == ["duplicate"]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"state": "running"}, "state: must be one of"),
        ({"mapping": {"columns": {}, "delimiter": "xyz"}}, "mapping.delimiter: The delimiter must be"),
        ({"mapping": {}}, "mapping: Object missing required field `columns`"),
        ({"format": "ofx", "mapping": {"encoding": 5}}, "mapping: may have only date_order and encoding"),
        ({"options": {"rows": [1]}}, "options: Expected `object`"),
        ({"findings": [{}]}, "findings: Object missing required field `message`"),
        ({"file_ids": ["a"]}, "file_ids: Expected `int`"),
        ({"detected": {"rows": 3}}, "detected: Expected `array`"),
        ({"report": {"differences": [{}]}}, "report: Object missing required field `account_id`"),
        ({"account_id": 10**9}, "account_id: 1000000000 is not in accounts.jsonl"),
    ],
    ids=lambda one: next(iter(one)) if isinstance(one, dict) else "",
)
@pytest.mark.any_database
def test_a_job_that_is_wrong_is_named(world, fields, sentence):
    ann, ben = world.someone(), world.someone()
    a_job(ann, a_csv("2024-05-02,Bakery,Bread,-2.10"), account_id=an_account(ann))

    with pytest.raises(Unreadable) as refused:
        bring(world, ben, changed(members(world, ann), **fields))

    assert sentence in str(refused.value)
    assert str(refused.value).startswith("import_jobs.jsonl, line 1: ")


@pytest.mark.any_database
def test_a_job_without_files_or_of_a_format_that_is_not_known_fails_with_a_sentence(world):
    ann, ben = world.someone(), world.someone()
    a_job(ann, a_csv("2024-05-02,Bakery,Bread,-2.10"), account_id=an_account(ann))
    bring(world, ben, changed(members(world, ann), file_ids=[], format="teletext", mapping={}))
    [job] = ben.get("/import_jobs").json()["data"]

    assert ben.post(f"/import_jobs/{job['id']}/preview").status_code < 500
    assert ben.post(f"/import_jobs/{job['id']}/run").status_code == 409
    assert shown(ben, job)["files"] == []


def test_a_bookkeeper_neither_brings_an_archive_into_the_books_of_another_nor_takes_one_back(world):
    """It brings preferences along, and all accounts would go with it."""
    ann, ben = world.someone(), world.someone()
    imported(world, ann, a_csv("2024-05-02,Bakery,Bread,-2.10"), account_id=an_account(ann))
    bookkeeper = member_of(world, ben, "bookkeeper")
    job = a_job(bookkeeper, packed(members(world, ann)), "archive.zip")
    assert job["attributes"]["format"] == "farthing"

    assert bookkeeper.post(f"/import_jobs/{job['id']}/run").status_code == 403
    run(world, ben, job)
    assert bookkeeper.post(f"/import_jobs/{job['id']}/undo").status_code == 403
    assert member_of(world, ben, "full").post(f"/import_jobs/{job['id']}/undo").status_code == 200
