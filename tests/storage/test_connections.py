"""Connections to PostgreSQL: fibers share them, threads get theirs, and lost ones are replaced."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from time import monotonic
from urllib.parse import urlsplit

import psycopg
import pytest

from farthing.kernel.errors import Misconfigured, Unavailable
from farthing.storage.drivers.postgres.database import PostgresDatabase
from farthing.storage.drivers.postgres.pool import Pool
from farthing.storage.unit import Unit

from .things import PATIENCE_S, add, names, read

OURS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


async def until(holds: Callable[[], bool]) -> None:
    for _ in range(int(PATIENCE_S / 0.02)):
        if holds():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not come")


def test_a_snapshot_ends_with_its_read_although_nobody_waits_for_the_commit(database, elsewhere, on_loop):
    """A snapshot that stays keeps PostgreSQL from removing deleted rows."""

    async def begin() -> None:
        await database.read(names)
        held = f"SELECT count(*) {OURS} AND (state <> 'idle' OR backend_xmin IS NOT NULL)"
        await until(lambda: elsewhere.execute(held).fetchone() == (0,))

    on_loop(begin)


def test_fibers_read_and_write_in_turns_on_the_same_connection(database, on_loop):
    def look(db: Unit) -> tuple[int, int]:
        return len(names(db)), db.value("SELECT pg_backend_pid()")

    async def begin() -> list[tuple[int, int]]:
        found = []
        for number in range(2, 6):
            await database.write(partial(add, number, f"name{number}"))
            found.append(await database.read(look))
        return found

    counts, backends = zip(*on_loop(begin), strict=True)
    assert counts == (2, 3, 4, 5)
    assert len(set(backends)) == 1


def test_many_at_once_get_each_their_own_answer(database, on_loop):
    def look(number: int, db: Unit) -> tuple[int, int]:
        return db.value("SELECT :number::bigint", number=number), db.value("SELECT :other::bigint", other=number)

    async def begin() -> list[tuple[int, int]]:
        return list(await asyncio.gather(*(database.read(partial(look, number)) for number in range(200))))

    assert on_loop(begin) == [(number, number) for number in range(200)]


def test_a_connection_that_was_lost_while_idle_fails_nothing(database, elsewhere, on_loop):
    def kill() -> int:
        return len(elsewhere.execute(f"SELECT pg_terminate_backend(pid) {OURS}").fetchall())

    def is_gone() -> bool:
        return elsewhere.execute(f"SELECT 1 {OURS}").fetchone() is None

    async def begin() -> list[str]:
        for number in range(2, 4):
            await database.read(names)
            assert kill()
            assert await database.read(names), "before the loop has noticed"
            assert kill()
            await until(is_gone)
            await database.write(partial(add, number, f"name{number}"))  # after it has
            assert kill()
            await until(is_gone)
            assert read(database), "outside of fibers"
        return await database.read(names)

    assert on_loop(begin) == ["one", "name2", "name3"]


def test_several_at_once_wait_for_the_new_connection_after_all_were_lost(database, elsewhere, url, on_loop):
    """Only the first of them tries to connect. Another that failed meanwhile would tell its user of an outage."""
    pool = PostgresDatabase(url, connections_max=16)

    async def begin() -> list[list[str]]:
        await pool.read(names)
        elsewhere.execute(f"SELECT pg_terminate_backend(pid) {OURS}")
        return await asyncio.gather(*(pool.read(names) for _ in range(8)))

    try:
        assert on_loop(begin) == [["one"]] * 8
    finally:
        pool.close()


def test_threads_notice_as_well_that_the_database_is_gone(postgres_server, database, url, on_loop):
    """Otherwise they would wait in the pool for a connection that never comes."""
    name = urlsplit(url).path[1:]

    def shut() -> None:
        with psycopg.connect(postgres_server.server.get_uri(), autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])

    async def begin() -> None:
        await database.read(names)
        shut()
        with pytest.raises(Unavailable):
            await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(None, read, database), PATIENCE_S)

    on_loop(begin)


def test_a_database_whose_state_could_not_be_found_out_is_asked_again(postgres_server, url):
    """An error other than the driver's once ended the search for frozen servers, for as long as the program ran."""
    name = urlsplit(url).path[1:]
    with psycopg.connect(postgres_server.server.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}_latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    pool = Pool(url.replace(name, f"{name}_latin"), 2, prepare=True)

    try:
        for _ in range(2):
            with pytest.raises(Misconfigured):
                pool.check(monotonic())
    finally:
        pool.close()


def test_connections_that_fibers_keep_come_back_to_threads(database, on_loop):
    def hold_both() -> list[str]:
        with database.writing() as db, database.reading() as other:
            assert names(other) == ["one"]
            return names(db)

    async def begin() -> list[str]:
        await asyncio.gather(*(database.read(names) for _ in range(2)))
        return await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(None, hold_both), PATIENCE_S)

    assert on_loop(begin) == ["one"]


def test_several_event_loops_use_the_same_database(url):
    """A server has one; tests that call the app without a server have one for each request."""
    database = PostgresDatabase(url, connections_max=8)

    def look(number: int, db: Unit) -> int:
        assert db.value("SELECT :number::bigint", number=number) == number
        found: int = db.value("SELECT :number + 1", number=number)
        return found

    async def several(first: int) -> list[int]:
        return [await database.read(partial(look, number)) for number in range(first, first + 20)]

    def on_a_loop_of_its_own(first: int) -> list[int]:
        return asyncio.run(several(first))

    try:
        with ThreadPoolExecutor(4) as threads:
            for first, found in enumerate(threads.map(on_a_loop_of_its_own, range(40))):
                assert found == list(range(first + 1, first + 21))
        assert [on_a_loop_of_its_own(first)[0] for first in range(5)] == [1, 2, 3, 4, 5]
    finally:
        database.close()
