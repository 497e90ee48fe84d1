"""Reads splits back in the form that the ledger sums."""

from itertools import groupby
from operator import itemgetter
from typing import Any

from farthing.ledger.entry import BookedSplit
from farthing.storage.unit import Row, Unit

_BOOKED = """
SELECT entry_id, type, on_day, source_id, left_currency_id, left_units, destination_id, arrived_currency_id,
    arrived_units, reconciled, category_id, budget_id, refund
FROM booked_splits AS splits
"""

_entry_of = itemgetter(0)


def of_entries(db: Unit, user_id: int, entry_ids: list[int]) -> list[list[BookedSplit]]:
    """The splits of each entry, with its tags."""
    asked = db.ask(
        f"{_BOOKED} WHERE user_id = :user_id AND entry_id IN :entry_ids ORDER BY entry_id, position",
        user_id=user_id,
        entry_ids=entry_ids,
    )
    tags = tags_of(db, user_id, entry_ids)
    rows = asked.rows()
    return [
        [_read(row, tags.get(entry_id, ())) for row in of_entry] for entry_id, of_entry in groupby(rows, key=_entry_of)
    ]


def find(db: Unit, user_id: int, condition: str, **parameters: Any) -> list[tuple[int, BookedSplit]]:
    """The splits that meet a condition in SQL, each with the id of its entry; tags are not read."""
    rows = db.all(f"{_BOOKED} WHERE user_id = :user_id AND {condition}", user_id=user_id, **parameters)
    return [(_entry_of(row), _read(row)) for row in rows]


def _read(row: Row, tag_ids: tuple[int, ...] = ()) -> BookedSplit:
    (
        _, type_, on, source_id, left_currency_id, left_units, destination_id, arrived_currency_id, arrived_units,
        reconciled, category_id, budget_id, refund,
    ) = row  # fmt: skip
    return BookedSplit(
        type=type_,
        on=on,
        source_id=source_id,
        left_currency_id=left_currency_id,
        left_units=left_units,
        destination_id=destination_id,
        arrived_currency_id=arrived_currency_id,
        arrived_units=arrived_units,
        reconciled=reconciled == 1,
        category_id=category_id,
        budget_id=budget_id,
        refund=refund == 1,
        tag_ids=tag_ids,
    )


def tags_of(db: Unit, user_id: int, entry_ids: list[int]) -> dict[int, tuple[int, ...]]:
    rows = db.all(
        "SELECT entry_id, tag_id FROM entry_tags WHERE user_id = :user_id AND entry_id IN :entry_ids ORDER BY entry_id",
        user_id=user_id,
        entry_ids=entry_ids,
    )
    return {entry_id: tuple(tag_id for _, tag_id in of) for entry_id, of in groupby(rows, key=_entry_of)}


def categories_of(db: Unit, user_id: int, entry_id: int) -> set[tuple[int, int | None]]:
    """The position and the category of each split."""
    sql = "SELECT position, category_id FROM splits WHERE user_id = :user_id AND entry_id = :id"
    return {(position, category_id) for position, category_id in db.all(sql, user_id=user_id, id=entry_id)}
