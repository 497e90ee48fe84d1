"""What fibers ask PostgreSQL: without BEGIN and COMMIT, in one snapshot, on connections that are kept at hand."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from farthing.errors import Unavailable
from farthing.storage import connection
from farthing.storage.postgres import PostgresDatabase

from .things import PATIENCE_S, names, read, write

OURS = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


async def until(holds: Callable[[], bool]) -> None:
    """Of what comes by itself, while the loop goes on."""
    for _ in range(int(PATIENCE_S / 0.02)):
        if holds():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not come")


def test_all_that_is_asked_together_is_of_one_moment(database, elsewhere, on_loop):
    def look() -> list[list[str]]:
        with database.reading() as db:
            before = names(db)
            elsewhere.execute("INSERT INTO things (id, name) VALUES (2, 'two')")
            return [before, names(db)]

    async def begin() -> list[list[str]]:
        return [*await database.run(look), await database.run(read, database)]

    assert on_loop(begin) == [["one"], ["one"], ["one", "two"]]


def test_the_moment_ends_with_the_last_answer_though_nobody_waits_for_it(database, elsewhere, on_loop):
    async def begin() -> None:
        await database.run(read, database)
        # Whoever still looked at it would keep what is deleted from being cleared away.
        held = f"SELECT count(*) {OURS} AND (state <> 'idle' OR backend_xmin IS NOT NULL)"
        await until(lambda: elsewhere.execute(held).fetchone() == (0,))

    on_loop(begin)


def test_fibers_read_and_write_in_turns_on_the_same_connection(database, on_loop):
    async def begin() -> list[list[str]]:
        found = []
        for number in range(2, 6):
            await database.run(write, database, number, f"name{number}")
            found.append(await database.run(read, database))
            found.append(await database.run(read, database))
        return found

    found = on_loop(begin)
    assert [len(one) for one in found] == [2, 2, 3, 3, 4, 4, 5, 5]


def test_many_at_once_get_each_their_own_answer(database, on_loop):
    def look(number: int) -> tuple[int, int]:
        with database.reading() as db:
            return db.value("SELECT :number::bigint", number=number), db.value("SELECT :other::bigint", other=number)

    async def begin() -> list[tuple[int, int]]:
        return list(await asyncio.gather(*(database.run(look, number) for number in range(200))))

    assert on_loop(begin) == [(number, number) for number in range(200)]


EVERYTHING: list[tuple[str, dict[str, Any]]] = [
    ("SELECT :n + 1, -:n", {"n": 2**40}),
    ("SELECT :text || '%', :text", {"text": "50 % of 'it': a::b, :n, $1"}),
    ("SELECT CAST(:none AS BIGINT), CAST(:none AS TEXT)", {"none": None}),
    ("SELECT id FROM things WHERE id IN :ids ORDER BY id", {"ids": [1, 2, 3]}),
    ("SELECT id FROM things WHERE id IN :ids", {"ids": []}),
    ("SELECT id FROM things WHERE name IN :names AND id IN :ids", {"names": ["one", "two"], "ids": [1]}),
    ("SELECT CAST(:yes AS BOOLEAN), 1 = 2", {"yes": True}),
    ("SELECT CAST(:data AS BYTEA)", {"data": b"\x00\xff"}),
    ("SELECT SUM(n), AVG(n) FROM generate_series(1, :many) AS n", {"many": 5000}),
    ("SELECT n, repeat('x', 100) FROM generate_series(1, :many) AS n", {"many": 3000}),
    ("SELECT id FROM things WHERE id = :id", {"id": 77}),
]


def test_what_is_asked_is_answered_as_in_a_transaction(database, on_loop):
    def everything() -> list[list[Any]]:
        with database.reading() as db:
            return [db.all(sql, **parameters) for sql, parameters in EVERYTHING]

    async def begin() -> list[list[Any]]:
        first = await database.run(everything)
        assert await database.run(everything) == first, "with plans that are there already"
        return first

    assert on_loop(begin) == everything()


def test_a_question_that_fails_spoils_its_unit_and_nobody_elses(database, on_loop):
    def fail(sql: str) -> None:
        with database.reading() as db:
            assert names(db) == ["one"]
            with pytest.raises(psycopg.Error):
                db.all(sql, by=0)
            with pytest.raises(psycopg.Error):
                names(db)

    def fail_at_once(sql: str) -> None:
        with pytest.raises(psycopg.Error), database.reading() as db:
            db.all(sql, by=0)

    async def begin() -> list[str]:
        for sql in ("SELECT 1 / :by", "SELECT nothing FROM nowhere", "SELECT :by FROM"):
            for failing in (fail, fail_at_once):
                await database.run(failing, sql)
                assert await database.run(read, database) == ["one"]
        await database.run(write, database, 2, "two")
        return await database.run(read, database)

    assert on_loop(begin) == ["one", "two"]


def test_plans_are_made_once_and_not_without_end(database, on_loop, monkeypatch):
    monkeypatch.setattr(connection, "_PLANS_MAX", 3)

    def look() -> set[str]:
        with database.reading() as db:
            for number in range(20):
                assert db.value(f"SELECT :number + {number % 5}", number=number) == number + number % 5
            return {one for (one,) in db.all("SELECT name FROM pg_prepared_statements WHERE name <> ''")}

    async def begin() -> list[set[str]]:
        return [await database.run(look) for _ in range(3)]

    ours = {f"farthing_{number}" for number in range(3)}
    assert [{one for one in found if one.startswith("farthing_")} for found in on_loop(begin)] == [ours] * 3


def test_what_ended_while_it_rested_costs_nobody_an_answer(database, elsewhere, on_loop):
    def kill() -> int:
        return len(elsewhere.execute(f"SELECT pg_terminate_backend(pid) {OURS}").fetchall())

    async def begin() -> list[str]:
        for _ in range(3):
            await database.run(read, database)
            assert kill()
            assert await database.run(read, database) == ["one"], "before the loop has heard of it"
            assert kill()
            await asyncio.sleep(0.1)
            assert await database.run(read, database) == ["one"], "after it has"
            assert kill()
            await asyncio.sleep(0.1)
            with database.reading() as db:  # somebody without a fiber
                assert names(db) == ["one"]
        return await database.run(read, database)

    assert on_loop(begin) == ["one"]


def test_what_has_grown_old_does_not_rest_again(database, on_loop, monkeypatch):
    async def begin() -> None:
        await database.run(read, database)
        assert len(database._connections._resting) == 1
        monkeypatch.setattr(connection.Connection, "is_old", True)
        assert await database.run(read, database) == ["one"]
        assert database._connections._resting == [], "the pool looks how old it is"

    on_loop(begin)


def test_when_the_database_goes_away_while_all_rest_threads_hear_of_it_as_well(postgres_server, database, url, on_loop):
    """They would wait in the pool for another connection, and there will be none."""
    name = urlsplit(url).path[1:]

    def shut() -> None:
        with psycopg.connect(postgres_server.server.get_uri(), autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])

    async def begin() -> None:
        await database.run(read, database)
        shut()
        await asyncio.sleep(0.2)
        with pytest.raises(Unavailable):
            await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(None, read, database), PATIENCE_S)

    on_loop(begin)


def test_what_rests_is_no_loss_to_threads_and_goes_back_when_it_is_not_needed(database, on_loop):
    def hold_both() -> list[str]:
        with database.writing() as db, database.reading() as other:
            assert names(other) == ["one"]
            return names(db)

    async def begin() -> list[str]:
        await asyncio.gather(*(database.run(read, database) for _ in range(2)))
        return await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(None, hold_both), PATIENCE_S)

    assert on_loop(begin) == ["one"]


def test_one_loop_after_the_other_and_several_at_once_ask_the_same_database(url):
    """A server has one; tests that speak to the app without a server have as many as they have requests."""
    database = PostgresDatabase(url, connections_max=8)

    def look(number: int) -> int:
        with database.reading() as db:
            assert db.value("SELECT :number::bigint", number=number) == number
            found: int = db.value("SELECT :number + 1", number=number)
            return found

    async def several(first: int) -> list[int]:
        return [await database.run(look, number) for number in range(first, first + 20)]

    def on_a_loop_of_its_own(first: int) -> list[int]:
        return asyncio.run(several(first))

    try:
        with ThreadPoolExecutor(4) as threads:
            for first, found in enumerate(threads.map(on_a_loop_of_its_own, range(40))):
                assert found == list(range(first + 1, first + 21))
        assert [on_a_loop_of_its_own(first)[0] for first in range(5)] == [1, 2, 3, 4, 5]
    finally:
        database.close()
