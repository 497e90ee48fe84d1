"""Which bill does a transaction pay? The link stands on the entry; one made or undone by hand is never touched here."""

from ..storage import changes
from ..storage.unit import Unit


def link(db: Unit, user_id: int, entry_ids: list[int], bill_id: int, now: str) -> None:
    changes.changing(db, "entries", "id IN :entry_ids", entry_ids=entry_ids)
    db.run(
        """
        UPDATE entries SET bill_id = :bill_id, updated_at = :now
        WHERE user_id = :user_id AND id IN :entry_ids AND bill_id IS NULL AND bill_by_hand = 0
        """,
        user_id=user_id,
        entry_ids=entry_ids,
        bill_id=bill_id,
        now=now,
    )


def release(db: Unit, user_id: int, bill_id: int, now: str) -> None:
    """The bill goes, its transactions stay; they are free for other bills again."""
    changes.changing(db, "entries", "bill_id = :bill_id", bill_id=bill_id)
    db.run(
        """
        UPDATE entries SET bill_id = NULL, bill_by_hand = 0, updated_at = :now
        WHERE user_id = :user_id AND bill_id = :bill_id
        """,
        user_id=user_id,
        bill_id=bill_id,
        now=now,
    )


def release_recurrences(db: Unit, user_id: int, recurrence_ids: list[int], now: str) -> None:
    """The recurrences go, what they have made stays."""
    changes.changing(db, "entries", "recurrence_id IN :ids", ids=recurrence_ids)
    db.run(
        "UPDATE entries SET recurrence_id = NULL, updated_at = :now WHERE user_id = :user_id AND recurrence_id IN :ids",
        user_id=user_id,
        ids=recurrence_ids,
        now=now,
    )


def unlinked_between(
    db: Unit, user_id: int, currency_id: int, *, lowest: int, highest: int, after: tuple[int, int], limit: int
) -> list[tuple[int, int]]:
    """Withdrawals of such an amount that no bill and no hand has claimed, as (units, entry), from `after` on."""
    rows = db.all(
        """
        SELECT p.units, p.entry_id
        FROM payments p
        JOIN entries e ON e.user_id = p.user_id AND e.id = p.entry_id AND e.bill_id IS NULL AND e.bill_by_hand = 0
        WHERE p.user_id = :user_id AND p.currency_id = :currency_id AND p.units >= :lowest AND p.units <= :highest
            AND (p.units, p.entry_id) > (:after_units, :after_id)
        ORDER BY p.units, p.entry_id LIMIT :limit
        """,
        user_id=user_id,
        currency_id=currency_id,
        lowest=lowest,
        highest=highest,
        after_units=after[0],
        after_id=after[1],
        limit=limit,
    )
    return [(units, entry_id) for units, entry_id in rows]


def by_hand(db: Unit, user_id: int, entry_id: int) -> tuple[int | None, bool]:
    """The bill of an entry, and whether a hand decided it."""
    row = db.one(
        "SELECT bill_id, bill_by_hand FROM entries WHERE user_id = :user_id AND id = :id", user_id=user_id, id=entry_id
    )
    return (row[0], bool(row[1])) if row else (None, False)
