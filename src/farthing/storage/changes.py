"""Logs every write: one row per object it touched, in the same unit of work."""

from collections.abc import Iterable
from functools import cache
from typing import Any, Literal

from .schema import TABLES
from .unit import Author, Dialect, Unit

# What belongs to no user: the log of whoever makes or removes it remembers it.
SHARED = ("currencies",)
_CREATED = """
INSERT INTO changes (user_id, revision, token_id, at, kind, object_id, action)
VALUES (:user_id, :revision, :token_id, :at, :kind, :object_id, 'created')
"""


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
    _keep(db, "changed", kind, where, parameters, only or TABLES[kind])


def log_removing(db: Unit, kind: str, where: str, **parameters: Any) -> None:
    """Call this before the DELETE; `where` selects rows of the author."""
    _keep(db, "removed", kind, where, parameters, TABLES[kind])


def _keep(
    db: Unit,
    action: Literal["changed", "removed"],
    kind: str,
    where: str,
    parameters: dict[str, Any],
    columns: tuple[str, ...],
) -> None:
    author = _author(db)
    facts = {**_facts(author), "kind": kind, "action": action}
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
    return {
        "user_id": author.user_id,
        "revision": author.revision,
        "token_id": author.token_id,
        "at": author.at,
    }
