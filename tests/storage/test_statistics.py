"""SQLite plans for large books from the first day, and never reads all that a user has where an index knows better.

PostgreSQL plans for what it has seen, so that it is made to look as soon as somebody has moved in.
"""

import pytest

from farthing.storage import migrations
from farthing.storage.change_log.changes import _image
from farthing.storage.drivers.sqlite import SqliteDatabase
from farthing.storage.migrations import statistics
from farthing.storage.schema import TABLES

from ..accounts.making import asset, made
from ..transactions.making import withdrawal


def whole(table: str) -> str:
    return _image(table, "sqlite", TABLES[table])


@pytest.fixture
def plan_of(tmp_path):
    """Says how the planner of a new, empty database goes about a statement."""
    database = SqliteDatabase(tmp_path / "farthing.sqlite3")
    migrations.ensure_current(database)
    database.close()
    database = SqliteDatabase(tmp_path / "farthing.sqlite3")

    def plan(sql: str) -> str:
        with database.reading() as db:
            rows = db.all(f"EXPLAIN QUERY PLAN {sql}", user_id=1, id=1, ids=[1], type=1)
        return "; ".join(str(row[3]) for row in rows)

    yield plan
    database.close()


@pytest.mark.parametrize(
    ("table", "condition", "way"),
    [
        ("entries", "bill_id = :id", "entries_by_bill (user_id=? AND bill_id=?)"),
        # Without an index of its own: then at least not through everybody's.
        ("recurrence_splits", "budget_id = :id", "(user_id=?)"),
        ("entry_tags", "entry_id = :id", "(user_id=? AND entry_id=?)"),
        ("entry_tags", "entry_id IN :ids", "(user_id=? AND entry_id=?)"),
        ("splits", "entry_id IN :ids AND type = :type", "(user_id=? AND entry_id=?)"),
        ("attachments", "entry_id IN :ids", "(user_id=? AND entry_id=?)"),
        ("splits", "source_id = :id", "splits_by_source (user_id=? AND source_id=?)"),
    ],
)
def test_whole_rows_of_one_entry_are_found_by_the_entry(plan_of, table, condition, way):
    found = plan_of(
        f"SELECT {_image(table, 'sqlite', TABLES[table])} FROM {table} WHERE user_id = :user_id AND {condition}"
    )

    assert way in found


def test_every_index_is_described(tmp_path):
    database = SqliteDatabase(tmp_path / "farthing.sqlite3")
    migrations.ensure_current(database)

    with database.reading() as db:
        indexes = db.value("SELECT COUNT(*) FROM sqlite_master t JOIN pragma_index_list(t.name) WHERE t.type = 'table'")
        described = db.value("SELECT COUNT(*) FROM sqlite_stat1")
    database.close()

    assert described == indexes


WHOLE_ROWS = f"SELECT {whole('entry_tags')} FROM entry_tags WHERE user_id = 1 AND entry_id = 1"
BY_ENTRY = "SEARCH entry_tags USING INDEX sqlite_autoindex_entry_tags_1 (user_id=? AND entry_id=?)"


def _way(database):
    with database.reading() as db:
        return db.all(f"EXPLAIN QUERY PLAN {WHOLE_ROWS}")[0][3]


def test_the_connection_that_migrates_and_those_that_were_open_plan_so_from_then_on(tmp_path):
    migrating, other = (SqliteDatabase(tmp_path / "farthing.sqlite3") for _ in range(2))
    with other.reading() as db:
        db.all("SELECT name FROM sqlite_master")

    migrations.ensure_current(migrating, upgrade=True)

    assert _way(migrating) == BY_ENTRY
    assert _way(other) == BY_ENTRY
    migrating.close()
    other.close()


def test_a_database_from_before_gets_them_with_its_next_migration(tmp_path, monkeypatch):
    database = SqliteDatabase(tmp_path / "farthing.sqlite3")
    with monkeypatch.context() as before:
        before.setattr(statistics, "write", lambda _db: None)
        migrations.ensure_current(database)
    assert _way(database) != BY_ENTRY
    known, statements = migrations.known(), migrations.statements
    monkeypatch.setattr(migrations, "known", lambda: (*known, "9999_next"))
    monkeypatch.setattr(
        migrations,
        "statements",
        lambda name, dialect: "CREATE TABLE next (id INTEGER)" if name == "9999_next" else statements(name, dialect),
    )

    migrations.ensure_current(database, upgrade=True)

    assert _way(database) == BY_ENTRY
    database.close()


@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
def test_postgresql_looks_at_its_tables_once_after_the_first_large_unit(new_world):
    me = new_world.someone()
    checking = made(me, asset())

    def record(number):
        bodies = [withdrawal(checking, f"{one + 1}", description=f"shop {one}") for one in range(number)]
        assert me.post("/transactions/bulk", {"transactions": bodies}).status_code == 200
        with new_world.books.reading() as db:
            return db.value("SELECT reltuples FROM pg_class WHERE oid = to_regclass('entries')")

    seen = [record(1), record(60), record(60)]

    assert seen == [-1, 61, 61], "from then on it looks by itself"
