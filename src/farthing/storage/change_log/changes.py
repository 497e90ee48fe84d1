"""Writes rows and logs each write in the same unit of work, with one row in the log for each object."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from ..schema import TABLES
from ..unit import Author, Dialect, Row, Unit

# Tables whose rows belong to no user. Writes to them are logged under the user who makes them.
SHARED = ("currencies",)
_CREATED = """
INSERT INTO changes (user_id, revision, token_id, at, kind, object_id, action)
VALUES (:user_id, :revision, :token_id, :at, :kind, :object_id, 'created')
"""


def insert(db: Unit, table: str, user_id: int, values: Mapping[str, Any], now: str) -> int:
    """Inserts a row, logs it, and returns its id."""
    return insert_all(db, table, user_id, [values], now)[0]


def insert_all(db: Unit, table: str, user_id: int, rows: Sequence[Mapping[str, Any]], now: str) -> list[int]:
    """Inserts rows, which must all have the same columns, logs them, and returns their ids.

    Sets `created_at` and `updated_at` if the table has these columns.
    """
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
    """Logs the rows that `where` selects, and updates them. If `now` is given, it becomes their `updated_at`.

    With `narrow`, only the columns that change are logged, which is cheaper for updates of very many rows.
    """
    log_changing(db, table, where, only=tuple(values) if narrow else (), **parameters)
    statement = _word_update(table, tuple(values), where, stamps=now is not None)
    db.run(statement, user_id=user_id, **_name_new(values, now), **parameters)


def update_each(
    db: Unit, table: str, user_id: int, rows: Mapping[int, Mapping[str, Any]], *, now: str | None = None
) -> None:
    """Logs rows, and updates each of them with its own values. `rows` maps ids to values, all of the same columns."""
    if not rows:
        return
    log_changing(db, table, "id IN :ids", ids=sorted(rows))
    statement = _word_update(table, tuple(next(iter(rows.values()))), "id = :id", stamps=now is not None)
    db.many(statement, [{"user_id": user_id, "id": row_id, **_name_new(rows[row_id], now)} for row_id in sorted(rows)])


def _name_new(values: Mapping[str, Any], now: str | None) -> dict[str, Any]:
    """Returns parameters for `_word_update`. Their prefix `new_` avoids clashes with parameters of the condition."""
    return {f"new_{column}": value for column, value in values.items()} | ({} if now is None else {"now": now})


def renumber(db: Unit, table: str, user_id: int, rows: Sequence[Row]) -> None:
    """Numbers rows 1, 2, 3 and so on, in the given order. Each row is an id and its current position."""
    moved = {row[0]: {"position": position} for position, row in enumerate(rows, 1) if row[1] != position}
    update_each(db, table, user_id, moved)


def move_to(db: Unit, table: str, user_id: int, rows: Sequence[Row], row_id: int, position: int) -> None:
    """Moves the row with this id to a position, and renumbers all rows accordingly."""
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
    """Logs the new rows that `where` selects, except those that this write has logged already.

    Call this after the INSERT.
    """
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
    """Logs the creation of rows that were restored from their images in the log. `where` selects the images.

    Call this after the INSERT. The images must belong to the author.
    """
    db.run(
        f"""
        INSERT INTO changes (user_id, revision, token_id, at, kind, object_id, action)
        SELECT :user_id, :revision, :token_id, :at, kind, object_id, 'created'
        FROM changes WHERE {where} ORDER BY object_id
        """,
        **{**_facts(_author(db)), **parameters},
    )


def log_changing(db: Unit, kind: str, where: str, *, only: tuple[str, ...] = (), **parameters: Any) -> None:
    """Logs rows of the author, selected by `where`, as they are before an UPDATE. Call this before the UPDATE.

    If `only` names the columns that will change, the other columns are not logged. Use it for very many rows.
    """
    _log_images(db, "changed", kind, where, parameters, only or TABLES[kind])


def log_removing(db: Unit, kind: str, where: str, **parameters: Any) -> None:
    """Logs rows of the author, selected by `where`, before a DELETE. Call this before the DELETE."""
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
    """Returns SQL that limits a condition to rows of the user. It is empty for tables that all users share."""
    return "" if kind in SHARED else "user_id = :user_id AND"


@cache
def _image(table: str, dialect: Dialect, columns: tuple[str, ...]) -> str:
    """Returns SQL for a row as JSON. The database builds the JSON, so that one statement can log any number of rows."""
    if dialect == "postgresql" and columns == TABLES[table]:
        return f"row_to_json({table})::text"
    pairs = ", ".join(f"'{column}', {column}" for column in columns)
    return f"json_object({pairs})" if dialect == "sqlite" else f"json_build_object({pairs})::text"


def hide_if_empty(db: Unit, revision: int | None = None) -> None:
    """Hides a revision from the list of changes if nothing was logged under it. `revision` defaults to the current one.

    A hidden revision still invalidates answers that were cached before it.
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


def join(db: Unit, part: int, whole: int) -> None:
    """Makes the revision `part` a part of the revision `whole`, so that people see and undo both as one change."""
    sql = "UPDATE revisions SET part_of = :whole, hidden = 1 WHERE user_id = :user_id AND revision = :part"
    db.run(sql, user_id=_author(db).user_id, part=part, whole=whole)


def number_in(db: Unit, column: str) -> str:
    """Returns SQL for a whole number in the image `before`: NULL if there is no image, or no such column in it."""
    if db.dialect == "sqlite":
        return f"json_extract(before, '$.{column}')"
    return f"(before::json ->> '{column}')::bigint"


def text_in(db: Unit, column: str) -> str:
    """Returns SQL for a text in the image `before`, like `number_in`."""
    return f"json_extract(before, '$.{column}')" if db.dialect == "sqlite" else f"(before::json ->> '{column}')"


def _author(db: Unit) -> Author:
    assert db.author is not None, "a write takes its user first"
    return db.author


def _facts(author: Author) -> dict[str, Any]:
    return {"user_id": author.user_id, "revision": author.revision, "token_id": author.token_id, "at": author.at}
