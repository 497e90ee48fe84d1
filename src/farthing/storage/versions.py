"""Has an object changed since somebody read it? The log of changes knows: each write of a user has a revision."""

from typing import Any

from ..text import fold
from .unit import Unit

# A transaction goes by the id of any of its splits.
_BY_ID = {"entries": "object_id IN (SELECT entry_id FROM splits WHERE user_id = :user_id AND id = :id)"}
# What may also be called by its name, and where that stands.
_NAMED_IN = {"tags": "name_fold", "preferences": "name"}


def is_forgotten(db: Unit, user_id: int, revision: int) -> bool:
    """So long ago that the log no longer knows what was changed since."""
    first = db.value("SELECT MIN(revision) FROM revisions WHERE user_id = :user_id", user_id=user_id)
    return first is not None and revision + 1 < int(first)


def changed_since(db: Unit, user_id: int, kind: str, name: str, revision: int) -> bool:
    """`name` is what stands in the path: an id, or for tags and preferences what they are called.

    What cannot be either has not changed: that it is not there is not ours to say.
    """
    is_id = name.isascii() and name.isdigit()
    if not is_id and kind not in _NAMED_IN:
        return False
    where, given = _by_id(kind, name) if is_id else _by_name(kind, name)
    return bool(
        db.value(
            f"""
            SELECT 1 FROM changes WHERE user_id = :user_id AND kind = :kind AND {where}
                AND revision > :revision AND action <> 'removed' LIMIT 1
            """,
            user_id=user_id,
            kind=kind,
            revision=revision,
            **given,
        )
    )


def _by_id(kind: str, name: str) -> tuple[str, dict[str, Any]]:
    return _BY_ID.get(kind, "object_id = :id"), {"id": int(name[:18])}


def _by_name(kind: str, name: str) -> tuple[str, dict[str, Any]]:
    value = fold(name.strip()) if kind == "tags" else name
    return f"object_id IN (SELECT id FROM {kind} WHERE user_id = :user_id AND {_NAMED_IN[kind]} = :name)", {
        "name": value
    }
