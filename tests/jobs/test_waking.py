"""The job process is woken when there is something to do; when it cannot be, it looks by itself."""

import threading
import time

import pytest

from farthing.care.watch import presence
from farthing.care.watch.waking import StopFlag, make_waker, sleeping
from farthing.kernel.clock import stamp
from farthing.storage import queue

pytestmark = pytest.mark.any_database
_LONG_S = 60.0


def test_any_process_of_the_house_wakes_it_and_a_byte_too_many_does_no_harm(tmp_path):
    with presence.mark_server(tmp_path), sleeping(StopFlag()) as sleeper:
        wake = make_waker(tmp_path)
        for _ in range(100_000 // 4096 * 2 + 100):
            wake()
        began = time.monotonic()

        sleeper.wait(_LONG_S)
        threading.Timer(0.05, wake).start()
        sleeper.wait(_LONG_S)

        assert time.monotonic() - began < _LONG_S / 2

    wake()  # nobody sleeps there any more


def test_a_command_beside_the_server_wakes_it_as_well(tmp_path, monkeypatch):
    with presence.mark_server(tmp_path), sleeping(StopFlag()) as sleeper:
        monkeypatch.delenv(presence.VARIABLE)
        make_waker(tmp_path)()
        began = time.monotonic()

        sleeper.wait(_LONG_S)

        assert time.monotonic() - began < _LONG_S / 2
        monkeypatch.setenv(presence.VARIABLE, "")


def test_a_signal_wakes_it_and_then_it_sleeps_no_more(tmp_path):
    stopped = StopFlag()
    with presence.mark_server(tmp_path), sleeping(stopped) as sleeper:
        stopped.set()
        sleeper.wake()
        sleeper.wait(_LONG_S)


def test_without_a_folder_of_the_server_it_waits_as_long_as_it_is_told(tmp_path):
    stopped = StopFlag()
    with sleeping(stopped) as sleeper:
        make_waker(tmp_path)()
        sleeper.wake()
        stopped.set()
        sleeper.wait(_LONG_S)


def test_a_unit_of_work_knows_that_it_has_something_for_the_job_process(world, me):
    with world.books.writing() as db:
        assert not db.has_new_jobs
        queue.add(db, me.user.id, "tests.nothing", 7, {}, stamp(world.time.now))
        assert db.has_new_jobs
