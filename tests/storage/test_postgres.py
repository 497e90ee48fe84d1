"""PostgreSQL's driver: transactions, failures, prepared statements, streams; in fibers and in threads."""

import gc
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import product
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from farthing.kernel.errors import Locked, Misconfigured, ReadOnly, Unavailable
from farthing.storage.drivers.postgres import connection
from farthing.storage.drivers.postgres.database import PostgresDatabase
from farthing.storage.unit import Clash, Unit

from .things import PATIENCE_S, names, read, write

ADD = "INSERT INTO things (id, name) VALUES (:id, :name) RETURNING name"
COUNT = "SELECT n, :text FROM generate_series(1, CAST(:many AS BIGINT)) AS n"
PLANS = "SELECT statement FROM pg_prepared_statements"
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


def backend(db: Unit) -> int:
    found: int = db.value("SELECT pg_backend_pid()")
    return found


def test_a_database_that_is_not_in_utf8_is_refused(url, postgres_server):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE in_ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'")

    with pytest.raises(Misconfigured, match="encoded in SQL_ASCII, but Farthing needs UTF8"):
        PostgresDatabase(postgres_server.server.get_uri(database="in_ascii"), connections_max=1)


def test_fibers_threads_and_a_database_without_prepared_statements_give_the_same_answers(url, database, do):
    def ask(asked: PostgresDatabase) -> list[list[Any]]:
        with asked.reading() as db:
            return [db.all(sql, **parameters) for sql, parameters in EVERYTHING]

    plain = PostgresDatabase(url, connections_max=2, prepare=False)
    try:
        expected = ask(plain)
        assert read(plain, lambda db: db.all(PLANS)) == []
    finally:
        plain.close()

    assert do(lambda: ask(database)) == expected
    assert do(lambda: ask(database)) == expected, "with plans that exist already"


def test_a_read_sees_one_snapshot_and_the_next_read_another(database, elsewhere, do):
    def look() -> list[list[str]]:
        with database.reading() as db:
            before = names(db)
            elsewhere.execute("INSERT INTO things (id, name) VALUES (2, 'two')")
            return [before, names(db)]

    assert do(look) == [["one"], ["one"]]
    assert do(lambda: read(database)) == ["one", "two"]


def test_a_read_writes_nothing(database, do):
    def change(sql: str) -> None:
        with pytest.raises(ReadOnly), database.reading() as db:
            db.all(sql)

    do(lambda: change("DELETE FROM things RETURNING id"))
    do(lambda: change("WITH gone AS (DELETE FROM things RETURNING id) SELECT id FROM gone"))

    assert read(database) == ["one"]


def test_a_database_that_its_owner_made_read_only_stays_so(url, database, elsewhere):
    elsewhere.execute(f"ALTER DATABASE {urlsplit(url).path[1:]} SET default_transaction_read_only = on")
    guest = PostgresDatabase(url, connections_max=2)
    try:
        with pytest.raises(ReadOnly):
            write(guest, 2, "two")
        assert read(guest) == ["one"]
    finally:
        guest.close()


def test_a_connection_that_the_server_closes_is_reported_as_unavailable(database, do, elsewhere):
    def be_idle(db: Unit) -> None:
        backend = db.value("SELECT pg_backend_pid()")
        db.run("SET LOCAL idle_in_transaction_session_timeout = 50")
        deadline = time.monotonic() + PATIENCE_S
        with db.savepoint():
            while elsewhere.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [backend]).fetchone():
                assert time.monotonic() < deadline, "the server did not close it"
                time.sleep(0.01)

    def work() -> list[str]:
        with pytest.raises(Unavailable), database.writing() as db:
            be_idle(db)
        return read(database)

    assert do(work) == ["one"]


def test_one_failing_row_of_many_takes_back_only_what_its_savepoint_holds(database, do):
    def work() -> list[str]:
        with database.writing() as db:
            db.run("INSERT INTO things (id, name) VALUES (2, 'two')")
            for clashing in (1, 30, 59):
                rows = [{"id": 1 if number == clashing else 100 + number, "name": "no"} for number in range(60)]
                with pytest.raises(Clash), db.savepoint():
                    db.many_returning(ADD, rows)
                assert names(db) == ["one", "two"]
            added = db.many_returning(ADD, [{"id": 3, "name": "three"}, {"id": 4, "name": None}])
            assert added == [("three",), (None,)]
            assert db.many_returning(ADD, []) == []
        return read(database)

    assert do(work) == ["one", "two", "three", None]


