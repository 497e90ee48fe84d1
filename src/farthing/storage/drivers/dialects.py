"""Hides the differences between the SQL of the two databases from the modules above storage."""

from typing import Any, TypeVar

from ..unit import Answer, Database, Dialect, Row, Unit

Wording = TypeVar("Wording")


def name(db: Unit | Database) -> Dialect:
    """Returns the name of the database, for messages. To write statements, use the functions below instead."""
    return db.dialect


def choose(db: Unit, *, sqlite: Wording, postgresql: Wording) -> Wording:
    """Chooses one of two statements, each tuned for one of the databases."""
    return sqlite if db.dialect == "sqlite" else postgresql


def is_remote(db: Unit) -> bool:
    """Tells whether each statement takes a network round trip, which costs as much as reading several rows."""
    return db.dialect == "postgresql"


def lock_shared(db: Unit) -> str:
    """Returns SQL that prevents other units from deleting the selected rows until this unit of work ends.

    SQLite needs no lock, because it has a single writer.
    """
    return choose(db, sqlite="", postgresql="FOR KEY SHARE")


def lock_table(db: Unit, table: str) -> None:
    """Prevents other units from writing to a table, or locking its rows with `lock_shared`, until this unit ends."""
    if is_remote(db):
        db.run(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")


def lock_exclusively(db: Unit, table: str, row_id: int | None) -> None:
    """Waits until no other unit of work holds this row with `lock_shared`, and locks it."""
    if is_remote(db):
        db.run(f"SELECT 1 FROM {table} WHERE id = :id FOR UPDATE", id=row_id)


def try_lock(db: Unit, number: int) -> bool:
    """Tries to lock a number until the unit of work ends, without waiting. Returns whether that succeeded.

    It always succeeds on SQLite, which has a single writer anyway.
    """
    return not is_remote(db) or bool(db.value("SELECT pg_try_advisory_xact_lock(:lock)", lock=number))


def ask_ids(db: Unit, table: str, count: int) -> Answer[Row] | None:
    """Requests ids for new rows. Returns None on SQLite, which assigns ids only when it stores the rows."""
    if not is_remote(db):
        return None
    sequence = f"pg_get_serial_sequence('{table}', 'id')"
    return db.ask(f"SELECT nextval({sequence}) FROM generate_series(1, :count)", count=count)


def in_very_many(db: Unit) -> str:
    """Returns SQL for `IN :ids` that makes PostgreSQL scan all rows once, instead of searching an index for each id."""
    return choose(db, sqlite="IN :ids", postgresql="IN (SELECT unnest(:ids::bigint[]))")


def join_in_order(db: Unit, table: str, alias: str, condition: str) -> str:
    """Returns SQL that looks up matching rows of a table by index, for each row of the preceding tables in the join.

    In SQLite, CROSS JOIN fixes the join order. In PostgreSQL, OFFSET 0 prevents a plan that reads the whole table and
    compares each of its rows with all preceding rows.
    """
    return choose(
        db,
        sqlite=f"CROSS JOIN {table} {alias} WHERE {condition}",
        postgresql=f"CROSS JOIN LATERAL (SELECT * FROM {table} {alias} WHERE {condition} OFFSET 0) AS {alias} "
        "WHERE 1 = 1",
    )


def join_by_ids(db: Unit, table: str, alias: str) -> str:
    """Returns SQL that joins rows of a table by id. The query `{ids}` selects the ids for each preceding row."""
    return choose(
        db,
        sqlite=f"CROSS JOIN {table} {alias} ON {alias}.id IN ({{ids}})",
        postgresql=f"CROSS JOIN LATERAL ({{ids}}) AS page JOIN {table} {alias} ON {alias}.id = page.id",
    )


def pack(db: Unit, key: str, value: str) -> str:
    """Returns SQL that packs all rows of a group into one JSON object, which maps `key` to `value`."""
    return choose(db, sqlite=f"json_group_object({key}, {value})", postgresql=f"json_object_agg({key}, {value})::text")


def keep_rows(db: Unit, name: str, query: str, /, **parameters: Any) -> str:
    """Makes the result of a query available as a table called `name`.

    Returns the text that must follow WITH in statements that read this table. The text may be empty. SQLite runs the
    query once, and keeps its result in a temporary table until `forget_rows`. PostgreSQL runs it in each statement, so
    that all statements can be sent together.
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
