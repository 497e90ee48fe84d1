"""Restores rows from their images in the log of changes; each step is logged as well."""

from collections.abc import Mapping, Sequence
from typing import Any

from . import changes
from .schema import TABLES
from .unit import Unit

# The parts that belong to a row and are deleted with it, the innermost first.
PARTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "entries": (("entry_tags", "entry_id"), ("splits", "entry_id")),
    "recurrences": (
        ("firings", "recurrence_id"),
        ("recurrence_exceptions", "recurrence_id"),
        ("recurrence_repetitions", "recurrence_id"),
        ("recurrence_splits", "recurrence_id"),
    ),
    "rules": (("rule_triggers", "rule_id"), ("rule_actions", "rule_id")),
}
# Undoing a change must not make a recurrence fire again, so these columns keep their values.
_STAYING = {"recurrences": ("fired", "latest_on", "settled_until", "due_on", "failure")}
WHOLES = {part: (whole, column) for whole, parts in PARTS.items() for part, column in parts}
# References: table, column, and the table it refers to.
_REFERENCES: tuple[tuple[str, str, str], ...] = (
    ("budget_limits", "budget_id", "budgets"),
    ("piggy_banks", "account_id", "accounts"),
    ("recurrences", "piggy_bank_id", "piggy_banks"),
    ("recurrence_splits", "source_id", "accounts"),
    ("recurrence_splits", "destination_id", "accounts"),
    ("recurrence_splits", "category_id", "categories"),
    ("recurrence_splits", "budget_id", "budgets"),
    ("entries", "opening_account_id", "accounts"),
    ("entries", "bill_id", "bills"),
    ("entries", "recurrence_id", "recurrences"),
    ("entries", "piggy_bank_id", "piggy_banks"),
    ("piggy_bank_events", "piggy_bank_id", "piggy_banks"),
    ("piggy_bank_events", "entry_id", "entries"),
    ("attachments", "bill_id", "bills"),
    ("attachments", "entry_id", "entries"),
    ("splits", "source_id", "accounts"),
    ("splits", "destination_id", "accounts"),
    ("splits", "category_id", "categories"),
    ("splits", "budget_id", "budgets"),
    ("entry_tags", "tag_id", "tags"),
    ("rules", "rule_group_id", "rule_groups"),
)


def insert(db: Unit, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """With their old ids. Helper accounts come after the accounts they refer to."""
    columns = TABLES[table]
    rows = sorted(rows, key=lambda row: (row.get("helps_id") is not None, row["id"]))
    db.many(
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(f':{column}' for column in columns)})",
        [{column: row[column] for column in columns} for row in rows],
    )
    changes.created(db, table, [int(row["id"]) for row in rows])


def update(db: Unit, user_id: int, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """All images have the same columns; other columns of the rows do not change."""
    staying = ("id", "user_id", *_STAYING.get(table, ()))
    columns = [column for column in rows[0] if column not in staying]
    changes.changing(db, table, "id IN :ids", ids=[row["id"] for row in rows])
    db.many(
        f"""
        UPDATE {table} SET {", ".join(f"{column} = :{column}" for column in columns)}
        WHERE user_id = :user_id AND id = :id
        """,
        [{**{column: row[column] for column in columns}, "id": row["id"], "user_id": user_id} for row in rows],
    )


def delete(db: Unit, user_id: int, table: str, ids: list[int]) -> None:
    """Including their parts."""
    for part, column in PARTS.get(table, ()):
        _delete(db, user_id, part, column, ids)
    _delete(db, user_id, table, "id", ids)


def _delete(db: Unit, user_id: int, table: str, column: str, ids: list[int]) -> None:
    changes.removing(db, table, f"{column} IN :ids", ids=ids)
    db.run(f"DELETE FROM {table} WHERE user_id = :user_id AND {column} IN :ids", user_id=user_id, ids=ids)


def find_references(
    db: Unit, user_id: int, table: str, ids: list[int], *, besides: Mapping[str, list[int]], limit: int
) -> list[tuple[str, int]]:
    """Rows that refer to one of these, except `besides`: table and id; for a part, those of the whole it belongs to."""
    found: dict[tuple[str, int], None] = {}
    for other, column, named in _REFERENCES:
        whole, whole_id = WHOLES.get(other, (other, "id"))
        if named == table and whole != table:
            rows = db.all(
                f"""
                SELECT {whole_id} FROM {other} WHERE user_id = :user_id AND {column} IN :ids
                    AND NOT {whole_id} IN :besides ORDER BY {whole_id} LIMIT :limit
                """,
                user_id=user_id,
                ids=ids,
                besides=besides.get(whole, []),
                limit=limit,
            )
            found.update(((whole, int(one)), None) for (one,) in rows)
    return list(found)


def find_wholes(db: Unit, user_id: int, table: str, ids: list[int]) -> list[int]:
    """The ids of the wholes to which these parts belong."""
    _, column = WHOLES[table]
    rows = db.all(
        f"SELECT DISTINCT {column} FROM {table} WHERE user_id = :user_id AND id IN :ids", user_id=user_id, ids=ids
    )
    return [int(one) for (one,) in rows]
