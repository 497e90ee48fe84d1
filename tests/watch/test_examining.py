"""Once a day the books are examined by themselves, in a process of its own; what was found is kept."""

import os
import subprocess
import sys
from datetime import timedelta

import pytest

from farthing.jobs.examining import Examiner
from farthing.storage import installation
from farthing.storage.installation import BOOKS, Checkup

from ..conftest import NOW, MovingClock


class Begun:
    """Stands in for a process."""

    def __init__(self) -> None:
        self.code = None
        self.terminated = False

    def poll(self):
        return self.code

    def terminate(self):
        self.terminated, self.code = True, -15

    def wait(self):
        return self.code


@pytest.fixture
def time():
    return MovingClock()


@pytest.fixture
def begun():
    return []


@pytest.fixture
def examiner(new_database, time, begun):
    def begin():
        begun.append(Begun())
        return begun[-1]

    return Examiner(new_database, time.clock(), begin)


def found(books, at):
    with books.writing() as db:
        installation.store_checkup(db, BOOKS, Checkup(at.isoformat(), 0))


def test_not_at_the_start_but_soon_after(examiner, time, begun):
    examiner.turn()
    assert begun == []

    time.now += timedelta(minutes=11)
    examiner.turn()
    assert len(begun) == 1


def test_of_several_servers_one_examines_the_books_and_another_takes_over_after_an_hour(new_database, time, begun):
    def begin():
        begun.append(Begun())
        return begun[-1]

    examiners = [Examiner(new_database, time.clock(), begin) for _ in range(3)]
    for minutes, expected in ((11, 1), (11, 1), (50, 2)):
        time.now += timedelta(minutes=minutes)
        for one in examiners:
            one.turn()
        assert len(begun) == expected, "the first one stands still all the time"


def test_one_at_a_time_and_once_a_day(new_database, examiner, time, begun):
    time.now += timedelta(minutes=11)
    examiner.turn()
    time.now += timedelta(days=3)
    examiner.turn()
    assert len(begun) == 1, "the first still runs"

    begun[0].code = 0
    found(new_database, time.now)
    time.now += timedelta(hours=23)
    examiner.turn()
    assert len(begun) == 1, "it was examined today, here or by another server"

    time.now += timedelta(hours=2)
    examiner.turn()
    assert len(begun) == 2


def test_a_clock_that_is_set_back_puts_nothing_off(new_database, examiner, time, begun):
    found(new_database, time.now)
    time.now -= timedelta(days=3)

    examiner.turn()

    assert len(begun) == 1


def test_when_the_jobs_stop_it_stops(examiner, time, begun):
    time.now += timedelta(minutes=11)
    examiner.turn()

    examiner.stop()

    assert begun[0].terminated


def examined(world):
    ours = {name: text for name, text in os.environ.items() if not name.startswith("FARTHING_")}
    told = {"FARTHING_DATABASE_URL": world.settings.database_url, "FARTHING_DATA": str(world.settings.data)}
    done = subprocess.run(
        [sys.executable, "-m", "farthing.care.doctor"], env=ours | told, capture_output=True, text=True, check=False
    )
    with world.books.reading() as db:
        return done, installation.load_checkups(db)[BOOKS]


def test_what_is_found_is_kept_and_logged(new_world):
    new_world.someone("ann@example.org")
    done, kept = examined(new_world)
    assert (done.returncode, done.stderr, kept.problems) == (0, "", 0)

    with new_world.books.writing() as db:
        db.run("DELETE FROM preferences WHERE name = 'timezone'")
    done, kept = examined(new_world)

    assert (done.returncode, kept.problems) == (1, 1)
    assert "ann@example.org" in done.stderr
    assert kept.at > NOW.isoformat()
