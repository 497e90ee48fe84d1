"""Inserts rows of any table as they come from an archive; logs them, so that it can be undone."""

from collections.abc import Mapping, Sequence
from typing import Any

from farthing.storage import changes
from farthing.storage.restoring import WHOLES
from farthing.storage.unit import Unit


def insert(db: Unit, user_id: int, table: str, rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """All rows have the same columns, which are those of the table but `id` and `user_id`. Returns their new ids.

    Parts are not logged: they go with their whole.
    """
    if not rows:
        return []
    columns = ("user_id", *rows[0])
    made = db.many_returning(
        f"""
        INSERT INTO {table} ({", ".join(columns)}) VALUES ({", ".join(f":{column}" for column in columns)}) RETURNING id
        """,
        [(user_id, *row.values()) for row in rows],
    )
    ids = [int(one) for (one,) in made]
    if table not in WHOLES:
        changes.log_created(db, table, ids)
    return ids


def replace(db: Unit, user_id: int, table: str, row_id: int, row: Mapping[str, Any]) -> None:
    """Of a row that every user has from the start."""
    changes.log_changing(db, table, "id = :id", id=row_id)
    db.run(
        f"""
        UPDATE {table} SET {", ".join(f"{column} = :{column}" for column in row)} WHERE user_id = :user_id AND id = :id
        """,
        user_id=user_id,
        id=row_id,
        **row,
    )
