"""Which bill does a transaction pay? Decided whenever one is recorded or changed, in the same unit of work."""

from collections.abc import Sequence
from dataclasses import replace

from ..ledger.entry import Entry
from ..ledger.kinds import Type
from ..money import UNITS_MAX
from ..storage.unit import Unit
from ..transactions.links import Kept
from . import store
from .matching import candidate, first_paid


def with_bills(db: Unit, user_id: int, entries: Sequence[Entry]) -> list[Entry]:
    """Each entry with the bill it pays; one query, however many bills and entries. A hand's decision stays."""
    found = {place: candidate(one) for place, one in enumerate(entries) if _may_pay(one)}
    if not found:
        return list(entries)
    # Splits together may be more than any bill can ask for, and more than the database can hold: that is told later.
    units = [min(units, UNITS_MAX) for one in found.values() for units in one.units.values()]
    currency_ids = {currency_id for one in found.values() for currency_id in one.units}
    # One is held against the words where the bills are kept. With many that would be many texts for each bill.
    text = next(iter(found.values())).plain_text if len(found) == 1 else None
    bills = store.that_may_fit(db, user_id, currency_ids, units, text)
    return [
        _paying(entry, first_paid(bills, found[place])) if place in found else entry
        for place, entry in enumerate(entries)
    ]


def _paying(entry: Entry, bill_id: int | None) -> Entry:
    return entry if entry.bill_id == bill_id else replace(entry, bill_id=bill_id)


def _may_pay(entry: Entry) -> bool:
    return entry.type == Type.WITHDRAWAL and not entry.bill_by_hand


def rewritten(db: Unit, user_id: int, entry: Entry, kept: Kept, *, unlinks: bool) -> Entry:
    """The bill of an entry that takes the place of one with these links.

    A bill that was named is a decision by hand. So is an empty one, where there is a link to undo, or the machine
    would make one now: who sends back a transaction as it was seen, without a bill, has decided nothing.
    """
    if not unlinks:
        return rewritten_all(db, user_id, [entry], [kept])[0]
    [tried] = with_bills(db, user_id, [entry])
    undone = kept.by_hand or kept.bill_id is not None or tried.bill_id is not None
    return replace(entry, bill_id=None, bill_by_hand=undone)


def rewritten_all(db: Unit, user_id: int, entries: Sequence[Entry], kept: Sequence[Kept]) -> list[Entry]:
    """The same for many that nobody unlinks, in one query."""
    decided = [
        replace(entry, bill_id=one.bill_id, bill_by_hand=True) if one.by_hand and not entry.bill_by_hand else entry
        for entry, one in zip(entries, kept, strict=True)
    ]
    return with_bills(db, user_id, decided)
