"""Does an import that waits for room on a full disk say so, and go on by itself?"""

import errno
from threading import Event

import pytest

from farthing.care.watch import presence, room
from farthing.jobs.process import _work_off
from farthing.jobs.worker import JobKind, Worker
from farthing.kernel.clock import stamp
from farthing.kernel.errors import DiskFull
from farthing.storage import queue
from farthing.storage.outages import Outages
from farthing.storage.queue import JobProgress

from .making import a_csv, a_job, an_account

NO_ROOM = "The disk of the server is full. The import continues as soon as there is room."


@pytest.fixture
def sign(world):
    with presence.mark_server(world.settings.data), room.making_sign() as made:
        yield made


def ask(me, path, tag=None):
    return me.request("GET", path, headers={"If-None-Match": tag} if tag else {})


def test_a_running_import_says_that_it_waits_for_room_also_to_whoever_has_read_it_before(me, sign):
    done = a_job(me, a_csv("2024-05-02,Bakery,Bread,-2.50"), account_id=an_account(me))
    job = a_job(me, a_csv("2024-05-01,Bakery,Bread,-2.50"), account_id=an_account(me, "Savings"))
    me.post(f"/import_jobs/{job['id']}/run")
    for path in (f"/import_jobs/{job['id']}", "/import_jobs"):
        before = ask(me, path)

        sign.show()

        told = ask(me, path, before.headers["etag"])
        [shown] = [one for one in as_list(told) if one["id"] == job["id"]]
        assert shown["attributes"]["findings"][0]["message"] == NO_ROOM
        assert shown["attributes"]["findings"][0]["rejected"] is False
        assert ask(me, path, told.headers["etag"]).status_code == 304
        assert all(one["attributes"]["findings"] == [] for one in as_list(told) if one["id"] == done["id"])
        sign.hide()
        assert as_list(ask(me, path, told.headers["etag"])) == as_list(before)
        assert ask(me, path, before.headers["etag"]).status_code == 304


def as_list(answer):
    assert answer.status_code == 200, answer.text
    data = answer.json()["data"]
    return data if isinstance(data, list) else [data]


@pytest.mark.parametrize("error", [DiskFull("no room"), OSError(errno.ENOSPC, "no room")], ids=["database", "file"])
def test_the_job_process_shows_that_it_waits_and_loses_no_job(world, me, sign, error):
    errors = [error, error]

    def look(*_):
        if errors:
            raise errors.pop()

    kind = JobKind(look=look, write=lambda _db, job, *_: JobProgress(data=job.data, more=False))
    worker = Worker(world.books, world.time.clock(), {"tests.room": kind})
    now = stamp(world.time.now)
    with world.books.writing() as db:
        queue.add(db, me.user.id, "tests.room", 1, {}, now)

    waits = []
    for _ in range(3):
        _work_off(worker, Event(), Outages(), sign)
        waits.append(room.is_waited_for(world.settings.data))

    assert waits == [True, True, False]
    with world.books.reading() as db:
        status = queue.find_last(db, me.user.id, "tests.room", 1)
    assert (status.failure, status.finished_at) == (None, now)


def test_whoever_waited_and_was_killed_waits_no_more(world):
    with presence.mark_server(world.settings.data):
        with room.making_sign() as sign:
            sign.show()
            assert room.is_waited_for(world.settings.data)
        assert not room.is_waited_for(world.settings.data)
