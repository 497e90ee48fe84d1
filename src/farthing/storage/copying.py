"""Copies all rows from one database into another, and computes digests to compare both."""

import hashlib
import secrets
from collections.abc import Callable, Iterator
from itertools import islice

import msgspec
from msgspec import Struct

from farthing.kernel.text import pluralize

from .grains import HALVES, join_halves
from .schema import TABLES
from .unit import Row, Unit

# Called with a few words about each step of long work, which are shown to the person who waits.
Progress = Callable[[str], None]
_BATCH = 2000
# Sessions and sign-ins are private to this installation and useless in a copy. A copy has a name of its own.
LEFT_BEHIND = (
    "sessions", "devices", "sign_in_attempts", "sign_in_links", "passkey_challenges", "provider_states", "app_codes",
    "lineage", "password_requests", "password_links", "push_subscriptions",
)  # fmt: skip
# The list of migrations is not copied, because the target was already migrated to the same schema.
COPIED = tuple(table for table in TABLES if table not in ("migrations", *LEFT_BEHIND))
# Tables that have rows even in an empty database. The rows of the source replace these.
_SEEDED = ("currencies", "house", "checkups", "link_types")
# Helper accounts refer to other accounts, and sub-categories to their parents, so both are inserted last.
_FIRST = {
    "accounts": "ORDER BY CASE WHEN helps_id IS NULL THEN 0 ELSE 1 END, id",
    "categories": "ORDER BY CASE WHEN parent_id IS NULL THEN 0 ELSE 1 END, id",
}
_MODULUS = 2**256
# This column changes whenever its row is used, so it is not compared.
_PASSING = "last_used_at"


class TableDigest(Struct, frozen=True):
    """Holds the number of rows of a table, and a digest of these rows that does not depend on their order.

    `digest` is None if the rows were only counted.
    """

    rows: int
    digest: str | None = None


def is_empty(db: Unit) -> bool:
    return not db.value("SELECT 1 FROM users LIMIT 1")


def copy(source: Unit, target: Unit, progress: Progress) -> None:
    """Copies all rows in the caller's unit of work. The target must be empty and have the same schema."""
    tables = {table: columns for table in COPIED if (columns := _columns(source, table))}
    for table in _SEEDED:
        if table in tables:
            target.run(f"DELETE FROM {table}")
    for table, columns in tables.items():
        names = ", ".join(columns)
        statement = f"INSERT INTO {table} ({names}) VALUES ({', '.join(f':{name}' for name in columns)})"
        done = 0
        for batch in _batches(source.stream(f"SELECT {names} FROM {table} {_FIRST.get(table, '')}")):
            target.many(statement, [dict(zip(columns, row, strict=True)) for row in batch])
            done += len(batch)
            progress(f"{table}: {pluralize(done, 'row')}")
    _copy_sequences(source, target)


def find_strange_table(db: Unit) -> str | None:
    """Returns the first table whose columns are not those that this program expects, or None."""
    return next((table for table, columns in TABLES.items() if set(_columns(db, table)) != set(columns)), None)


def describe_file(db: Unit) -> list[Row]:
    """Describes the schema and the page format of a SQLite file.

    If two files have equal descriptions, the pages of one can be copied into the other.
    """
    return [
        *db.all("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"),
        *(row for name in ("page_size", "encoding", "auto_vacuum") for row in db.all(f"PRAGMA {name}")),
    ]


def leave_behind(db: Unit) -> None:
    """Deletes sessions and sign-ins from a copy of the whole database file, and gives the copy a new name."""
    for table in LEFT_BEHIND:
        if _columns(db, table):
            db.run(f"DELETE FROM {table}")
    if _columns(db, "lineage"):
        db.run("INSERT INTO lineage (name) VALUES (:name)", name=secrets.token_hex(6))


def digest_tables(db: Unit, progress: Progress) -> dict[str, TableDigest]:
    """Computes a digest of each table, for which it reads every row."""
    digests = {}
    for table in COPIED:
        progress(table)
        rows, digest = 0, 0
        columns = [name for name in _columns(db, table) if name != _PASSING]
        for row in db.stream(f"SELECT {', '.join(columns)} FROM {table}") if columns else ():
            rows += 1
            digest += int.from_bytes(hashlib.sha256(msgspec.json.encode(row)).digest(), "big")
        digests[table] = TableDigest(rows=rows, digest=f"{digest % _MODULUS:064x}")
    return digests


def count_tables(db: Unit, progress: Progress) -> dict[str, TableDigest]:
    """Counts the rows of each table. Much faster than `digest_tables`."""
    digests = {}
    for table in COPIED:
        progress(table)
        rows = db.value(f"SELECT COUNT(*) FROM {table}") if _columns(db, table) else 0
        digests[table] = TableDigest(rows=int(rows))
    return digests


def sum_balances(db: Unit) -> dict[str, int]:
    """Sums the absolute balances of all accounts of all users, by currency, in the smallest unit of each currency."""
    rows = db.all(
        f"""
        SELECT c.code, {HALVES.format(column="b.units")} FROM balances b JOIN currencies c ON c.id = b.currency_id
        WHERE b.grain = 'all' GROUP BY c.code, b.units < 0 ORDER BY c.code
        """
    )
    held: dict[str, int] = {}
    for code, *halves in rows:
        held[code] = held.get(code, 0) + abs(join_halves(*halves))
    return held


def load_places(db: Unit) -> dict[str, int]:
    """Maps the code of each currency to its number of decimal places."""
    return dict(db.all("SELECT code, places FROM currencies"))


def _columns(db: Unit, table: str) -> list[str]:
    """Lists the columns of a table in this database, whose schema may be older. Empty if the table is missing."""
    if db.dialect == "sqlite":
        rows = db.all("SELECT name FROM pragma_table_info(:table) ORDER BY name", table=table)
    else:
        rows = db.all(
            """
            SELECT column_name FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = :table ORDER BY column_name COLLATE "C"
            """,
            table=table,
        )
    return [name for (name,) in rows]


def _batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while batch := list(islice(rows, _BATCH)):
        yield batch


def _copy_sequences(source: Unit, target: Unit) -> None:
    """Copies the last id of each table, so that the copy does not reuse ids of deleted rows."""
    for table in COPIED:
        if "id" in _columns(source, table):
            last = _last_id(source, table)
            if last:
                _set_last_id(target, table, last)


def _last_id(db: Unit, table: str) -> int:
    if db.dialect == "sqlite":
        return int(db.value("SELECT seq FROM sqlite_sequence WHERE name = :table", table=table) or 0)
    sequence = db.value("SELECT pg_get_serial_sequence(:table, 'id')", table=table)
    last, is_called = db.one(f"SELECT last_value, is_called FROM {sequence}") or (0, False)
    return max(int(last) if is_called else 0, int(db.value(f"SELECT COALESCE(MAX(id), 0) FROM {table}")))


def _set_last_id(db: Unit, table: str, last: int) -> None:
    if db.dialect == "postgresql":
        db.run("SELECT setval(pg_get_serial_sequence(:table, 'id'), :last)", table=table, last=last)
    elif not db.run_and_count("UPDATE sqlite_sequence SET seq = :last WHERE name = :table", table=table, last=last):
        db.run("INSERT INTO sqlite_sequence (name, seq) VALUES (:table, :last)", table=table, last=last)
