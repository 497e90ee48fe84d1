"""Stores tags, and which entries have them."""

from collections.abc import Mapping, Sequence
from typing import Any

from farthing.kernel.shown import rate
from farthing.kernel.text import fold
from farthing.storage.unit import Unit, structs_by_owner

from ..labels import store as labels
from .model import Tag, TagDraft

_COLUMNS = 'id, name, on_day AS "on", description, latitude, longitude, zoom_level, created_at, updated_at'


def get(db: Unit, user_id: int, tag_id: int) -> Tag | None:
    return labels.get(db, user_id, "tags", Tag, _COLUMNS, tag_id)


def get_named(db: Unit, user_id: int, name: str) -> Tag | None:
    sql = f"SELECT {_COLUMNS} FROM tags WHERE user_id = :user_id AND name_fold = :name_fold"
    return db.struct(Tag, sql, user_id=user_id, name_fold=fold(name))


def page(db: Unit, user_id: int, *, limit: int, offset: int, unused: bool = False) -> tuple[int, list[Tag]]:
    return labels.page(db, user_id, "tags", Tag, _COLUMNS, limit=limit, offset=offset, unused=unused)


def of_entries(db: Unit, user_id: int, entry_ids: Sequence[int]) -> Mapping[int, list[Tag]]:
    """Returns the tags of each entry, in their order; an entry without tags has an empty list."""
    columns = ", ".join(f"t.{column}" for column in _COLUMNS.split(", "))
    sql = f"""
        SELECT l.entry_id AS owner_id, {columns}
        FROM entry_tags l JOIN tags t ON t.user_id = l.user_id AND t.id = l.tag_id
        WHERE l.user_id = :user_id AND l.entry_id IN :entry_ids ORDER BY l.id
    """
    return structs_by_owner(db, Tag, sql, user_id=user_id, entry_ids=sorted(set(entry_ids)))


def add(db: Unit, user_id: int, draft: TagDraft, now: str) -> int:
    return labels.add(db, user_id, "tags", draft.name, now, **_more(draft))


def change(db: Unit, user_id: int, tag_id: int, draft: TagDraft, now: str) -> None:
    labels.change(db, user_id, "tags", tag_id, draft.name, now, **_more(draft))


def _more(draft: TagDraft) -> dict[str, Any]:
    return {
        "on_day": draft.on.isoformat() if draft.on else None,
        "description": draft.description,
        "latitude": rate(draft.latitude) if draft.latitude is not None else None,
        "longitude": rate(draft.longitude) if draft.longitude is not None else None,
        "zoom_level": draft.zoom_level,
    }
