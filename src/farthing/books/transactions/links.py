"""Stores which bill, recurrence and piggy bank an entry belongs to; links made by hand are not touched."""

from collections.abc import Collection, Iterator

from msgspec import Struct

from farthing.storage import changes
from farthing.storage.unit import Unit


class EntryLinks(Struct, frozen=True):
    """What an entry is linked to. `by_hand`: somebody decided about its bill, also when they decided for none."""

    bill_id: int | None
    by_hand: bool
    recurrence_id: int | None
    piggy_bank_id: int | None = None


class PaymentCursor(Struct, frozen=True):
    """How far a look through the withdrawals of a range of amounts has come."""

    units: int = 0
    entry_id: int = 0


class Payment(Struct, frozen=True):
    """A withdrawal of some amount; `free` when neither a bill nor a hand has claimed it."""

    place: PaymentCursor
    free: bool


def of_entry(db: Unit, user_id: int, entry_id: int) -> EntryLinks:
    return of_entries(db, user_id, [entry_id]).get(entry_id) or EntryLinks(
        bill_id=None, by_hand=False, recurrence_id=None
    )


def of_entries(db: Unit, user_id: int, entry_ids: list[int]) -> dict[int, EntryLinks]:
    """By id, in the order of the ids; one query."""
    rows = db.all(
        """
        SELECT id, bill_id, bill_by_hand, recurrence_id, piggy_bank_id FROM entries
        WHERE user_id = :user_id AND id IN :ids ORDER BY id
        """,
        user_id=user_id,
        ids=entry_ids,
    )
    return {
        entry_id: EntryLinks(
            bill_id=bill_id, by_hand=bool(by_hand), recurrence_id=recurrence_id, piggy_bank_id=piggy_bank_id
        )
        for entry_id, bill_id, by_hand, recurrence_id, piggy_bank_id in rows
    }


def link(db: Unit, user_id: int, entry_ids: list[int], bill_id: int) -> None:
    """The transaction itself is not touched: it still was last changed when somebody changed it."""
    changes.changing(db, "entries", f"id IN :entry_ids AND {_FREE}", entry_ids=entry_ids)
    db.run(
        f"UPDATE entries SET bill_id = :bill_id WHERE user_id = :user_id AND id IN :entry_ids AND {_FREE}",
        user_id=user_id,
        entry_ids=entry_ids,
        bill_id=bill_id,
    )


_FREE = "bill_id IS NULL AND bill_by_hand = 0"


def release(db: Unit, user_id: int, bill_id: int) -> None:
    """The bill goes, its transactions stay as they are; they are free for other bills again."""
    changes.changing(db, "entries", "bill_id = :bill_id", only=("bill_id", "bill_by_hand"), bill_id=bill_id)
    db.run(
        "UPDATE entries SET bill_id = NULL, bill_by_hand = 0 WHERE user_id = :user_id AND bill_id = :bill_id",
        user_id=user_id,
        bill_id=bill_id,
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


def release_piggy_banks(db: Unit, user_id: int, piggy_bank_ids: list[int]) -> None:
    """The transfers stay as they are."""
    changes.changing(db, "entries", "piggy_bank_id IN :ids", ids=piggy_bank_ids)
    db.run(
        "UPDATE entries SET piggy_bank_id = NULL WHERE user_id = :user_id AND piggy_bank_id IN :ids",
        user_id=user_id,
        ids=piggy_bank_ids,
    )


def payments_between(
    db: Unit, user_id: int, currency_id: int, *, lowest: int, highest: int, after: PaymentCursor, limit: int
) -> list[Payment]:
    """The next withdrawals that amount to something in the range, linked ones too: so much is read, and no more."""
    rows = db.all(
        """
        SELECT p.units, p.entry_id, CASE WHEN e.bill_id IS NULL AND e.bill_by_hand = 0 THEN 1 ELSE 0 END
        FROM payments p JOIN entries e ON e.user_id = p.user_id AND e.id = p.entry_id
        WHERE p.user_id = :user_id AND p.currency_id = :currency_id AND p.units >= :lowest AND p.units <= :highest
            AND (p.units, p.entry_id) > (:after_units, :after_id)
        ORDER BY p.units, p.entry_id LIMIT :limit
        """,
        user_id=user_id,
        currency_id=currency_id,
        lowest=max(lowest, after.units),
        highest=highest,
        after_units=after.units,
        after_id=after.entry_id,
        limit=limit,
    )
    return [
        Payment(place=PaymentCursor(units=units, entry_id=entry_id), free=bool(free)) for units, entry_id, free in rows
    ]


class PaymentText(Struct, frozen=True):
    """A text that stands on an entry or on one of its splits, and the accounts whose names stand there, too."""

    entry_id: int
    text: str | None
    account_ids: tuple[int, ...] = ()


def texts_of(db: Unit, user_id: int, entry_ids: list[int]) -> Iterator[PaymentText]:
    """Where the words of a bill are looked for. Two plain scans: of a join PostgreSQL makes the worst while it knows
    nothing yet about the tables, right after an import."""
    entries = "SELECT id, description FROM entries WHERE user_id = :user_id AND id IN :ids"
    for entry_id, text in db.stream(entries, user_id=user_id, ids=entry_ids):
        yield PaymentText(entry_id=entry_id, text=text)
    splits = """
        SELECT entry_id, description, source_id, destination_id FROM splits
        WHERE user_id = :user_id AND entry_id IN :ids
    """
    for entry_id, text, source_id, destination_id in db.stream(splits, user_id=user_id, ids=entry_ids):
        yield PaymentText(entry_id=entry_id, text=text, account_ids=(source_id, destination_id))


def names_of(db: Unit, user_id: int, account_ids: Collection[int]) -> dict[int, str]:
    rows = db.all(
        "SELECT id, name FROM accounts WHERE user_id = :user_id AND id IN :ids",
        user_id=user_id,
        ids=sorted(account_ids),
    )
    return dict(rows)