def test_a_failed_statement_leaves_nothing_of_its_unit_and_is_never_taken_for_done(database, do):
    """PostgreSQL answers the COMMIT of a failed transaction with a ROLLBACK, as if nothing were wrong."""

    def fail_and_ignore_it(db: Unit) -> None:
        db.run("INSERT INTO things (id, name) VALUES (2, 'no')")
        db.run("INSERT INTO things (id, name) VALUES (1, 'no')")
        with pytest.raises(Clash):
            db.flush()

    def fail_and_go_on(db: Unit) -> None:
        fail_and_ignore_it(db)
        db.run("INSERT INTO things (id, name) VALUES (5, 'no')")

    def look_and_write(number: int, name: str) -> None:
        with database.writing() as db:
            assert names(db) == ["one"]
            db.run("INSERT INTO things (id, name) VALUES (:id, :name)", id=number, name=name)

    def work() -> list[str]:
        with pytest.raises(AssertionError), database.writing() as db:
            fail_and_ignore_it(db)
        with pytest.raises(psycopg.errors.InFailedSqlTransaction), database.writing() as db:
            fail_and_go_on(db)
        with pytest.raises(Clash), database.writing() as db:
            db.run("INSERT INTO things (id, name) VALUES (1, 'no')")
        with pytest.raises(Clash):
            look_and_write(1, "no")
        return read(database)

    assert do(work) == ["one"]


def test_a_failed_read_spoils_its_unit_and_nobody_elses(database, do):
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

    def work() -> list[str]:
        for sql in ("SELECT 1 / :by", "SELECT nothing FROM nowhere", "SELECT :by FROM"):
            for failing in (fail, fail_at_once):
                with suppress(psycopg.Error):
                    failing(sql)
                assert read(database) == ["one"]
        write(database, 2, "two")
        return read(database)

    assert do(work) == ["one", "two"]


def test_a_commit_that_fails_leaves_a_usable_connection(database, do):
    def work() -> list[str]:
        with database.writing() as db:
            db.run("CREATE TABLE parts (id BIGINT REFERENCES things (id) DEFERRABLE INITIALLY DEFERRED)")
        with pytest.raises(Clash), database.writing() as db:
            db.run("INSERT INTO parts (id) VALUES (:id)", id=7)
        write(database, 2, "two")
        return read(database)

    assert do(work) == ["one", "two"]


def test_a_value_that_cannot_be_sent_fails_alone_and_costs_no_connection(database, do):
    def work() -> list[int]:
        backends = [read(database, backend)]
        for way in (database.reading, database.writing):
            with pytest.raises(psycopg.ProgrammingError), way() as db:
                db.all("SELECT :value", value=object())
            backends.append(read(database, backend))
        with pytest.raises(KeyError), database.writing() as db:
            db.many_returning(ADD, [{"id": 2, "name": "two"}, {"id": 3}])
        return [*backends, read(database, backend)]

    assert len(set(do(work))) == 1
    assert read(database) == ["one"]


def test_more_rows_than_the_socket_buffers_hold_go_both_ways(database, do):
    """If neither side read while it writes, both would wait for ever."""
    rows = [{"id": 10 + number, "name": f"{number} " + "x" * 5000} for number in range(4000)]

    def work() -> list[Any]:
        with database.writing() as db:
            return db.many_returning(ADD, rows)

    assert do(work) == [(row["name"],) for row in rows]


def test_a_statement_has_few_plans_whichever_of_its_values_are_null(database, do):
    setting = "UPDATE things SET name = :name WHERE id = :id + CAST(:a AS BIGINT) + CAST(:b AS BIGINT) + :c::BIGINT"
    adding = "INSERT INTO things (id, name) SELECT :id, 'x' WHERE :a + 1 > 2"
    choices = list(product((None, "x"), (None, 1), (None, 2), (None, 3)))

    def work() -> int:
        with database.writing() as db:
            for name, *numbers in choices * 2:
                db.run(setting, name=name, id=5, **dict(zip("abc", numbers, strict=True)))
            db.many(adding, [{"id": 50, "a": None}, {"id": 51, "a": 2**40}, {"id": 52, "a": None}])
            assert db.value("SELECT COUNT(*) FROM things") == 2, "a plan made for a NULL takes any number later"
            return len([one for (one,) in db.all(PLANS) if one.startswith("UPDATE things")])

    assert do(work) <= 5


def test_plans_survive_a_rollback_and_their_number_is_limited(database, do, monkeypatch):
    monkeypatch.setattr(connection, "_PLANS_MAX", 3)

    def ask() -> set[str]:
        with database.reading() as db:
            for number in range(20):
                assert db.value(f"SELECT :number + {number % 5}", number=number) == number + number % 5
            return {one for (one,) in db.all(PLANS)}

    def work() -> list[set[str]]:
        found = [ask()]
        with suppress(ZeroDivisionError), database.writing() as db:
            with suppress(ZeroDivisionError), db.savepoint():
                raise ZeroDivisionError
            raise ZeroDivisionError
        return [*found, ask()]

    first, second = do(work)
    assert first == second
    assert len(first) == 3


