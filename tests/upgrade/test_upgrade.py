"""What a released version has written down, every later version carries forward: nothing lost, nothing changed."""

from pathlib import Path

import pytest

from farthing.care.doctor import examine
from farthing.storage import migrations
from farthing.storage.drivers import open as database
from farthing.storage.schema import TABLES
from farthing.storage.unit import Database

from ..conftest import settings_for
from .dump import BEGINNING, find_superseded, list_dumps, rows_of

DUMPS = list_dumps()
ADDED_PREFERENCES = {
    "savedFilters": "0012_saved_filters",
    **dict.fromkeys(("accountOrder", "accountGroupOrder", "dashboardCards"), "0031_look"),
}


@pytest.fixture
def empty_database(empty_database_url: str, tmp_path: Path):
    opened = database.connect(settings_for(empty_database_url, tmp_path))
    yield opened
    opened.close()


@pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)
def test_the_household_of_an_earlier_version_is_carried_forward(empty_database, monkeypatch, dump):
    load(empty_database, dump, monkeypatch)

    migrations.migrate(empty_database)

    assert rows_as_dumped(empty_database, dump) == statements_of(dump)
    assert list(examine(empty_database)) == []


def load(into: Database, dump: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Migrates as far as the version that made the dump went, and no further."""
    ours = migrations.known()
    assert dump.stem in ours, "a migration that was released may not be renamed"
    with monkeypatch.context() as older:
        older.setattr(migrations, "known", lambda: ours[: ours.index(dump.stem) + 1])
        migrations.migrate(into)
    with into.writing() as db:
        db.script(dump.read_text())
        if db.dialect == "postgresql":
            for table in {table for table, columns in BEGINNING.findall(dump.read_text()) if columns.startswith("id,")}:
                sequence = f"pg_get_serial_sequence('{table}', 'id')"
                db.run(f"SELECT setval({sequence}, (SELECT MAX(id) FROM {table}))")


def statements_of(dump: Path) -> list[str]:
    """The statements of a file, for tables that there still are; a text may go over several lines."""
    text = dump.read_text()
    beginnings = list(BEGINNING.finditer(text))
    ends = [*(one.start() for one in beginnings[1:]), len(text)]
    return [text[one.start() : end].rstrip("\n") for one, end in zip(beginnings, ends, strict=True) if one[1] in TABLES]


def rows_as_dumped(books: Database, dump: Path) -> list[str]:
    """The same statements made again from what is there now; what a later schema no longer has is left out."""
    found = dict.fromkeys(BEGINNING.findall(dump.read_text()))
    with books.reading() as db:
        return [
            statement
            for table, columns in found
            if table in TABLES
            for statement in rows_of(db, table, columns.split(", "))
            if not _is_added(statement, dump)
        ]


def _is_added(statement: str, dump: Path) -> bool:
    """Rows that a later migration adds for everyone."""
    return any(
        f"'{name}'" in statement and dump.stem < migration and statement.startswith("INSERT INTO preferences ")
        for name, migration in ADDED_PREFERENCES.items()
    )


def test_ids_go_on_after_those_that_were_carried_forward(empty_database, monkeypatch):
    load(empty_database, DUMPS[-1], monkeypatch)
    migrations.migrate(empty_database)

    with empty_database.writing() as db:
        newest = db.value("SELECT MAX(id) FROM users")
        added = db.value(
            """
            INSERT INTO users (email, email_fold, password_hash, created_at, updated_at)
            VALUES ('new', 'new', '', '', '') RETURNING id
            """
        )

    assert added == newest + 1


def test_the_newest_schema_has_a_dump():
    assert DUMPS[-1].stem == migrations.known()[-1], "run: python -m tests.upgrade.dump"


def test_only_the_oldest_the_widest_and_the_newest_dump_stay():
    assert find_superseded(DUMPS) == []
