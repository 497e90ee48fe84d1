"""Stores which bill, recurrence and piggy bank an entry is linked to. Bills chosen by hand are not replaced."""

from collections.abc import Iterator

from msgspec import Struct

from farthing.ledger.kinds import Type
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import find_ids
from farthing.storage.unit import Owned, Unit


class EntryLinks(Struct, frozen=True):
    """The objects that an entry is linked to. `by_hand` is True if the user chose the bill, or chose to have none."""

    bill_id: int | None
    by_hand: bool
    recurrence_id: int | None
    piggy_bank_id: int | None = None


class PaymentCursor(Struct, frozen=True):
    """The last withdrawal that a scan in order of amounts has read."""

    units: int = 0
    entry_id: int = 0


class PaymentCandidate(Struct, frozen=True):
    """A withdrawal that may pay a bill. It is `free` if it has no bill, unless the user chose that it has none."""

    cursor: PaymentCursor
    free: bool


def of_entry(db: Unit, user_id: int, entry_id: int) -> EntryLinks:
    none = EntryLinks(bill_id=None, by_hand=False, recurrence_id=None)
    return of_entries(db, user_id, [entry_id]).get(entry_id, none)


def of_entries(db: Unit, user_id: int, entry_ids: list[int]) -> dict[int, EntryLinks]:
    """Returns the links of each entry by entry id, ordered by id, with one query."""
    sql = """
        SELECT id AS owner_id, bill_id, bill_by_hand AS by_hand, recurrence_id, piggy_bank_id FROM entries
        WHERE user_id = :user_id AND id IN :ids ORDER BY id
    """
    links = db.structs(Owned[EntryLinks], sql, user_id=user_id, ids=entry_ids)
    return {link.owner_id: link.item for link in links}


def link(db: Unit, user_id: int, entry_ids: list[int], bill_id: int) -> None:
    """Links those of the given entries that are free (see `PaymentCandidate`) to a bill.

    Does not change `updated_at`, because the user has not edited the entries.
    """
    where = f"id IN :entry_ids AND {_FREE}"
    changes.update(db, "entries", user_id, where, {"bill_id": bill_id}, entry_ids=entry_ids)


_FREE = "bill_id IS NULL AND bill_by_hand = 0"


def release(db: Unit, user_id: int, bill_id: int) -> None:
    """Unlinks the transactions of a bill, so that other bills can match them."""
    unlinked = {"bill_id": None, "bill_by_hand": 0}
    changes.update(db, "entries", user_id, "bill_id = :bill_id", unlinked, narrow=True, bill_id=bill_id)


def release_recurrences(db: Unit, user_id: int, recurrence_ids: list[int], now: str) -> None:
    unlinked = {"recurrence_id": None}
    changes.update(db, "entries", user_id, "recurrence_id IN :ids", unlinked, now=now, ids=recurrence_ids)


def release_piggy_banks(db: Unit, user_id: int, piggy_bank_ids: list[int]) -> None:
    changes.update(db, "entries", user_id, "piggy_bank_id IN :ids", {"piggy_bank_id": None}, ids=piggy_bank_ids)


def find_stranded(db: Unit, user_id: int, piggy_bank_ids: list[int], entry_ids: list[int]) -> list[int]:
    """Finds entries that touch none of their piggy bank's accounts.

    Searches the given entries and all entries linked to the given piggy banks.
    """
    sql = """
        SELECT e.id FROM entries e
        WHERE e.user_id = :user_id AND e.piggy_bank_id IS NOT NULL
            AND (e.piggy_bank_id IN :piggy_bank_ids OR e.id IN :entry_ids)
            AND NOT EXISTS (
                SELECT 1 FROM splits s JOIN piggy_bank_accounts v ON v.user_id = s.user_id
                    AND v.account_id IN (s.source_id, s.destination_id)
                WHERE s.user_id = e.user_id AND s.entry_id = e.id AND v.piggy_bank_id = e.piggy_bank_id
            )
    """
    return find_ids(db, sql, user_id=user_id, piggy_bank_ids=piggy_bank_ids, entry_ids=entry_ids)


def leave_piggy_banks(db: Unit, user_id: int, entry_ids: list[int]) -> None:
    changes.update(db, "entries", user_id, "id IN :ids", {"piggy_bank_id": None}, ids=entry_ids)


def payments_between(
    db: Unit, user_id: int, currency_id: int, *, lowest: int, highest: int, after: PaymentCursor, limit: int
) -> list[PaymentCandidate]:
    """Returns up to `limit` next withdrawals with amounts in the range, including those that have a bill already."""
    return db.structs(
        PaymentCandidate,
        """
        SELECT p.units, p.entry_id, e.bill_id IS NULL AND e.bill_by_hand = 0 AS free
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


class FreePayment(Struct, frozen=True):
    """A withdrawal without a bill, with its total in each currency. `split_id` is the id of its first split."""

    entry_id: int
    split_id: int
    on: str
    units: dict[int, int]


def free_payments(db: Unit, user_id: int, start: str, end: str, *, limit: int) -> list[FreePayment]:
    """Reads the free withdrawals of these days (see `PaymentCandidate`), newest first, from at most `limit` splits."""
    rows = db.all(
        f"""
        SELECT s.entry_id, s.id, s.on_day, s.currency_id, s.units, s.foreign_currency_id, s.foreign_units
        FROM splits s JOIN entries ON entries.user_id = s.user_id AND entries.id = s.entry_id AND {_FREE}
        WHERE s.user_id = :user_id AND s.type = {Type.WITHDRAWAL:d} AND s.on_day >= :start AND s.on_day <= :end
        ORDER BY s.on_day DESC, s.entry_id DESC, s.position LIMIT :limit
        """,
        user_id=user_id,
        start=start,
        end=end,
        limit=limit,
    )
    # The limit may have cut off splits of the last withdrawal, so its amount would be wrong.
    whole = [row for row in rows if len(rows) < limit or row[0] != rows[-1][0]]
    payments: dict[int, FreePayment] = {}
    for entry_id, split_id, on, currency_id, units, foreign_currency_id, foreign_units in whole:
        payment = payments.setdefault(entry_id, FreePayment(entry_id=entry_id, split_id=split_id, on=on, units={}))
        for id_, amount in ({foreign_currency_id: foreign_units or 0} | {currency_id: units}).items():
            payment.units[id_] = payment.units.get(id_, 0) + amount
    return list(payments.values())


class PaymentText(Struct, frozen=True):
    """A text of an entry or a split, and the accounts of the split, whose names are also matched."""

    entry_id: int
    text: str | None
    account_ids: tuple[int, ...] = ()


def texts_of(db: Unit, user_id: int, entry_ids: list[int]) -> Iterator[PaymentText]:
    """Reads the texts that a bill's words are matched against.

    Uses two plain scans, because PostgreSQL plans a join badly right after an import, while it has no statistics.
    """
    entries = "SELECT id, description FROM entries WHERE user_id = :user_id AND id IN :ids"
    for entry_id, text in db.stream(entries, user_id=user_id, ids=entry_ids):
        yield PaymentText(entry_id=entry_id, text=text)
    splits = """
        SELECT entry_id, description, source_id, destination_id FROM splits
        WHERE user_id = :user_id AND entry_id IN :ids
    """
    for entry_id, text, source_id, destination_id in db.stream(splits, user_id=user_id, ids=entry_ids):
        yield PaymentText(entry_id=entry_id, text=text, account_ids=(source_id, destination_id))
