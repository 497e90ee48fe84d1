"""Counts the firings of recurrences, to number the transactions that they created."""

from collections.abc import Mapping

from msgspec import Struct

from farthing.storage.unit import Unit


class FiringCount(Struct, frozen=True):
    """`number` is the place of a transaction among those of its recurrence, from 1. `total` is the number of
    transactions that the recurrence will create, or 0 if it has no end.
    """

    total: int | None
    number: int | None


def load(db: Unit, user_id: int, recurrence_ids: Mapping[int, int | None]) -> dict[int, FiringCount]:
    """Numbers entries, given with their recurrences, by planned day. Entries without a stored firing have no number."""
    rows = db.all(
        """
        SELECT e.id, COALESCE(r.count_max, 0), ranked.number
        FROM entries e JOIN recurrences r ON r.user_id = e.user_id AND r.id = e.recurrence_id
        LEFT JOIN (
            SELECT entry_id, ROW_NUMBER() OVER (PARTITION BY recurrence_id ORDER BY planned_on, place) AS number
            FROM firings WHERE user_id = :user_id AND recurrence_id IN :recurrence_ids
        ) AS ranked ON ranked.entry_id = e.id
        WHERE e.user_id = :user_id AND e.id IN :entry_ids
        """,
        user_id=user_id,
        recurrence_ids=sorted({recurrence_id for recurrence_id in recurrence_ids.values() if recurrence_id}),
        entry_ids=sorted(recurrence_ids),
    )
    return {entry_id: FiringCount(total=int(total), number=number) for entry_id, total, number in rows}
