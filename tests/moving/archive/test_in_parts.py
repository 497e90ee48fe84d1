"""An archive comes in by short units of work, and is one change all the same."""

import io
from typing import Any
from zipfile import ZipFile

import pytest

from farthing.care.doctor import examine_user
from farthing.jobs.worker import JobKind, Worker, with_imports
from farthing.moving.import_jobs import queueing
from farthing.moving.import_runs.run import ImportRunner
from farthing.storage import blobs

from ...accounts.making import asset, made
from ...changes.as_shown import differences
from ...changes.following import Follower, list_all
from ...conftest import Client, World
from ...transactions.making import withdrawal
from ..exports.making import exported
from ..import_jobs.making import a_job, counts, shown, transactions
from .making import Members, packed

NUMBER = 130


@pytest.fixture
def archive(world) -> Members:
    """So many transactions that they come in by several steps, and a file at the end."""
    ann = world.someone()
    account_id = made(ann, asset(name="Checking"))
    answer = ann.post("/transactions/bulk", {"transactions": [withdrawal(account_id)] * NUMBER})
    assert answer.status_code == 200, answer.text
    journal_id = transactions(ann)[0]["journal_id"]
    body = {"filename": "receipt.txt", "model": "TransactionJournal", "model_id": journal_id}
    file_id = ann.post("/attachments", body).json()["data"]["id"]
    assert ann.request("POST", f"/attachments/{file_id}/upload", content=b"paid").status_code == 204
    content = exported(world.books, ann.user.id, "json", blobs.connect(world.settings))
    with ZipFile(io.BytesIO(content)) as file:
        return {name: file.read(name) for name in file.namelist()}


def a_slow_worker(world: World) -> Worker:
    """A step in each unit of work."""
    runner = ImportRunner(blobs.connect(world.settings), held_s=0)
    kinds = dict(with_imports(world.settings))
    kinds[queueing.RUN] = JobKind(look=runner.look, write=runner.write, give_up=runner.give_up, close=runner.close)
    return Worker(world.books, world.time.clock(), kinds)


def a_run(world: World, client: Client, members: Members, *, dies: bool) -> dict[str, Any]:
    """The worker dies when the first transactions are there; another takes over."""
    job = a_job(client, packed(members), "archive.zip")
    assert client.post(f"/import_jobs/{job['id']}/run").status_code == 200
    mortal = a_slow_worker(world)
    while dies and not counts(shown(client, job))[1]:
        assert mortal.turn()
    mortal.stop()
    return job


def faults(world: World, client: Client) -> list[Any]:
    with world.books.reading() as db:
        return list(examine_user(db, client.user.id))


def test_a_worker_that_dies_on_the_way_doubles_nothing_and_all_of_it_is_undone_as_one(world, archive):
    ben = world.someone()
    job = a_run(world, ben, archive, dies=True)
    assert 0 < counts(shown(ben, job))[1] < NUMBER, "it was on the way"

    a_slow_worker(world).work_off()

    done = shown(ben, job)
    assert (done["state"], counts(done)[:2]) == ("done", (NUMBER, NUMBER)), done["findings"]
    assert len(transactions(ben)) == NUMBER
    assert faults(world, ben) == []
    assert ben.post(f"/import_jobs/{job['id']}/undo").status_code == 200
    assert transactions(ben) == []
    assert [one["attributes"]["name"] for one in ben.get("/accounts").json()["data"]] == ["Cash account"]
    assert faults(world, ben) == []


def test_one_that_is_wrong_at_its_end_leaves_nothing(world, archive):
    ben = world.someone()
    wrong = archive["attachments.jsonl"].replace(b'"size":4', b'"size":5')
    assert wrong != archive["attachments.jsonl"]
    job = a_run(world, ben, {**archive, "attachments.jsonl": wrong}, dies=False)

    worker, left = a_slow_worker(world), []
    while worker.turn():
        left.append(len(transactions(ben)))

    done = shown(ben, job)
    assert (done["state"], transactions(ben)) == ("failed", [])
    assert [one for one in left[left.index(NUMBER) :] if 0 < one < NUMBER] == [80, 30], "taken back some at a time"
    assert "do not match its content" in done["findings"][0]["message"]
    assert faults(world, ben) == []


def test_what_was_changed_meanwhile_stays_when_it_fails(world, archive):
    ben = world.someone()
    wrong = archive["attachments.jsonl"].replace(b'"size":4', b'"size":5')
    job = a_run(world, ben, {**archive, "attachments.jsonl": wrong}, dies=True)
    one = transactions(ben)[0]
    assert ben.put(f"/transactions/{one['id']}", withdrawal(one["source_id"], description="Mine")).status_code == 200

    a_slow_worker(world).work_off()

    done = shown(ben, job)
    assert done["state"] == "failed"
    assert "something was changed since" in done["findings"][0]["message"]
    assert "Mine" in {one["description"] for one in transactions(ben)}
    assert faults(world, ben) == []


@pytest.mark.parametrize("dies", [True, False])
def test_whoever_follows_the_changes_is_told_of_all_that_is_taken_back(world, archive, dies):
    ben = world.someone()
    followers = [(1, Follower(ben, limit=20)), (3, Follower(ben)), (7, Follower(ben, limit=50))]
    wrong = archive["attachments.jsonl"].replace(b'"size":4', b'"size":5')
    job = a_run(world, ben, archive if dies else {**archive, "attachments.jsonl": wrong}, dies=dies)

    for _, follower in followers:
        follower.follow()
    worker, turns, most = a_slow_worker(world), 0, 0
    while worker.turn():
        turns += 1
        for every, follower in followers:
            if turns % every == 0:
                follower.follow()
        most = max(most, sum(kind == "transactions" for kind, _ in followers[0][1].copy))
        assert differences(list_all(ben), followers[0][1].copy) == []
    if dies:
        assert ben.post(f"/import_jobs/{job['id']}/undo").status_code == 200

    assert most == NUMBER
    assert transactions(ben) == []
    for _, follower in followers:
        follower.follow()
        assert differences(list_all(ben), follower.copy) == []
    started = next(
        one for one in ben.get("/changes").json()["data"] if one["attributes"]["doing"] == "import_jobs.start"
    )
    shown_undo = ben.get(f"/changes/{started['id']}/undo").json()["data"]
    assert [one for one in shown_undo["counts"] if one["kind"] == "transactions" and one["made"]] == []
    assert faults(world, ben) == []
