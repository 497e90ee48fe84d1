"""Checks whether an object has changed since a client read it, using the log of changes."""

from typing import Any

import msgspec

from farthing.kernel.text import fold

from ..queue import CHANGE_MATCHING, DELETE_MATCHING
from ..unit import Unit
from . import changes
from .restoring import PARTS

_BY_SPLIT = "SELECT entry_id FROM splits WHERE user_id = :user_id AND id = :id"
# Objects that can also be addressed by name, and the column of the name.
_NAMED_IN = {"tags": "name_fold", "preferences": "name"}
# An account includes its opening balance, which is stored as a transaction.
_SHOWN_WITH = {"accounts": (("entries", "opening_account_id"),)}


def is_forgotten(db: Unit, user_id: int, revision: int) -> bool:
    """Checks whether old changes were deleted from the log, so that changes since this revision may be missing."""
    first = db.value(
        """
        SELECT COALESCE((SELECT MIN(r.revision) FROM revisions r WHERE r.user_id = u.id), u.revision + 1)
        FROM users u WHERE u.id = :user_id
        """,
        user_id=user_id,
    )
    return first is not None and revision + 1 < int(first)


def has_changed_since(db: Unit, user_id: int, kind: str, name: str, revision: int, *, by_split: bool = False) -> bool:
    """Checks whether an object, or one of its parts, has changed since a revision.

    `name` is the id in the path of the request, or the name of a tag or preference. For an object that does not exist,
    this returns False, because the handler of the request reports the missing object. With `by_split`, a transaction is
    addressed by the id of any of its splits.
    """
    is_id = name.isascii() and name.isdigit()
    if not is_id and kind not in _NAMED_IN:
        return False
    which, parameters = _by_id(kind, name, by_split=by_split) if is_id else _by_name(kind, name)
    parts = (*PARTS.get(kind, ()), *_SHOWN_WITH.get(kind, ()))
    looked_at = [f"kind = '{kind}' AND object_id IN ({which})", *_of_parts(db, parts, which)]
    late = _find_late(db, user_id, revision) if kind == "entries" else []
    since = "revision > :revision" if not late else "(revision > :revision OR revision IN :late)"
    statement = " UNION ALL ".join(
        f"SELECT 1 FROM changes WHERE user_id = :user_id AND {since} AND {where}" for where in looked_at
    )
    more = {"late": late} if late else {}
    return bool(db.value(f"{statement} LIMIT 1", user_id=user_id, revision=revision, **more, **parameters))


def _find_late(db: Unit, user_id: int, revision: int) -> list[int]:
    """Finds revisions up to this one to which a background job has added changes later, or still may add some."""
    statement = "SELECT subject_id, data, finished_at FROM jobs WHERE user_id = :user_id AND kind IN :kinds"
    return [
        began
        for began, data, finished_at in db.all(statement, user_id=user_id, kinds=[CHANGE_MATCHING, DELETE_MATCHING])
        if began <= revision
        and (finished_at is None or msgspec.json.decode(data)["progress"]["last_revision"] > revision)
    ]


def find_touched_entries(db: Unit, user_id: int, entry_ids: list[int], revision: int) -> set[int]:
    """Finds which of the given entries were touched, directly or through a split, by a change after `revision`."""
    rows = db.all(
        """
        SELECT object_id FROM changes
        WHERE user_id = :user_id AND kind = 'entries' AND object_id IN :ids AND revision > :revision
        UNION
        SELECT s.entry_id FROM splits s JOIN changes c ON c.user_id = s.user_id AND c.kind = 'splits'
            AND c.object_id = s.id AND c.revision > :revision
        WHERE s.user_id = :user_id AND s.entry_id IN :ids
        """,
        user_id=user_id,
        ids=entry_ids,
        revision=revision,
    )
    return {entry_id for (entry_id,) in rows}


def is_undone(db: Unit, user_id: int, revision: int) -> bool:
    undone = "user_id = :user_id AND revision = :revision AND undone_by IS NOT NULL"
    return bool(db.value(f"SELECT 1 FROM revisions WHERE {undone}", user_id=user_id, revision=revision))


def _of_parts(db: Unit, parts: tuple[tuple[str, str], ...], which: str) -> list[str]:
    """Returns SQL conditions that find logged changes to an object's parts.

    Existing parts are found by their reference to the object, deleted parts by the reference in their logged row.
    """
    if not parts:
        return []
    conditions = [
        f"kind = '{part}' AND object_id IN (SELECT id FROM {part} WHERE user_id = :user_id AND {column} IN ({which}))"
        for part, column in parts
    ]
    belonged = " ".join(f"WHEN '{part}' THEN {changes.number_in(db, column)}" for part, column in parts)
    return [*conditions, f"action = 'removed' AND CASE kind {belonged} END IN ({which})"]


def _by_id(kind: str, name: str, *, by_split: bool) -> tuple[str, dict[str, Any]]:
    usual = f"SELECT id FROM {kind} WHERE user_id = :user_id AND id = :id"
    return _BY_SPLIT if by_split else usual, {"id": int(name[:18])}


def _by_name(kind: str, name: str) -> tuple[str, dict[str, Any]]:
    value = fold(name.strip()) if kind == "tags" else name
    return f"SELECT id FROM {kind} WHERE user_id = :user_id AND {_NAMED_IN[kind]} = :name", {"name": value}
