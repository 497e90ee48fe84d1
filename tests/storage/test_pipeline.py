"""What PostgreSQL is told, by fibers and by threads: in a pipeline, where each answer has to reach who asked for it."""

import asyncio
import gc
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from farthing.errors import ReadOnly, Unavailable
from farthing.storage.postgres import PostgresDatabase
from farthing.storage.unit import Clash, Unit

from .things import PATIENCE_S, names, read, write

ADD = "INSERT INTO things (id, name) VALUES (:id, :name) RETURNING name"


def test_who_only_reads_writes_nothing(database, on_loop):
    def change(how: Callable[[Unit], Any]) -> None:
        with database.reading() as db:
            how(db)

    async def begin() -> list[str]:
        with pytest.raises(AssertionError):
            await database.run(change, lambda db: db.run("DELETE FROM things"))
        for sql in (
            "DELETE FROM things RETURNING id",
            "WITH gone AS (DELETE FROM things RETURNING id) SELECT id FROM gone",
        ):
            with pytest.raises(ReadOnly):
                await database.run(change, lambda db, sql=sql: db.all(sql))
            with pytest.raises(ReadOnly):  # in a thread
                change(lambda db, sql=sql: db.all(sql))
        return await database.run(read, database)

    assert on_loop(begin) == ["one"]


def test_what_the_server_ends_by_itself_is_told_as_such(database, done):
    def be_idle(db: Unit) -> None:
        db.run("SET LOCAL idle_in_transaction_session_timeout = 50")
        with db.savepoint():
            time.sleep(0.5)

    def work() -> list[str]:
        with pytest.raises(Unavailable), database.writing() as db:
            be_idle(db)
        return read(database)

    assert done(work) == ["one"]


def test_a_database_that_its_owner_made_read_only_stays_so(url, database, elsewhere):
    elsewhere.execute(f"ALTER DATABASE {urlsplit(url).path[1:]} SET default_transaction_read_only = on")
    guest = PostgresDatabase(url, connections_max=2)
    try:
        assert read(guest) == ["one"]
        with pytest.raises(ReadOnly):
            write(guest, 2, "two")
        assert read(guest) == ["one"]
    finally:
        guest.close()


@pytest.fixture(params=["fiber", "thread"])
def done(request: pytest.FixtureRequest, database: PostgresDatabase) -> Callable[..., Any]:
    """Work on the database, by a fiber and by a thread."""
    if request.param == "thread":
        return lambda work: work()
    return lambda work: asyncio.run(_in_a_fiber(database, work))


async def _in_a_fiber(database: PostgresDatabase, work: Callable[[], Any]) -> Any:
    return await asyncio.wait_for(asyncio.ensure_future(database.run(work)), PATIENCE_S)


def test_one_of_many_that_fails_takes_back_only_what_its_savepoint_holds(database, done):
    """Those sent behind it were never carried out, and their answers are nobody else's."""

    def work() -> list[str]:
        with database.writing() as db:
            db.run("INSERT INTO things (id, name) VALUES (2, 'two')")
            for clashing in (1, 30, 59):
                rows = [{"id": 1 if number == clashing else 100 + number, "name": "no"} for number in range(60)]
                with pytest.raises(Clash), db.savepoint():
                    db.many_returning(ADD, rows)
                assert names(db) == ["one", "two"]
            assert db.many_returning(ADD, [{"id": 3, "name": "three"}, {"id": 4, "name": None}]) == [
                ("three",),
                (None,),
            ]
            assert db.many_returning(ADD, []) == []
        return read(database)

    assert done(work) == ["one", "two", "three", None]
    assert read(database) == ["one", "two", "three", None]


