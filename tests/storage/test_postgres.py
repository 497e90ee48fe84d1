"""What concerns PostgreSQL alone: the plans that are kept, and what comes of a statement that failed."""

from collections.abc import Iterator
from contextlib import suppress

import psycopg
import pytest

from farthing.storage.postgres import PostgresDatabase
from farthing.storage.unit import Clash

from ..postgres import PostgresServer

ASKED = "SELECT :number + 1"


@pytest.fixture
def database(postgres_server: PostgresServer | None) -> Iterator[PostgresDatabase]:
    """With one connection, which everybody gets in turn."""
    if postgres_server is None:
        pytest.skip("!!! PostgreSQL is not installed")
    opened = PostgresDatabase(postgres_server.new_database(), connections_max=1)
    with opened.writing() as db:
        db.run("CREATE TABLE things (id BIGINT PRIMARY KEY)")
    yield opened
    opened.close()


def plans(database: PostgresDatabase) -> set[str]:
    with database.reading() as db:
        return {one for (one,) in db.all("SELECT statement FROM pg_prepared_statements")}


def ask_often(database: PostgresDatabase) -> None:
    with database.reading() as db:
        for number in range(10):
            assert db.value(ASKED, number=number) == number + 1


def test_a_unit_of_work_that_fails_leaves_the_plans_of_all_others(database):
    ask_often(database)
    made = plans(database)
    assert any("+ 1" in one for one in made)

    with suppress(ZeroDivisionError), database.writing():
        raise ZeroDivisionError

    assert plans(database) >= made


def test_a_savepoint_that_fails_leaves_the_plans_of_all_others(database):
    ask_often(database)
    made = plans(database)

    with database.writing() as db:
        with suppress(ZeroDivisionError), db.savepoint():
            raise ZeroDivisionError
        db.run("INSERT INTO things (id) VALUES (:id)", id=1)

    assert plans(database) >= made
    with database.reading() as db:
        assert db.all("SELECT id FROM things") == [(1,)]


def test_what_a_failed_statement_has_undone_is_never_taken_for_done(database):
    """PostgreSQL answers such a COMMIT with a ROLLBACK, as if nothing were wrong."""
    with pytest.raises(AssertionError):
        add_twice_and_go_on(database)

    with database.reading() as db:
        assert db.all("SELECT id FROM things") == []


def add_twice_and_go_on(database: PostgresDatabase) -> None:
    with database.writing() as db:
        db.run("INSERT INTO things (id) VALUES (:id)", id=1)
        with suppress(Clash):
            db.run("INSERT INTO things (id) VALUES (:id)", id=1)


def test_the_connection_of_a_unit_that_could_not_be_committed_is_as_good_as_new(database):
    with database.writing() as db:
        db.run("CREATE TABLE parts (id BIGINT REFERENCES things (id) DEFERRABLE INITIALLY DEFERRED)")
    with pytest.raises((Clash, psycopg.Error)), database.writing() as db:
        db.run("INSERT INTO parts (id) VALUES (:id)", id=7)

    with database.writing() as db:
        db.run("INSERT INTO things (id) VALUES (:id)", id=2)
    with database.reading() as db:
        assert db.all("SELECT id FROM things") == [(2,)]
