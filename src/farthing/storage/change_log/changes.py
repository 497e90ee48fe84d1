"""Writes rows, and logs every write: one row per object it touched, in the same unit of work."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from ..schema import TABLES
from ..unit import Author, Dialect, Row, Unit

# What belongs to no user: the log of whoever makes or removes it remembers it.
SHARED = ("currencies",)
_CREATED = """
INSERT INTO changes (user_id, revision, token_id, at, kind, object_id, action)
VALUES (:user_id, :revision, :token_id, :at, :kind, :object_id, 'created')
"""


def insert(db: Unit, table: str, user_id: int, values: Mapping[str, Any], now: str) -> int:
    """Inserts a row, logs it, and returns its id."""
    return insert_all(db, table, user_id, [values], now)[0]


def insert_all(db: Unit, table: str, user_id: int, rows: Sequence[Mapping[str, Any]], now: str) -> list[int]:
    """Inserts rows with the same columns, logs them, and returns their ids. Sets the times that the table has."""
    if not rows:
        return []
    statement = _word_insert(table, tuple(rows[0]))
    added = db.many_returning(statement, [{"user_id": user_id, "now": now, **row} for row in rows])
    ids = [int(row_id) for (row_id,) in added]
    log_created(db, table, ids)
    return ids


def update(
    db: Unit,
    table: str,
    user_id: int,
    where: str,
    values: Mapping[str, Any],
    *,
    now: str | None = None,
    narrow: bool = False,
    **parameters: Any,
) -> None:
    """Logs the rows that `where` selects, and updates them; `now` is set as the time of their update.

    `narrow` logs only the columns that change, for updates of very many rows.
    """
    log_changing(db, table, where, only=tuple(values) if narrow else (), **parameters)
    statement = _word_update(table, tuple(values), where, stamps=now is not None)
    db.run(statement, user_id=user_id, **_name_new(values, now), **parameters)


def update_each(
    db: Unit, table: str, user_id: int, rows: Mapping[int, Mapping[str, Any]], *, now: str | None = None
) -> None:
    """Logs the rows with these ids, and updates each with its own values of the same columns."""
    if not rows:
        return
    log_changing(db, table, "id IN :ids", ids=sorted(rows))
    statement = _word_update(table, tuple(next(iter(rows.values()))), "id = :id", stamps=now is not None)
    db.many(statement, [{"user_id": user_id, "id": row_id, **_name_new(rows[row_id], now)} for row_id in sorted(rows)])


def _name_new(values: Mapping[str, Any], now: str | None) -> dict[str, Any]:
    """The parameters of `_word_update`; conditions may name the same columns."""
    return {f"new_{column}": value for column, value in values.items()} | ({} if now is None else {"now": now})


def renumber(db: Unit, table: str, user_id: int, rows: Sequence[Row]) -> None:
    """Numbers rows 1, 2, 3 and so on in their order; each is an id and its position so far."""
    moved = {row[0]: {"position": position} for position, row in enumerate(rows, 1) if row[1] != position}
    update_each(db, table, user_id, moved)


def move_to(db: Unit, table: str, user_id: int, rows: Sequence[Row], row_id: int, position: int) -> None:
    """Moves one of the rows to a position, and renumbers the others."""
    ordered = [row for row in rows if row[0] != row_id]
    ordered.insert(position - 1, next(row for row in rows if row[0] == row_id))
    renumber(db, table, user_id, ordered)


def delete(db: Unit, table: str, user_id: int, where: str, **parameters: Any) -> None:
    """Logs the rows that `where` selects, and deletes them."""
    log_removing(db, table, where, **parameters)
    db.run(f"DELETE FROM {table} WHERE {only_own(table)} {where}", user_id=user_id, **parameters)


@cache
def _word_insert(table: str, columns: tuple[str, ...]) -> str:
    stamps = [column for column in ("created_at", "updated_at") if column in TABLES[table]]
    values = [*(f":{column}" for column in ("user_id", *columns)), *(":now" for _ in stamps)]
    return (
        f"INSERT INTO {table} ({', '.join(['user_id', *columns, *stamps])}) VALUES ({', '.join(values)}) RETURNING id"
    )


@cache
def _word_update(table: str, columns: tuple[str, ...], where: str, *, stamps: bool) -> str:
    sets = [*(f"{column} = :new_{column}" for column in columns), *(["updated_at = :now"] if stamps else [])]
    return f"UPDATE {table} SET {', '.join(sets)} WHERE user_id = :user_id AND {where}"


def log_created(db: Unit, kind: str, ids: Iterable[int]) -> None:
    by = _author(db)
    db.many(_CREATED, [(by.user_id, by.revision, by.token_id, by.at, kind, object_id) for object_id in ids])


def log_created_parts(db: Unit, kind: str, where: str, **parameters: Any) -> None:
    """Call this after the INSERT: of the rows that `where` selects, logs those that this write has not logged yet."""
    db.run(
        f"""
        INSERT INTO changes (user_id, revision, token_id, at, kind, object_id, action)
        SELECT :user_id, :revision, :token_id, :at, :kind, p.id, 'created'
        FROM {kind} p WHERE p.user_id = :user_id AND {where} AND NOT EXISTS (
            SELECT 1 FROM changes c
            WHERE c.user_id = p.user_id AND c.revision = :revision AND c.kind = :kind AND c.object_id = p.id
        ) ORDER BY p.id
        """,
        **{**_facts(_author(db)), "kind": kind, **parameters},
    )


def log_created_again(db: Unit, where: str, **parameters: Any) -> None:
    """Call this after the INSERT of rows from their images; `where` selects these images of the author."""
    db.run(
        f"""
        INSERT INTO changes (user_id, revision, token_id, at, kind, object_id, action)
        SELECT :user_id, :revision, :token_id, :at, kind, object_id, 'created'
        FROM changes WHERE {where} ORDER BY object_id
        """,
        **{**_facts(_author(db)), **parameters},
    )


def log_changing(db: Unit, kind: str, where: str, *, only: tuple[str, ...] = (), **parameters: Any) -> None:
    """Call this before the UPDATE; `where` selects rows of the author.

    `only` names the columns that change, for updates of very many rows; the other columns are not logged.
    """
    _log_images(db, "changed", kind, where, parameters, only or TABLES[kind])


def log_removing(db: Unit, kind: str, where: str, **parameters: Any) -> None:
    """Call this before the DELETE; `where` selects rows of the author."""
    _log_images(db, "removed", kind, where, parameters, TABLES[kind])


def _log_images(
    db: Unit, action: str, kind: str, where: str, parameters: dict[str, Any], columns: tuple[str, ...]
) -> None:
    facts = {**_facts(_author(db)), "kind": kind, "action": action}
    db.run(
        f"""
        INSERT INTO changes (user_id, revision, token_id, at, kind, object_id, action, before)
        SELECT :user_id, :revision, :token_id, :at, :kind, id, :action, {_image(kind, db.dialect, columns)}
        FROM {kind} WHERE {only_own(kind)} {where} ORDER BY id
        """,
        **{**facts, **parameters},
    )


def only_own(kind: str) -> str:
    """SQL before the condition on rows; what all users share names none of them."""
    return "" if kind in SHARED else "user_id = :user_id AND"


@cache
def _image(table: str, dialect: Dialect, columns: tuple[str, ...]) -> str:
    """SQL for the row as JSON, built by the database, so that a cascade of any size is one statement."""
    if dialect == "postgresql" and columns == TABLES[table]:
        return f"row_to_json({table})::text"
    pairs = ", ".join(f"'{column}', {column}" for column in columns)
    return f"json_object({pairs})" if dialect == "sqlite" else f"json_build_object({pairs})::text"


def hide_if_empty(db: Unit, revision: int | None = None) -> None:
    """Keeps a revision, this one or another, out of the list of changes if nothing was logged under it.

    It counts all the same: answers that were remembered before it expire.
    """
    author = _author(db)
    db.run(
        """
        UPDATE revisions SET hidden = 1 WHERE user_id = :user_id AND revision = :revision AND NOT EXISTS (
            SELECT 1 FROM changes c WHERE c.user_id = :user_id AND c.revision = :revision
        )
        """,
        user_id=author.user_id,
        revision=revision or author.revision,
    )


def number_in(db: Unit, column: str) -> str:
    """SQL for a column of the image; null if there is no image or no such column."""
    if db.dialect == "sqlite":
        return f"json_extract(before, '$.{column}')"
    return f"(before::json ->> '{column}')::bigint"


def _author(db: Unit) -> Author:
    assert db.author is not None, "a write takes its user first"
    return db.author


def _facts(author: Author) -> dict[str, Any]:
    return {"user_id": author.user_id, "revision": author.revision, "token_id": author.token_id, "at": author.at}
