"""Copies the same books into PostgreSQL: row by row from SQLite, through COPY."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import psycopg
from psycopg import sql
from tests.postgres import PostgresServer, start_postgres

from farthing.storage import migrations
from farthing.storage.drivers.postgres.database import PostgresDatabase
from farthing.storage.schema import TABLES

from .books import Books, key

# Both databases are created with these.
_BORN_WITH = ("migrations", "currencies", "house", "link_types")


@contextmanager
def server(cache: Path) -> Iterator[PostgresServer | None]:
    """One server for all books of this schema; None if PostgreSQL is not installed."""
    folder = cache / key() / "postgres"
    folder.mkdir(parents=True, exist_ok=True)
    found = start_postgres(folder)
    try:
        yield found
    finally:
        if found:
            found.stop()


def postmaster(running: PostgresServer) -> int:
    return int(running.server.get_pid())


def version(running: PostgresServer) -> str:
    with psycopg.connect(running.server.get_uri()) as connection:
        return f"{connection.info.server_version // 10_000}"


def ready(running: PostgresServer, books: Books, progress: Callable[[str], None]) -> str:
    """The URL of a fresh copy to measure; the cached copy is never written to."""
    name = f"books_{books.path.stem}"
    kept = f"{name}_kept"
    with psycopg.connect(running.server.get_uri(), autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (kept,)).fetchone():
            _make(running, connection, books, kept, progress)
        progress("a fresh copy")
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
        copy = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy")
        connection.execute(copy.format(sql.Identifier(name), sql.Identifier(kept)))
        connection.execute("CHECKPOINT")
    return str(running.server.get_uri(database=name))


def _make(
    running: PostgresServer,
    connection: psycopg.Connection,
    books: Books,
    kept: str,
    progress: Callable[[str], None],
) -> None:
    half = sql.Identifier(f"{kept}_half")
    connection.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(half))
    connection.execute(sql.SQL("CREATE DATABASE {}").format(half))
    url = str(running.server.get_uri(database=f"{kept}_half"))
    database = PostgresDatabase(url, connections_max=1)
    migrations.ensure_current(database)
    database.close()
    copy_books(books.path, url, progress)
    connection.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(half, sql.Identifier(kept)))


def fill(url: str, path: Path) -> None:
    """Makes an empty database a copy of the books in the file."""
    database = PostgresDatabase(url, connections_max=1)
    migrations.migrate(database)
    database.close()
    copy_books(path, url, lambda _table: None)


def copy_books(path: Path, url: str, progress: Callable[[str], None]) -> None:
    source = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    with psycopg.connect(url, autocommit=True) as target:
        # The rows come from books with valid references; checking each again would take most of the time.
        target.execute("SET session_replication_role = replica; SET maintenance_work_mem = '512MB'")
        for table, columns in TABLES.items():
            if table not in _BORN_WITH:
                progress(table)
                _copy_table(source, target, table, columns)
        progress("statistics")
        target.execute("VACUUM (ANALYZE)")
    source.close()


def _copy_table(source: apsw.Connection, target: psycopg.Connection, table: str, columns: tuple[str, ...]) -> None:
    names = ", ".join(columns)
    into = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with target.cursor() as cursor, cursor.copy(into) as copy:
        for row in source.execute(f"SELECT {names} FROM {table}"):
            copy.write_row(row)
    if "id" in columns:
        target.execute(
            sql.SQL("SELECT setval(pg_get_serial_sequence({}, 'id'), (SELECT COALESCE(MAX(id), 1) FROM {}))").format(
                sql.Literal(table), sql.Identifier(table)
            )
        )
