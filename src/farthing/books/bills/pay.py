"""Finds the bill that a transaction pays when it is recorded or changed, in the same unit of work."""

from collections.abc import Sequence

from msgspec.structs import replace

from farthing.kernel.money import UNITS_MAX
from farthing.ledger.entry import Entry
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from ..transactions.links import EntryLinks
from . import store
from .matching import candidate, find_paid_bill


def choose_bills(db: Unit, user_id: int, entries: Sequence[Entry]) -> list[Entry]:
    """Each entry with the bill it pays; one query, however many bills and entries. A hand's decision stays."""
    found = {place: candidate(one) for place, one in enumerate(entries) if _may_pay(one)}
    if not found:
        return list(entries)
    # Splits together may be more than any bill can ask for, and more than the database can hold: that is told later.
    units = [min(units, UNITS_MAX) for one in found.values() for units in one.units.values()]
    currency_ids = {currency_id for one in found.values() for currency_id in one.units}
    # One is held against the words where the bills are kept. With many that would be many texts for each bill.
    text = next(iter(found.values())).plain_text if len(found) == 1 else None
    bills = store.find_fitting(db, user_id, currency_ids, units, text)
    return [
        _with_bill(entry, find_paid_bill(bills, found[place])) if place in found else entry
        for place, entry in enumerate(entries)
    ]


def _with_bill(entry: Entry, bill_id: int | None) -> Entry:
    return entry if entry.bill_id == bill_id else replace(entry, bill_id=bill_id)


def _may_pay(entry: Entry) -> bool:
    return entry.type == Type.WITHDRAWAL and not entry.bill_by_hand


def choose_bill_again(db: Unit, user_id: int, entry: Entry, kept: EntryLinks, *, unlinks: bool) -> Entry:
    """The bill of an entry that takes the place of one with these links.

    A bill that was named is a decision by hand. So is an empty one, where there is a link to undo, or the machine
    would make one now: who sends back a transaction as it was seen, without a bill, has decided nothing.
    """
    if not unlinks:
        return choose_bills_again(db, user_id, [entry], [kept])[0]
    [tried] = choose_bills(db, user_id, [entry])
    undone = kept.by_hand or kept.bill_id is not None or tried.bill_id is not None
    return replace(entry, bill_id=None, bill_by_hand=undone)


def choose_bills_again(db: Unit, user_id: int, entries: Sequence[Entry], kept: Sequence[EntryLinks]) -> list[Entry]:
    """The same for many that nobody unlinks, in one query."""
    decided = [
        replace(entry, bill_id=one.bill_id, bill_by_hand=True) if one.by_hand and not entry.bill_by_hand else entry
        for entry, one in zip(entries, kept, strict=True)
    ]
    return choose_bills(db, user_id, decided)