def test_one_of_many_that_fails_leaves_nothing_of_its_unit(database, done):
    def work() -> list[str]:
        with pytest.raises(Clash), database.writing() as db:
            db.many_returning(ADD, [{"id": number, "name": "no"} for number in (5, 1, 6, 7)])
        with pytest.raises(psycopg.errors.InFailedSqlTransaction), database.writing() as db:
            go_on_regardless(db)
        return read(database)

    def go_on_regardless(db: Unit) -> None:
        with pytest.raises(Clash):
            db.run("INSERT INTO things (id, name) VALUES (1, 'no')")
        db.run("INSERT INTO things (id, name) VALUES (5, 'no')")

    assert done(work) == ["one"]


def test_what_cannot_be_sent_is_nobody_elses_trouble(database, done):
    """Nothing of it had been said yet, and behind the unit before it there is a sync to be heard."""

    def work() -> list[int]:
        lines = [read(database, line)]
        for way in (database.reading, database.writing):
            with pytest.raises(psycopg.ProgrammingError), way() as db:
                db.all("SELECT :value", value=object())
            lines.append(read(database, line))
        with pytest.raises(KeyError), database.writing() as db:
            db.many_returning(ADD, [{"id": 2, "name": "two"}, {"id": 3}])
        return [*lines, read(database, line)]

    def line(db: Unit) -> int:
        found: int = db.value("SELECT pg_backend_pid()")
        return found

    assert len(set(done(work))) == 1, "it was not hung up"
    assert read(database) == ["one"]


def test_more_than_fits_into_the_line_goes_both_ways(database, done):
    """Whoever only wrote would wait for the other, who waits to be read."""
    rows = [{"id": 10 + number, "name": f"{number} " + "x" * 5000} for number in range(4000)]

    def work() -> list[Any]:
        with database.writing() as db:
            return db.many_returning(ADD, rows)

    assert done(work) == [(row["name"],) for row in rows]


def test_whatever_is_left_out_it_is_the_same_plan(database, done):
    """One for each choice of what may be NULL would be thousands."""
    setting = "UPDATE things SET name = :name WHERE id = :id + CAST(:a AS BIGINT) + CAST(:b AS BIGINT) + :c::BIGINT"
    choices = list(product((None, "x"), (None, 1), (None, 2), (None, 3)))

    def work() -> int:
        with database.writing() as db:
            for name, *numbers in choices * 2:
                db.run(setting, name=name, id=5, **dict(zip("abc", numbers, strict=True)))
            found: int = db.value("SELECT COUNT(*) FROM pg_prepared_statements WHERE statement LIKE 'UPDATE things%'")
            return found

    assert done(work) <= 5


def test_many_rows_with_their_nulls_anywhere_have_few_plans(database, done):
    inserting = "INSERT INTO things (id, name, a, b) VALUES (:id, 'x', :a, :b)"

    def work() -> tuple[int, int]:
        with database.writing() as db:
            db.run("ALTER TABLE things ADD COLUMN a BIGINT, ADD COLUMN b BIGINT")
            for batch in range(30):
                numbers = range(10 + 10 * batch, 20 + 10 * batch)
                rows = [
                    {"id": one, "a": one if one % 11 == 0 else None, "b": one if one % 7 else None} for one in numbers
                ]
                db.many(inserting, rows)
            planned = db.value("SELECT COUNT(*) FROM pg_prepared_statements WHERE statement LIKE 'INSERT%, a, b)%'")
            return planned, db.value("SELECT SUM(a) + SUM(b) FROM things")

    whole = range(10, 310)
    assert done(work) == (8, sum(one for one in whole if one % 11 == 0) + sum(one for one in whole if one % 7))


def test_a_plan_that_fits_its_table_no_more_is_in_the_way_once_at_most(database, elsewhere, done):
    def work() -> list[str]:
        assert read(database) == ["one"]
        elsewhere.execute("ALTER TABLE things ALTER COLUMN name TYPE VARCHAR(9)")
        with suppress(Unavailable):
            read(database)
        return read(database)

    assert done(work) == ["one"]


COUNTING = "SELECT n, :text FROM generate_series(1, CAST(:many AS BIGINT)) AS n"


