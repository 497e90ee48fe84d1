"""From empty to the schema that the code expects, step by step, once, and never half."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext

import pytest

from farthing.kernel.errors import SchemaMismatch
from farthing.storage import migrations
from farthing.storage.schema import TABLES
from farthing.storage.unit import Database, Unit

from ..conftest import migrated, settings_for
from ..proof.test_killed import until

TYPES = {"sqlite": {"INTEGER", "TEXT"}, "postgresql": {"bigint", "text"}}


def tables(db: Unit) -> dict[str, dict[str, str]]:
    """Columns and their types by table, in their order, asked of the database's own catalog."""
    if db.dialect == "sqlite":
        names = [name for (name,) in db.all("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: {row[1]: row[2] for row in db.all(f"PRAGMA table_info({name})")}
            for name in names
            if not name.startswith("sqlite_")
        }
    found: dict[str, dict[str, str]] = {}
    sql = """
        SELECT table_name, column_name, data_type FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name IN (
            SELECT table_name FROM information_schema.tables
            WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
        ) ORDER BY table_name, ordinal_position
    """
    for table, column, type_ in db.all(sql):
        found.setdefault(table, {})[column] = type_
    return found


def test_migrating_from_empty_arrives_at_the_schema_that_the_code_expects(new_database):
    with new_database.reading() as db:
        found = tables(db)

    assert {table: tuple(columns) for table, columns in found.items()} == TABLES
    assert {type_ for columns in found.values() for type_ in columns.values()} == TYPES[new_database.dialect]


def test_both_databases_hold_numbers_and_texts_in_the_same_columns(new_database, tmp_path):
    with migrated(f"sqlite:///{tmp_path / 'other.sqlite3'}", tmp_path) as other, other.reading() as db:
        on_sqlite = tables(db)
    with new_database.reading() as db:
        found = tables(db)

    same = dict(zip(sorted(TYPES["sqlite"]), sorted(TYPES[new_database.dialect]), strict=True))
    assert found == {
        table: {column: same[type_] for column, type_ in columns.items()} for table, columns in on_sqlite.items()
    }


def test_texts_sort_by_their_bytes_and_tables_are_strict(new_database):
    with new_database.reading() as db:
        if db.dialect == "sqlite":
            rows = db.all(
                """
                SELECT name, strict FROM pragma_table_list
                WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
                """
            )
            assert {name for name, strict in rows if not strict} <= {"migrations"}
        else:
            assert not db.all(
                """
                SELECT table_name, column_name FROM information_schema.columns
                WHERE table_schema = current_schema() AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'
                """
            )


def test_a_second_run_does_nothing(new_database):
    assert migrations.migrate(new_database) == []
    assert migrations.status(new_database).applied == migrations.known()


def planted(monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    """One more migration than there is."""
    ours, statements = migrations.known(), migrations.statements
    monkeypatch.setattr(migrations, "known", lambda: (*ours, "9998_planted"))
    monkeypatch.setattr(
        migrations, "statements", lambda name, dialect: sql if name == "9998_planted" else statements(name, dialect)
    )


def test_a_migration_that_fails_leaves_nothing_behind(new_database, monkeypatch):
    planted(monkeypatch, "CREATE TABLE half (id TEXT); UPDATE currencies SET name = 'x'; SELECT nonsense FROM nowhere")

    with pytest.raises(Exception, match="nowhere"):
        migrations.migrate(new_database)

    with new_database.reading() as db:
        assert "half" not in tables(db)
        assert db.value("SELECT COUNT(*) FROM currencies WHERE name = 'x'") == 0
    assert migrations.status(new_database).pending == ("9998_planted",)


def test_commands_and_the_processes_of_a_server_leave_an_older_database_alone(new_database, monkeypatch):
    planted(monkeypatch, "CREATE TABLE later (id TEXT)")

    for serve in (False, True):
        with pytest.raises(SchemaMismatch, match=r"it lacks 9998_planted: .*run `farthing migrate` once"):
            migrations.ensure_current(new_database, serve=serve)
    assert migrations.migrate(new_database) == ["9998_planted"]


def test_a_newer_server_brings_any_database_up_to_date(new_database, monkeypatch):
    planted(monkeypatch, "CREATE TABLE later (id TEXT)")

    migrations.ensure_current(new_database, serve=True, upgrade=True)

    assert migrations.status(new_database).pending == ()


def add_of_tomorrow(database: Database, name: str) -> None:
    with database.writing() as db:
        db.run("INSERT INTO migrations (name) VALUES (:name)", name=name)


def test_a_newer_schema_is_refused(new_database):
    add_of_tomorrow(new_database, "9999_of_tomorrow")

    for refusing in (migrations.migrate, migrations.ensure_current):
        with pytest.raises(SchemaMismatch) as caught:
            refusing(new_database)
        assert str(caught.value) == (
            "The database was made by a newer Farthing (it has 9999_of_tomorrow): "
            "install that version, or restore a backup."
        )


def test_an_older_server_goes_on_beside_newer_ones_until_what_it_uses_is_taken_away(new_database):
    """On PostgreSQL, where servers are upgraded one by one; nobody shares a SQLite file with a newer version."""
    newest = migrations.known()[-1][:4]
    for name, is_served in (
        ("9997_of_tomorrow", True),
        (f"9998_contract_{newest}_what_we_no_longer_use", True),
        ("9999_contract_9997_what_we_use", False),
    ):
        add_of_tomorrow(new_database, name)
        goes_on = is_served and new_database.dialect == "postgresql"
        with nullcontext() if goes_on else pytest.raises(SchemaMismatch, match="newer Farthing"):
            migrations.ensure_current(new_database, serve=True)
        with new_database.reading() as db, nullcontext() if goes_on else pytest.raises(SchemaMismatch, match="newer"):
            migrations.refuse_outdated(db)


def test_a_migration_makes_way_while_it_waits_for_whoever_uses_its_table(new_database, monkeypatch):
    """On PostgreSQL everybody who comes later would wait behind it."""
    planted(monkeypatch, "ALTER TABLE tags ADD COLUMN later TEXT")
    with ThreadPoolExecutor(1) as pool:
        with new_database.reading() as db:
            db.all("SELECT id FROM tags")
            migrating = pool.submit(migrations.migrate, new_database)
            for is_waiting in (True, False) if db.dialect == "postgresql" else ():
                until(lambda wanted=is_waiting: waits_for_table(new_database) == wanted, "it waits always, or never")
            db.all("SELECT id FROM tags")

        assert migrating.result(60) == ["9998_planted"]


@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
def test_a_migration_waits_for_requests_that_have_found_their_caller(new_database, monkeypatch):
    """It holds nothing meanwhile that they still need."""
    planted(
        monkeypatch,
        "CREATE TABLE planted (user_id BIGINT REFERENCES users (id)); ALTER TABLE tokens ADD COLUMN planted BIGINT",
    )
    with ThreadPoolExecutor() as pool:
        with new_database.writing() as request:
            request.value("SELECT COUNT(*) FROM tokens k JOIN users u ON u.id = k.user_id")
            migrating = pool.submit(migrations.migrate, new_database)
            until(lambda: waits_for_table(new_database), "it does not wait")
            request.run("SET LOCAL lock_timeout = '200ms'")
            request.run_and_count("UPDATE users SET revision = revision + 1 WHERE id = 0")

        assert migrating.result(60) == ["9998_planted"]


def waits_for_table(database: Database) -> bool:
    with database.reading() as db:
        return bool(db.value("SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'relation'"))


def test_processes_that_migrate_at_once_do_it_once(empty_database_url, tmp_path):
    def migrated_by_a_process(_: int) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "farthing", "migrate"],
            env={"FARTHING_DATABASE_URL": empty_database_url, "FARTHING_DATA": str(tmp_path), "PATH": ""},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    with ThreadPoolExecutor(4) as pool:
        outputs = list(pool.map(migrated_by_a_process, range(4)))

    applied = sorted(line for output in outputs for line in output.splitlines() if line.startswith("Applied"))
    assert applied == [f"Applied {name}." for name in migrations.known()]


@pytest.fixture
def empty_database(empty_database_url, tmp_path):
    from farthing.storage.drivers import open as database

    opened = database.connect(settings_for(empty_database_url, tmp_path))
    yield opened
    opened.close()


def test_threads_that_migrate_at_once_do_it_once(empty_database: Database):
    with ThreadPoolExecutor(4) as pool:
        applied = [name for names in pool.map(lambda _: migrations.migrate(empty_database), range(4)) for name in names]

    assert sorted(applied) == list(migrations.known())


def test_an_empty_database_has_no_schema_yet(empty_database: Database):
    assert migrations.status(empty_database).applied == ()
    assert migrations.status(empty_database).pending == migrations.known()
