"""Stores tags and reads the tags of entries."""

from collections.abc import Mapping, Sequence

from farthing.kernel.text import fold
from farthing.storage.change_log.records import Records
from farthing.storage.unit import Unit, structs_by_owner

from ..labels import store as labels
from .model import Tag, TagDraft

_COLUMNS = 'id, name, on_day AS "on", description, latitude, longitude, zoom_level, created_at, updated_at'


_TAGS = Records[Tag, TagDraft](Tag, "tags", f"SELECT {_COLUMNS} FROM tags", order="name_fold")
get, get_some, add, change = _TAGS.get, _TAGS.get_some, _TAGS.add, _TAGS.change


def get_named(db: Unit, user_id: int, name: str) -> Tag | None:
    return next(iter(_TAGS.find(db, user_id, "name_fold = :fold", fold=fold(name))), None)


def page(db: Unit, user_id: int, *, limit: int, offset: int, unused: bool = False) -> tuple[int, list[Tag]]:
    return _TAGS.page(db, user_id, labels.unused("tags") if unused else "", limit=limit, offset=offset)


def of_entries(db: Unit, user_id: int, entry_ids: Sequence[int]) -> Mapping[int, list[Tag]]:
    """Returns the tags of each entry, in the order in which they were added; an empty list if an entry has none."""
    columns = ", ".join(f"t.{column}" for column in _COLUMNS.split(", "))
    sql = f"""
        SELECT l.entry_id AS owner_id, {columns}
        FROM entry_tags l JOIN tags t ON t.user_id = l.user_id AND t.id = l.tag_id
        WHERE l.user_id = :user_id AND l.entry_id IN :entry_ids ORDER BY l.id
    """
    return structs_by_owner(db, Tag, sql, user_id=user_id, entry_ids=sorted(set(entry_ids)))
