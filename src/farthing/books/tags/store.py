"""Stores tags, and which entries have them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from farthing.kernel.shown import rate
from farthing.storage.unit import Unit

from ..labels import store as labels
from .model import Tag, TagDraft

_COLUMNS = "id, name, on_day, description, latitude, longitude, zoom_level, created_at, updated_at"


def _tag(row: Sequence[Any]) -> Tag:
    tag_id, name, on, description, latitude, longitude, zoom_level, created_at, updated_at = row
    return Tag(
        id=tag_id,
        name=name,
        on=on,
        description=description,
        latitude=latitude,
        longitude=longitude,
        zoom_level=zoom_level,
        created_at=created_at,
        updated_at=updated_at,
    )


def get(db: Unit, user_id: int, tag_id: int) -> Tag | None:
    row = labels.row(db, user_id, "tags", _COLUMNS, tag_id)
    return _tag(row) if row else None


def get_named(db: Unit, user_id: int, name: str) -> Tag | None:
    row = labels.find_row(db, user_id, "tags", _COLUMNS, name)
    return _tag(row) if row else None


def page(db: Unit, user_id: int, *, limit: int, offset: int, unused: bool = False) -> tuple[int, list[Tag]]:
    total, rows = labels.page(db, user_id, "tags", _COLUMNS, limit=limit, offset=offset, unused=unused)
    return total, [_tag(row) for row in rows]


def of_entries(db: Unit, user_id: int, entry_ids: Sequence[int]) -> Mapping[int, list[Tag]]:
    """The tags of each entry, in the order given; an entry without tags has an empty list."""
    columns = ", ".join(f"t.{column}" for column in _COLUMNS.split(", "))
    rows = db.all(
        f"""
        SELECT l.entry_id, {columns}
        FROM entry_tags l JOIN tags t ON t.user_id = l.user_id AND t.id = l.tag_id
        WHERE l.user_id = :user_id AND l.entry_id IN :entry_ids ORDER BY l.id
        """,
        user_id=user_id,
        entry_ids=sorted(set(entry_ids)),
    )
    tags: dict[int, list[Tag]] = defaultdict(list)
    for entry_id, *tag in rows:
        tags[entry_id].append(_tag(tag))
    return tags


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
