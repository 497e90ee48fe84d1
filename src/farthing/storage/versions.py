"""Checks whether an object has changed since a client read it, using the log of changes."""

from typing import Any

from farthing.kernel.text import fold

from . import changes
from .restoring import PARTS
from .unit import Unit

# A transaction can be addressed by the id of any of its splits.
_BY_ID = {"entries": "SELECT entry_id FROM splits WHERE user_id = :user_id AND id = :id"}
# Objects that can also be addressed by name, and the column of the name.
_NAMED_IN = {"tags": "name_fold", "preferences": "name"}
# An account shows its opening balance, which is stored as a transaction.
_SHOWN_WITH = {"accounts": (("entries", "opening_account_id"),)}


def is_forgotten(db: Unit, user_id: int, revision: int) -> bool:
    """Whether the log no longer reaches back to this revision."""
    first = db.value("SELECT MIN(revision) FROM revisions WHERE user_id = :user_id", user_id=user_id)
    return first is not None and revision + 1 < int(first)


def has_changed_since(db: Unit, user_id: int, kind: str, name: str, revision: int) -> bool:
    """`name` is the id from the path, or the name of a tag or preference.

    An object that does not exist has not changed: the handler reports that. Changes of its parts count as well.
    """
    is_id = name.isascii() and name.isdigit()
    if not is_id and kind not in _NAMED_IN:
        return False
    which, given = _by_id(kind, name) if is_id else _by_name(kind, name)
    parts = (*PARTS.get(kind, ()), *_SHOWN_WITH.get(kind, ()))
    looked_at = [f"kind = '{kind}' AND object_id IN ({which})", *_of_parts(db, parts, which)]
    since = "SELECT 1 FROM changes WHERE user_id = :user_id AND revision > :revision AND"
    statement = " UNION ALL ".join(f"{since} {where}" for where in looked_at)
    return bool(db.value(f"{statement} LIMIT 1", user_id=user_id, revision=revision, **given))


def _of_parts(db: Unit, parts: tuple[tuple[str, str], ...], which: str) -> list[str]:
    """Existing parts are found by reference; for deleted ones, all deletions since that revision are checked."""
    if not parts:
        return []
    there = [
        f"kind = '{part}' AND object_id IN (SELECT id FROM {part} WHERE user_id = :user_id AND {column} IN ({which}))"
        for part, column in parts
    ]
    belonged = " ".join(f"WHEN '{part}' THEN {changes.number_in(db.dialect, column)}" for part, column in parts)
    return [*there, f"action = 'removed' AND CASE kind {belonged} END IN ({which})"]


def _by_id(kind: str, name: str) -> tuple[str, dict[str, Any]]:
    usual = f"SELECT id FROM {kind} WHERE user_id = :user_id AND id = :id"
    return _BY_ID.get(kind, usual), {"id": int(name[:18])}


def _by_name(kind: str, name: str) -> tuple[str, dict[str, Any]]:
    value = fold(name.strip()) if kind == "tags" else name
    return f"SELECT id FROM {kind} WHERE user_id = :user_id AND {_NAMED_IN[kind]} = :name", {"name": value}
