"""What happens to an import when the books change while it runs, or after."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from farthing.jobs.worker import JobKind, Worker, with_imports
from farthing.moving.import_jobs import queueing
from farthing.moving.import_runs.run import ImportRunner
from farthing.storage import blobs, queue
from farthing.storage.queue import Waiting

from ...conftest import World
from .making import a_csv, a_job, a_worker, an_account, balance, counts, imported, run, shown, transactions

ROWS = [f"2024-05-01,Shop,Row {number},-1" for number in range(100)]


def an_interrupted_worker(world: World, phase: str, turn: int, meanwhile: Callable[[], object]) -> Worker:
    """`meanwhile` happens once, after a part of the file was read and before it is booked."""
    kinds = dict(with_imports(world.settings))
    real, looks = kinds[queueing.RUN], []

    def look(db: Any, job: Any, now: str) -> Any:
        found = real.look(db, job, now)
        if job.data["phase"] == phase and not isinstance(found, Waiting):
            looks.append(1)
            if len(looks) == turn:
                meanwhile()
        return found

    kinds[queueing.RUN] = JobKind(look=look, write=real.write, give_up=real.give_up, close=real.close)
    return Worker(world.books, world.time.clock(), kinds)


@pytest.mark.parametrize("turn", [1, 2])
def test_an_account_that_is_deleted_meanwhile_fails_the_import_and_says_so(me, world, turn):
    account_id = an_account(me)
    job = a_job(me, a_csv(*ROWS), account_id=account_id)
    me.post(f"/import_jobs/{job['id']}/run")

    an_interrupted_worker(world, "booking", turn, lambda: me.delete(f"/accounts/{account_id}")).work_off()

    done = shown(me, job)
    assert (done["state"], transactions(me)) == ("failed", [])
    assert done["findings"][0]["message"] == "Choose the account that this file belongs to."


def test_the_rows_that_a_deleted_account_costs_a_partial_import_are_named(me, world):
    account_id = an_account(me)
    job = a_job(me, a_csv(*ROWS), account_id=account_id)
    me.post(f"/import_jobs/{job['id']}/run", {"partial": True})

    an_interrupted_worker(world, "booking", 2, lambda: me.delete(f"/accounts/{account_id}")).work_off()

    done = shown(me, job)
    assert (done["state"], counts(done)) == ("done", (100, 40, 0, 0, 60))
    assert [one["row"] for one in done["findings"]] == list(range(42, 102))


def test_an_account_that_is_renamed_meanwhile_is_still_the_one(me, world):
    account_id = an_account(me)
    job = a_job(me, a_csv(*ROWS[:10]), account_id=account_id)
    me.post(f"/import_jobs/{job['id']}/run")
    renamed = {"name": "Renamed", "type": "asset", "account_role": "defaultAsset", "active": True}

    an_interrupted_worker(world, "booking", 1, lambda: me.put(f"/accounts/{account_id}", renamed)).work_off()

    assert counts(shown(me, job)) == (10, 10, 0, 0, 0)
    assert balance(me, account_id) == -10


def test_an_import_that_is_given_up_leaves_nothing_behind(me, world):
    account_id = an_account(me)
    job = a_job(me, a_csv(*ROWS), account_id=account_id)
    me.post(f"/import_jobs/{job['id']}/run")

    def fail() -> None:
        raise RuntimeError("a bug")

    first = a_worker(world)
    while not counts(shown(me, job))[1]:
        assert first.turn()
    first.stop()
    assert counts(shown(me, job))[1] > 0
    for _ in range(queue.ATTEMPTS_MAX):
        worker = an_interrupted_worker(world, "booking", 1, fail)
        worker.work_off()
        worker.stop()
        world.time.now += timedelta(minutes=3)
    a_worker(world).work_off()

    done = shown(me, job)
    assert (done["state"], transactions(me)) == ("failed", [])
    assert "failed because of an internal error" in done["findings"][-1]["message"]


def test_a_reader_that_breaks_fails_the_import_at_once(me, world):
    job = a_job(me, a_csv(*ROWS), account_id=an_account(me))
    me.post(f"/import_jobs/{job['id']}/run")

    kinds = dict(with_imports(world.settings))
    broken = ImportRunner(blobs.connect(world.settings), "farthing.moving:there_is_no_such_function")
    kinds[queueing.RUN] = JobKind(look=broken.look, write=broken.write, give_up=broken.give_up, close=broken.close)
    Worker(world.books, world.time.clock(), kinds).work_off()

    done = shown(me, job)
    assert (done["state"], len(done["findings"])) == ("failed", 1)
    assert "failed because of an internal error" in done["findings"][0]["message"]


def test_the_start_of_an_import_undoes_all_of_it_and_what_was_before_cannot_be_undone(me, world):
    account_id = an_account(me)
    job = a_job(me, a_csv(*ROWS[:1]), account_id=account_id)
    me.put(f"/import_jobs/{job['id']}", {"options": {"partial": True}})
    run(world, me, job)

    changes = me.get("/changes").json()["data"]
    mine = [one for one in changes if one["attributes"]["doing"] in ("import_jobs.change", "import_jobs.start")]
    answers = [me.post(f"/changes/{one['id']}/undo") for one in reversed(mine)]

    assert [answer.status_code for answer in answers] == [409, 200]
    assert shown(me, job)["state"] == "undone"


def test_undoing_the_second_half_of_a_transfer_is_refused_when_the_transfer_was_changed(me, world):
    giro, savings = an_account(me, "Giro"), an_account(me, "Savings")
    imported(world, me, a_csv("2024-05-01,,To savings,-100"), account_id=giro)
    imported(world, me, a_csv("2024-05-01,,From giro,100"), account_id=savings)
    (transfer,) = transactions(me)
    split = {"source_id": giro, "destination_id": savings, "amount": 90, "currency_id": 1}
    me.put(
        f"/transactions/{transfer['id']}",
        {"type": "transfer", "date": "2024-05-01", "description": "Changed", "transactions": [split]},
    )

    job_id = me.get("/import_jobs").json()["data"][0]["id"]
    answer = me.post(f"/import_jobs/{job_id}/undo")

    assert answer.status_code == 409
    assert "“Changed” of 2024-05-01" in answer.json()["message"]