def test_a_plan_that_no_longer_fits_its_table_fails_one_read_at_most(database, elsewhere, do):
    def work() -> list[str]:
        assert read(database) == ["one"]
        elsewhere.execute("ALTER TABLE things ALTER COLUMN name TYPE VARCHAR(9)")
        with suppress(Unavailable):
            read(database)
        return read(database)

    assert do(work) == ["one"]


def test_streams_are_read_side_by_side_and_may_be_left_early(database, do):
    def work() -> list[int]:
        with database.reading() as db:
            long, short = (db.stream(COUNT, text="x", many=many) for many in (5000, 2))
            seen = [next(long)[0], next(short)[0], *(one for one, _ in short)]
            third = db.stream(COUNT, text="x", many=3)
            seen += [next(third)[0], len(list(long))]
            return [*seen, sum(number for number, _ in db.stream(COUNT, text="b", many=5000))]

    assert do(work) == [1, 1, 2, 1, 4999, 12_502_500]


def test_a_stream_that_somebody_still_holds_disturbs_nobody(database, do):
    """A traceback may hold it while others use its connection."""

    def begin_and_fail(db: Unit) -> None:
        for _row in db.stream(COUNT, text="x", many=5000):
            raise ZeroDivisionError

    def work() -> list[str]:
        with pytest.raises(ZeroDivisionError) as first, database.writing() as db:
            begin_and_fail(db)
        with database.writing() as db:
            db.run("INSERT INTO things (id, name) VALUES (2, 'two')")
            del first
            gc.collect()
            with pytest.raises(psycopg.errors.DivisionByZero), db.savepoint():
                list(db.stream("SELECT 1 / (n - 3000) FROM generate_series(1, 5000) AS n"))
            db.run("INSERT INTO things (id, name) VALUES (3, 'three')")
        return read(database)

    assert do(work) == ["one", "two", "three"]


def test_a_unit_that_has_ended_runs_nothing_more(database, do):
    def work() -> list[str]:
        for way in (database.reading, database.writing):
            with way() as db:
                assert names(db) == ["one"]
                left = db.stream("SELECT name FROM things")
            for late in (names, lambda _db, left=left: list(left), lambda db: db.run("DELETE FROM things")):
                with pytest.raises(AssertionError):
                    late(db)
        return read(database)

    assert do(work) == ["one"]


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    def interrupt(*_given: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_an_interrupted_statement_leaves_its_answer_to_nobody(database):
    def be_interrupted(db: Unit) -> None:
        with interrupted_after(0.2):
            db.value("SELECT pg_sleep(20)")

    for way in (database.reading, database.writing):
        with pytest.raises(KeyboardInterrupt), way() as db:
            be_interrupted(db)
        assert read(database) == ["one"]


def test_a_statement_that_is_given_up_ends_on_the_server_too(database, do, elsewhere, monkeypatch):
    """Otherwise it would go on there, with its locks, however often somebody tries again."""
    monkeypatch.setattr("farthing.storage.drivers.postgres.pool._STATEMENT_S", 0.5)
    monkeypatch.setattr("farthing.storage.drivers.postgres.pool._LARGE_STATEMENT_S", 0.5)

    def work() -> list[str]:
        with pytest.raises(Locked), database.writing() as db:
            db.value("SELECT pg_sleep(600)")
        return read(database)

    assert do(work) == ["one"]
    sleeping = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(600)%'"
    deadline = time.monotonic() + PATIENCE_S
    while elsewhere.execute(sleeping).fetchone() != (0,):
        assert time.monotonic() < deadline, "it still runs"
        time.sleep(0.02)


def test_a_connection_that_dies_under_many_statements_is_reported_once(database, do, monkeypatch, caplog):
    unheard: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", unheard.append)

    def work() -> list[str]:
        with pytest.raises(Unavailable), database.writing() as db:
            write_many(db)
        return read(database)

    def write_many(db: Unit) -> None:
        victim = backend(db)
        rows = [{"id": number, "pid": victim if number == 4 else 0} for number in range(2, 2000)]
        adding = "INSERT INTO things (id, name) VALUES (:id, CAST(pg_terminate_backend(CAST(:pid AS INT)) AS TEXT))"
        db.many_returning(f"{adding} RETURNING id", rows)

    assert do(work) == ["one"]
    gc.collect()
    assert unheard == []
    assert caplog.messages == []
