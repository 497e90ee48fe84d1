"""Reads stored splits in the form from which the ledger computes sums."""

from collections import defaultdict
from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from msgspec.structs import replace

from farthing.ledger.entry import BookedSplit
from farthing.storage.unit import Owned, Unit

_BOOKED = """
SELECT entry_id AS owner_id, type, on_day AS "on", source_id, left_currency_id, left_units, destination_id,
    arrived_currency_id, arrived_units, reconciled, category_id, budget_id, refund
FROM booked_splits AS splits
"""

_entry_of = itemgetter(0)


def of_entries(db: Unit, user_id: int, entry_ids: list[int]) -> list[list[BookedSplit]]:
    """Returns the splits of each entry, with its tags."""
    sql = f"{_BOOKED} WHERE user_id = :user_id AND entry_id IN :entry_ids ORDER BY entry_id, position"
    answer = db.ask_structs(Owned[BookedSplit], sql, user_id=user_id, entry_ids=entry_ids)
    tags = tags_of(db, user_id, entry_ids)
    splits: dict[int, list[BookedSplit]] = defaultdict(list)
    for row in answer.rows():
        tag_ids = tags.get(row.owner_id)
        splits[row.owner_id].append(replace(row.item, tag_ids=tag_ids) if tag_ids else row.item)
    return list(splits.values())


def find(db: Unit, user_id: int, condition: str, **parameters: Any) -> list[tuple[int, BookedSplit]]:
    """Finds the splits that meet an SQL condition, each with the id of its entry. Does not read tags."""
    sql = f"{_BOOKED} WHERE user_id = :user_id AND {condition}"
    return [(row.owner_id, row.item) for row in db.structs(Owned[BookedSplit], sql, user_id=user_id, **parameters)]


def tags_of(db: Unit, user_id: int, entry_ids: list[int]) -> dict[int, tuple[int, ...]]:
    sql = "SELECT entry_id, tag_id FROM entry_tags WHERE user_id = :user_id AND entry_id IN :ids ORDER BY entry_id"
    rows = db.all(sql, user_id=user_id, ids=entry_ids)
    return {entry_id: tuple(tag_id for _, tag_id in of) for entry_id, of in groupby(rows, key=_entry_of)}


def categories_of(
    db: Unit, user_id: int, entry_id: int, kept: Mapping[int, int] | None = None
) -> set[tuple[int, int | None]]:
    """Returns the position and the category of each split.

    If `kept` is given, returns only the splits whose ids it maps to new positions, with these.
    """
    sql = "SELECT id, position, category_id FROM splits WHERE user_id = :user_id AND entry_id = :id"
    rows = db.all(sql, user_id=user_id, id=entry_id)
    return {
        (position if kept is None else kept[split_id], category_id)
        for split_id, position, category_id in rows
        if kept is None or split_id in kept
    }
