"""PostgreSQL stands still, as on a machine that swaps or a line that swallows everything: nobody waits for it."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from farthing.kernel.errors import Unavailable
from farthing.storage.drivers.postgres.database import PostgresDatabase
from farthing.storage.drivers.postgres.fibers import SILENT_S
from farthing.storage.unit import Unit

from ..conftest import migrated
from ..needs import or_skip
from ..pgbouncer import find_pgbouncer, pooled
from ..postgres import PostgresServer, start_postgres
from .household import Household
from .test_killed import until

GONE = "The database is not answering"
MANY = 25  # more than there are connections


@pytest.fixture(scope="module")
def mortal() -> Iterator[PostgresServer]:
    server = start_postgres()
    if server is None:
        pytest.skip("!!! PostgreSQL is not installed: nobody knows what happens when it freezes")
    server.hurry()
    yield server
    server.die()
    server.stop()


@contextmanager
def frozen(postgres: PostgresServer) -> Iterator[None]:
    process = postgres.server.get_postmaster_info().process
    everyone = [process, *process.children(recursive=True)]
    for one in everyone:
        os.kill(one.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for one in everyone:
            os.kill(one.pid, signal.SIGCONT)


def timed(work, *given):
    began = time.monotonic()
    return work(*given), time.monotonic() - began


def test_a_frozen_database_puts_everyone_off_within_five_seconds_and_comes_back(mortal, tmp_path: Path):
    household = Household(tmp_path, mortal.new_books()).found()
    with household.serving() as server, ThreadPoolExecutor(2 * MANY) as pool:
        household.move_in(server)
        recurrence_id = household.recur("2024-05-16")
        household.record()
        with frozen(mortal):
            household.set_clock("2024-05-18T12:00:00+00:00")
            large = {"transactions": [household.withdrawal("large")]}
            waiting = [pool.submit(timed, household.record, None, "", f"later{number}") for number in range(MANY)]
            waiting += [pool.submit(timed, household.get, path) for path in ["/accounts", "/transactions"] * 5]
            waiting += [pool.submit(timed, household.post, "/transactions/bulk", large, "large")]
            ready, took = timed(household.get, "/readyz")
            household.assert_put_off(ready, GONE, 5)
            assert took < 5
            assert server.ask("GET", "/livez").status_code == 200
            for one in waiting:
                answer, took = one.result()
                household.assert_put_off(answer, GONE, 5)
                assert took < 5
            for _ in range(3):
                answer, took = timed(household.record)
                household.assert_put_off(answer, GONE, 5)
                assert took < 5

        until(lambda: household.get("/readyz").status == 200, "it did not come back")
        for number in range(MANY):  # what was carried out meanwhile is not carried out again
            answer = household.record(f"word{1 + number}", key=f"later{number}")
            if answer.is_replay:
                household.recorded.append(answer.document["data"][0]["attributes"]["description"])
        until(lambda: len(household.fired(recurrence_id)) == 3, "the job process did not come back")
        household.assert_all_is_there(besides=3)
        household.told("")
        assert server.stop() == 0
    assert household.terminal.says("doctor").startswith("No problems")


def test_a_database_that_is_alive_may_take_its_time(mortal, tmp_path: Path):
    async def read_both() -> list[int]:
        return await asyncio.gather(database.read(sleep), database.read(sleep, large=True))

    with migrated(mortal.new_books(), tmp_path) as database:
        assert asyncio.run(read_both()) == [1, 1]


def sleep(db: Unit) -> int:
    return int(db.value("SELECT 1 FROM (SELECT pg_sleep(:seconds)) AS slept", seconds=2.2 * SILENT_S))


def test_a_pooler_that_still_accepts_connections_deceives_nobody(mortal):
    with (
        pooled(or_skip(find_pgbouncer(), "pgbouncer"), mortal, backends=3) as url,
        closing(PostgresDatabase(url, connections_max=3, prepare=False)) as database,
    ):
        for large in (False, True):
            assert asyncio.run(database.read(look, large=large)) == 1
            with frozen(mortal):
                began = time.monotonic()
                with pytest.raises(Unavailable):
                    asyncio.run(database.read(look, large=large))
                assert time.monotonic() - began < 5
            until(lambda: is_back(database), "it did not come back")


def look(db: Unit) -> int:
    return int(db.value("SELECT 1"))


def is_back(database: PostgresDatabase) -> bool:
    try:
        return asyncio.run(database.read(look)) == 1
    except Unavailable:
        return False