def test_rows_are_streamed_and_whoever_stops_early_can_begin_another(database, done):
    """A fiber's questions have no cursor: there its unit writes, too."""

    def work() -> tuple[int, int]:
        with database.writing() as db:
            for row in db.stream(COUNTING, text="a", many=100_000):
                assert row == (1, "a")
                break
            with pytest.raises(psycopg.errors.DivisionByZero), db.savepoint():
                list(db.stream("SELECT 1 / (n - 3000) FROM generate_series(1, 5000) AS n"))
            return db.value("SELECT 1"), sum(number for number, _ in db.stream(COUNTING, text="b", many=5000))

    assert done(work) == (1, 12_502_500)


def test_streams_may_be_read_side_by_side_and_end_in_any_order(database, done):
    def work() -> list[int]:
        with database.writing() as db:
            long, short = (db.stream(COUNTING, text="x", many=many) for many in (5000, 2))
            seen = [next(long)[0], next(short)[0], *(one for one, _ in short)]
            third = db.stream(COUNTING, text="x", many=3)
            return [*seen, next(third)[0], len(list(long)), len(list(third))]

    assert done(work) == [1, 1, 2, 1, 4999, 2]


def test_a_stream_that_somebody_still_holds_disturbs_nobody(database, done):
    """As the traceback of an error does, which may be looked at while others are at work on that connection."""

    def begin_and_fail(db: Unit) -> None:
        rows = db.stream(COUNTING, text="x", many=5000)
        for _row in rows:
            raise ZeroDivisionError

    def work() -> list[str]:
        with pytest.raises(ZeroDivisionError) as first, database.writing() as db:
            begin_and_fail(db)
        with database.writing() as db:
            db.run("INSERT INTO things (id, name) VALUES (2, 'two')")
            del first
            gc.collect()
            with pytest.raises(ZeroDivisionError) as second, db.savepoint():
                begin_and_fail(db)
            del second
            gc.collect()
            db.run("INSERT INTO things (id, name) VALUES (3, 'three')")
        return read(database)

    assert done(work) == ["one", "two", "three"]


def test_when_a_unit_is_over_nothing_more_is_said_with_it(database, done):
    def work() -> list[str]:
        for way in (database.reading, database.writing):
            with way() as db:
                assert names(db) == ["one"]
                left = db.stream("SELECT name FROM things")
            for late in (names, lambda _db, left=left: list(left), lambda db: db.run("DELETE FROM things")):
                with pytest.raises(AssertionError):
                    late(db)
        return read(database)

    assert done(work) == ["one"]


def test_whoever_is_interrupted_leaves_nobody_the_answer_they_waited_for(database, monkeypatch):
    def interrupt(*_given: object) -> int:
        raise KeyboardInterrupt

    def be_interrupted(db: Unit) -> None:
        assert db.value("SELECT 1") == 1
        with monkeypatch.context() as patched:
            patched.setattr("farthing.storage.fibers.ready", interrupt)
            db.value("SELECT pg_sleep(0.2)")

    for way in (database.reading, database.writing):
        with pytest.raises(KeyboardInterrupt), way() as db:
            be_interrupted(db)
        assert read(database) == ["one"]


def test_a_connection_that_dies_under_many_statements_is_told_of_once(database, on_loop, monkeypatch, caplog):
    """The driver means to end what it had begun, on a connection that is no more, and would print a traceback."""
    unheard: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", unheard.append)

    def write_many() -> None:
        with database.writing() as db:
            victim = db.value("SELECT pg_backend_pid()")
            rows = [{"id": number, "pid": victim if number == 4 else 0} for number in range(2, 2000)]
            adding = "INSERT INTO things (id, name) VALUES (:id, CAST(pg_terminate_backend(CAST(:pid AS INT)) AS TEXT))"
            db.many_returning(f"{adding} RETURNING id", rows)

    async def begin() -> list[str]:
        with pytest.raises(Unavailable):
            await database.run(write_many)
        return await database.run(read, database)

    assert on_loop(begin) == ["one"]
    gc.collect()
    assert unheard == []
    assert caplog.messages == []
