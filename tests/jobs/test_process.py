"""The job process as a process: killed in the middle of its work, it loses nothing."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from farthing.care.doctor import examine
from farthing.jobs.worker import HELD_FOR

from ..bills.making import asset, made, stored
from ..bills.test_claim import count_linked, recorded
from ..conftest import NOW, World

PATIENCE_S = 60


@pytest.fixture
def clock(tmp_path: Path) -> Path:
    file = tmp_path / "now"
    file.write_text(NOW.isoformat())
    return file


@contextmanager
def working(world: World, clock: Path) -> Iterator[subprocess.Popen[bytes]]:
    ours = {name: text for name, text in os.environ.items() if not name.startswith("FARTHING_")}
    settings = {
        "DATABASE_URL": world.settings.database_url,
        "DATA": world.settings.data,
        "TEST_CLOCK": clock,
        "TESTING": 1,
    }
    environment = ours | {f"FARTHING_{name}": str(value) for name, value in settings.items()}
    process = subprocess.Popen([sys.executable, "-m", "farthing.jobs"], env=environment)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def until(true: Callable[[], bool]) -> None:
    begun = time.monotonic()
    while not true():
        assert time.monotonic() - begun < PATIENCE_S
        time.sleep(0.01)


def test_killed_in_the_middle_of_its_work_it_loses_nothing(new_world: World, clock: Path) -> None:
    me = new_world.someone()
    recorded(new_world, me, made(me, asset()), 1500)
    bill = stored(me)
    with working(new_world, clock) as killed:
        until(lambda: count_linked(new_world, bill) > 0)
        killed.kill()
        killed.wait()
    assert 0 < count_linked(new_world, bill) <= 1000

    clock.write_text((NOW + HELD_FOR + timedelta(seconds=1)).isoformat())
    with working(new_world, clock) as heir:
        until(lambda: count_linked(new_world, bill) == 1000 and not waiting(new_world))
        heir.terminate()
        assert heir.wait(PATIENCE_S) == 0

    assert list(examine(new_world.books)) == []


def waiting(world: World) -> bool:
    with world.books.reading() as db:
        return bool(db.value("SELECT 1 FROM jobs WHERE finished_at IS NULL"))


@pytest.mark.any_database
def test_told_to_stop_it_leaves_its_job_to_the_next_at_once(new_world: World, clock: Path) -> None:
    me = new_world.someone()
    recorded(new_world, me, made(me, asset()), 1500)
    bill = stored(me)
    with working(new_world, clock) as stopped:
        until(lambda: count_linked(new_world, bill) > 0)
        stopped.terminate()
        assert stopped.wait(PATIENCE_S) == 0
    linked = count_linked(new_world, bill)

    with working(new_world, clock):
        until(lambda: not waiting(new_world))

    assert (linked <= 1000, count_linked(new_world, bill)) == (True, 1000)
