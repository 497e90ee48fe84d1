"""PostgreSQL stops in the middle of everything and comes back: told clearly, nothing half done, no restart of ours."""

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from farthing.care.doctor import examine
from farthing.storage.drivers.postgres.pool import RETRY_EVERY_S

from ..cli.conftest import Server
from ..conftest import migrated
from ..length import LONG
from ..postgres import PostgresServer, start_postgres
from .clients import PATIENCE_SECONDS
from .household import Household
from .scribe import Scribe, assert_put_off
from .test_at_once import a_person
from .test_full_disk import jobs_of, workers_of
from .test_killed import alive, until

GONE = "The database is not answering"
FIRING_FAILS = "looking for recurrences that are due fails"
TIMES = 20 if LONG else 2
SCRIBES = 3


@pytest.fixture(scope="module")
def mortal() -> Iterator[PostgresServer]:
    """A server of this file alone: nobody else minds when it dies."""
    server = start_postgres()
    if server is None:
        pytest.skip("!!! PostgreSQL is not installed: nobody knows what happens when it dies")
    server.hurry()
    yield server
    server.die()  # a clean end would take its time
    server.stop()


@pytest.fixture
def household(mortal: PostgresServer, tmp_path: Path) -> Household:
    return Household(tmp_path, mortal.new_books()).found()


@pytest.mark.long
def test_a_restart_that_nobody_saw_costs_nothing_and_while_it_is_gone_everyone_is_told_at_once(mortal, household):
    with household.serving("--workers", "2") as server:
        household.move_in(server)
        restart_unseen(mortal, household)
        recurrence_id = household.recur("2024-05-16")
        household.record()
        jobs_of(server)
        before, failures = alive(server.process.pid), household.told(FIRING_FAILS)

        mortal.die()
        household.set_clock("2024-05-18T12:00:00+00:00")
        began = time.monotonic()
        with ThreadPoolExecutor(8) as pool:
            for answer in pool.map(lambda number: household.record(key=f"later{number}"), range(100)):
                household.assert_put_off(answer, GONE, 5)
            for path in ["/accounts", "/transactions", "/health"] * 10:
                household.assert_put_off(household.get(path), GONE, 5)
        assert time.monotonic() - began < 60
        mortal.come_back()

        until_all_are_back(lambda: household.record().status == 200)
        until(lambda: len(household.fired(recurrence_id)) == 3, "the job process did not come back")
        for number in range(100):
            assert household.record(key=f"later{number}").status == 200
        household.assert_all_is_there(besides=3)
        assert alive(server.process.pid) == before, server.log.read_text()
        assert 1 <= household.told("writing to the database fails") <= 2  # once for each worker
        assert household.told(FIRING_FAILS) <= failures + 1
        assert server.stop() == 0
    assert household.terminal.says("doctor").startswith("No problems")


def restart_unseen(mortal: PostgresServer, household: Household) -> None:
    until_its_use_is_noted(household)
    for _ in range(20):
        assert household.record().status == 200  # both workers are connected

    mortal.come_back()

    for _ in range(20):
        assert household.record().status == 200
        household.assert_reads_go_on()
    household.assert_all_is_there()
    household.told("")


def until_all_are_back(is_one: Callable[[], bool]) -> None:
    """Each worker looks for the database once in a second; the other one may have looked just before it came back."""
    until(is_one, "it did not come back")
    time.sleep(1.1 * RETRY_EVERY_S)


def until_its_use_is_noted(household: Household) -> None:
    """A worker notes it a second after the first request, and in the middle of a restart would find no database."""
    with migrated(household.url, household.folder / "data") as database:

        def is_noted() -> bool:
            with database.reading() as db:
                return bool(db.value("SELECT 1 FROM tokens WHERE last_used_at IS NOT NULL LIMIT 1"))

        until(is_noted, "its use was not noted")


@pytest.mark.long
def test_whoever_is_started_meanwhile_waits_for_the_database_and_stops_when_told(mortal, household):
    with household.serving("--workers", "2") as server:
        household.move_in(server)
        recurrence_id = household.recur("2024-05-16")
        mortal.die()
        victims = workers_of(server) | jobs_of(server)
        for one in victims:
            os.kill(one, signal.SIGKILL)
        until(lambda: len(workers_of(server) - victims) == 2, "no other workers came")
        until(lambda: household.told("a worker waits for the database") >= 2, "they did not look for the database")
        until(lambda: household.told("the job process waits for the database") == 1, "nor did the job process")
        time.sleep(1.5)  # and look again, without a word
        waiting = jobs_of(server)

        household.set_clock("2024-05-18T12:00:00+00:00")
        mortal.come_back()

        until(lambda: answers(household), "the workers did not come back")
        until(lambda: len(household.fired(recurrence_id)) == 3, "the job process did not come back")
        household.assert_all_is_there(besides=3)
        assert jobs_of(server) == waiting != set()
        assert household.told("the job process ended") == 1
        assert 1 <= household.told("a worker waits for the database") <= 4
        assert_stops_while_all_wait(mortal, household, server)


def assert_stops_while_all_wait(mortal: PostgresServer, household: Household, server: Server) -> None:
    mortal.die()
    try:
        for one in jobs_of(server):
            os.kill(one, signal.SIGKILL)
        for number in range(10):
            household.assert_put_off(household.record(key=f"later{number}"), GONE, 5)
        until(lambda: household.told("the job process waits for the database") == 2, "it does not look for it")
        waited = household.told("a worker waits for the database")
        for one in workers_of(server):
            os.kill(one, signal.SIGKILL)
        until(lambda: household.told("a worker waits for the database") == waited + 2, "nor do the workers")

        assert server.stop() == 0

        assert household.told("killed by signal") == 2  # each time by us
    finally:
        mortal.come_back()


def answers(household: Household) -> bool:
    try:
        return household.record().status == 200
    except OSError:
        return False


@pytest.mark.long
def test_whatever_it_was_doing_when_the_database_died_is_done_or_not_but_never_half(mortal, tmp_path):
    """The writers are those of the torture; this time it is the database that is killed."""
    household = Household(tmp_path, mortal.new_books())
    chance = random.Random(1)
    with migrated(household.url, tmp_path / "data") as database:
        scribes = [
            Scribe(f"w{one}", a_person(database, f"ann{one}@farthing.example").tokens[0], 1, is_owner=one == 0)
            for one in range(SCRIBES)
        ]
    with household.serving("--workers", "2") as server:
        for scribe in scribes:
            scribe.begin(server.port)
        for _ in range(TIMES):
            die_meanwhile(mortal, scribes, server.port, chance.uniform(0.2, 2))
            until_all_are_back(lambda: scribes[0].asked(server.port, "/accounts").status == 200)
            for scribe in scribes:
                scribe.settle(server.port)
                scribe.replay(server.port, 5)
                scribe.read_files(server.port)
        assert server.stop() == 0
        assert "Traceback" not in server.log.read_text(), server.log.read_text()
    with migrated(household.url, tmp_path / "data") as database:
        assert list(examine(database)) == []
    assert sum(scribe.counts["put off"] for scribe in scribes) >= TIMES


def die_meanwhile(mortal: PostgresServer, scribes: list[Scribe], port: int, after: float) -> None:
    stopped = threading.Event()
    with ThreadPoolExecutor(SCRIBES) as pool:
        writing = [pool.submit(scribe.write_until, port, stopped) for scribe in scribes]
        time.sleep(after)
        mortal.die()
        for one in writing:  # each is put off, and stops by itself
            one.result(timeout=PATIENCE_SECONDS)
    assert_put_off(scribes[0].asked(port, "/accounts"))
    mortal.come_back()
