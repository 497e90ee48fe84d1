"""Stores links between transactions, and their types."""

from collections.abc import Collection
from typing import Any

from farthing.kernel.text import fold
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import Records, find_id, find_ids
from farthing.storage.unit import Unit, page_of

from .model import BUILT_IN_MAX, EntryLink, EntryLinkDraft, LinkEnd, LinkType, LinkTypeDraft

_TYPE = "SELECT id, name, inward, outward, created_at, updated_at FROM link_types"
_TYPES = Records[LinkType, LinkTypeDraft](LinkType, "link_types", _TYPE)
add_type, change_type, get_own_types = _TYPES.add, _TYPES.change, _TYPES.get_some
_SEEN = "(user_id = :user_id OR user_id IS NULL)"

# A link whose split is gone leads to the first split of the transaction.
_LINK = """
SELECT l.id, t.id AS type_id, t.name AS type_name, t.inward AS type_inward, t.outward AS type_outward,
    l.from_entry_id AS "inward.entry_id", COALESCE(f.id, f0.id) AS "inward.split_id",
    l.to_entry_id AS "outward.entry_id", COALESCE(o.id, o0.id) AS "outward.split_id",
    l.notes, l.created_at, l.updated_at
FROM entry_links l
JOIN link_types t ON t.id = COALESCE(l.link_type_id, l.built_in)
LEFT JOIN splits f ON f.user_id = l.user_id AND f.id = l.from_split_id AND f.entry_id = l.from_entry_id
JOIN splits f0 ON f0.user_id = l.user_id AND f0.entry_id = l.from_entry_id AND f0.position = 0
LEFT JOIN splits o ON o.user_id = l.user_id AND o.id = l.to_split_id AND o.entry_id = l.to_entry_id
JOIN splits o0 ON o0.user_id = l.user_id AND o0.entry_id = l.to_entry_id AND o0.position = 0
"""


def _complete(draft: EntryLinkDraft) -> dict[str, Any]:
    is_own = draft.type_id > BUILT_IN_MAX
    return {
        "link_type_id": draft.type_id if is_own else None,
        "built_in": None if is_own else draft.type_id,
        "from_entry_id": draft.inward.entry_id,
        "from_split_id": draft.inward.split_id,
        "to_entry_id": draft.outward.entry_id,
        "to_split_id": draft.outward.split_id,
    }


_LINKS = Records[EntryLink, EntryLinkDraft](
    EntryLink, "entry_links", _LINK, alias="l.", order="l.id", elsewhere=["type_id", "inward", "outward"],
    complete=_complete,
)  # fmt: skip
get, add, change, remove = _LINKS.get, _LINKS.add, _LINKS.change, _LINKS.remove
get_some = _LINKS.get_some


def page(
    db: Unit, user_id: int, *, limit: int, offset: int, entry_id: int | None = None
) -> tuple[int, list[EntryLink]]:
    """Lists all links, or those of one transaction."""
    if entry_id is None:
        return _LINKS.page(db, user_id, limit=limit, offset=offset)
    touching = "l.from_entry_id = :entry_id OR l.to_entry_id = :entry_id"
    return _LINKS.page(db, user_id, touching, limit=limit, offset=offset, entry_id=entry_id)


def find_same(db: Unit, user_id: int, draft: EntryLinkDraft, *, except_id: int = 0) -> int | None:
    """Finds another link of this type that already leads from one transaction to the other."""
    sql = """
        SELECT id FROM entry_links WHERE user_id = :user_id AND COALESCE(link_type_id, built_in) = :type_id
            AND from_entry_id = :inward AND to_entry_id = :outward AND id <> :id LIMIT 1
    """
    ends = {"inward": draft.inward.entry_id, "outward": draft.outward.entry_id}
    return find_id(db, sql, user_id=user_id, type_id=draft.type_id, id=except_id, **ends)


def remove_of(db: Unit, user_id: int, entry_ids: list[int]) -> None:
    """Removes the links of transactions that are about to be removed."""
    for column in ("from_entry_id", "to_entry_id"):
        changes.delete(db, "entry_links", user_id, f"{column} IN :entry_ids", entry_ids=entry_ids)


def find_ends(db: Unit, user_id: int, split_ids: Collection[int]) -> dict[int, LinkEnd]:
    sql = "SELECT id AS split_id, entry_id FROM splits WHERE user_id = :user_id AND id IN :ids"
    ends = db.structs(LinkEnd, sql, user_id=user_id, ids=sorted(split_ids))
    return {end.split_id: end for end in ends}


def find_inward(db: Unit, user_id: int, type_id: int, entry_ids: Collection[int]) -> set[int]:
    """Finds which of these transactions are at the inward end of a link of a built-in type."""
    sql = """
        SELECT from_entry_id FROM entry_links
        WHERE user_id = :user_id AND built_in = :type_id AND from_entry_id IN :ids
    """
    return {entry_id for (entry_id,) in db.all(sql, user_id=user_id, type_id=type_id, ids=sorted(entry_ids))}


def get_type(db: Unit, user_id: int, type_id: int) -> LinkType | None:
    return db.struct(LinkType, f"{_TYPE} WHERE {_SEEN} AND id = :id", user_id=user_id, id=type_id)


def find_type(db: Unit, user_id: int, name: str) -> LinkType | None:
    """Finds a type by its name, ignoring case."""
    return db.struct(LinkType, f"{_TYPE} WHERE {_SEEN} AND name_fold = :fold", user_id=user_id, fold=fold(name))


def page_of_types(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[LinkType]]:
    """Lists the types: first those that are built in, then the user's own."""
    return page_of(db, LinkType, _TYPE, "link_types", _SEEN, "id", user_id=user_id, limit=limit, offset=offset)


def remove_type(db: Unit, user_id: int, type_id: int) -> None:
    """Removes a type with its links."""
    changes.delete(db, "entry_links", user_id, "link_type_id = :id", id=type_id)
    changes.delete(db, "link_types", user_id, "id = :id", id=type_id)


def page_of_entries(
    db: Unit, user_id: int, type_id: int, start: str, end: str, types: Collection[int], *, limit: int, offset: int
) -> tuple[int, list[int]]:
    """Returns the number of transactions with links of a type, and a page of their ids, newest first."""
    linked = " UNION ".join(
        f"SELECT {column} FROM entry_links WHERE user_id = :user_id AND COALESCE(link_type_id, built_in) = :type_id"
        for column in ("from_entry_id", "to_entry_id")
    )
    where = f"user_id = :user_id AND id IN ({linked}) AND on_day BETWEEN :start AND :end AND type IN :types"
    of = {"user_id": user_id, "type_id": type_id, "start": start, "end": end, "types": sorted(types)}
    total = int(db.value(f"SELECT COUNT(*) FROM entries WHERE {where}", **of))
    sql = f"SELECT id FROM entries WHERE {where} ORDER BY on_day DESC, id DESC LIMIT :limit OFFSET :offset"
    return total, find_ids(db, sql, limit=limit, offset=offset, **of)
