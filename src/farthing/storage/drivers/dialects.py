"""Words what the two databases say differently; no module above storage asks which of them it is talking to."""

from typing import Any, TypeVar

from ..unit import Answer, Database, Dialect, Row, Unit

Wording = TypeVar("Wording")


def name(db: Unit | Database) -> Dialect:
    """Names the database, for messages. Statements use the functions below instead."""
    return db.dialect


def choose(db: Unit, *, sqlite: Wording, postgresql: Wording) -> Wording:
    """Chooses one of two statements, each tuned for one of the databases."""
    return sqlite if db.dialect == "sqlite" else postgresql


def is_remote(db: Unit) -> bool:
    """Tells whether statements take a round trip, which costs as much as several rows."""
    return db.dialect == "postgresql"


def lock_shared(db: Unit) -> str:
    """SQL that keeps others from deleting the rows read until the unit of work ends; SQLite has a single writer."""
    return choose(db, sqlite="", postgresql="FOR KEY SHARE")


def lock_table(db: Unit, table: str) -> None:
    """Keeps out other writers of a table, and those who hold rows of it by `lock_shared`, until the work ends."""
    if is_remote(db):
        db.run(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")


def lock_exclusively(db: Unit, table: str, row_id: int | None) -> None:
    """Waits for those who hold this row by `lock_shared`."""
    if is_remote(db):
        db.run(f"SELECT 1 FROM {table} WHERE id = :id FOR UPDATE", id=row_id)


def try_lock(db: Unit, number: int) -> bool:
    """Takes a lock on a number until the unit of work ends; never waits. SQLite has a single writer anyway."""
    return not is_remote(db) or bool(db.value("SELECT pg_try_advisory_xact_lock(:lock)", lock=number))


def ask_ids(db: Unit, table: str, count: int) -> Answer[Row] | None:
    """Asks for ids of new rows. None on SQLite, which assigns them as it stores."""
    if not is_remote(db):
        return None
    sequence = f"pg_get_serial_sequence('{table}', 'id')"
    return db.ask(f"SELECT nextval({sequence}) FROM generate_series(1, :count)", count=count)


def in_very_many(db: Unit) -> str:
    """SQL for `IN :ids` that makes PostgreSQL scan all rows once, instead of searching an index for each id."""
    return choose(db, sqlite="IN :ids", postgresql="IN (SELECT unnest(:ids::bigint[]))")


def join_in_order(db: Unit, table: str, alias: str, condition: str) -> str:
    """SQL that joins the rows of a table to each row before it, read by their index.

    CROSS JOIN fixes the join order in SQLite. PostgreSQL would read all rows and compare each with every row before;
    OFFSET 0 makes it read them row by row.
    """
    return choose(
        db,
        sqlite=f"CROSS JOIN {table} {alias} WHERE {condition}",
        postgresql=f"CROSS JOIN LATERAL (SELECT * FROM {table} {alias} WHERE {condition} OFFSET 0) AS {alias} "
        "WHERE 1 = 1",
    )


def join_by_ids(db: Unit, table: str, alias: str) -> str:
    """SQL that joins, to each row before it, the rows of a table whose ids a query `{ids}` gives for that row."""
    return choose(
        db,
        sqlite=f"CROSS JOIN {table} {alias} ON {alias}.id IN ({{ids}})",
        postgresql=f"CROSS JOIN LATERAL ({{ids}}) AS page JOIN {table} {alias} ON {alias}.id = page.id",
    )


def pack(db: Unit, key: str, value: str) -> str:
    """SQL for one JSON object of all rows of a group, keys to values."""
    return choose(db, sqlite=f"json_group_object({key}, {value})", postgresql=f"json_object_agg({key}, {value})::text")


def keep_rows(db: Unit, name: str, query: str, /, **parameters: Any) -> str:
    """Makes the rows of a query readable by their name; returns how the WITH of statements that read them begins.

    SQLite reads them once, into a temporary table, until `forget_rows`. PostgreSQL reads them for each statement, so
    that no statement has to wait for another.
    """
    if is_remote(db):
        return f"{name} AS MATERIALIZED ({query}),"
    forget_rows(db, name)
    db.run(f"CREATE TEMP TABLE {name} AS {query}", **parameters)
    return ""


def forget_rows(db: Unit, name: str) -> None:
    if not is_remote(db):
        db.run(f"DROP TABLE IF EXISTS temp.{name}")


def read_version(db: Unit) -> str:
    if is_remote(db):
        return f"PostgreSQL {str(db.value('SHOW server_version')).split()[0]}"
    return f"SQLite {db.value('SELECT sqlite_version()')}"
