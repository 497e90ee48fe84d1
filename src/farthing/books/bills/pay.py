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
    """Sets the bill that each entry pays, with one query for all entries. Keeps what users chose by hand."""
    candidates = {
        index: candidate(entry)
        for index, entry in enumerate(entries)
        if entry.type == Type.WITHDRAWAL and not entry.bill_by_hand
    }
    if not candidates:
        return list(entries)
    # The total may exceed what a bill or the database can hold; that is reported later.
    units = [min(units, UNITS_MAX) for facts in candidates.values() for units in facts.units.values()]
    currency_ids = {currency_id for facts in candidates.values() for currency_id in facts.units}
    # For a single entry the query itself filters by words; for many it would compare too many texts.
    text = next(iter(candidates.values())).plain_text if len(candidates) == 1 else None
    bills = store.find_candidates(db, user_id, currency_ids, units, text)
    chosen = list(entries)
    for index, facts in candidates.items():
        bill_id = find_paid_bill(bills, facts)
        if bill_id != chosen[index].bill_id:
            chosen[index] = replace(chosen[index], bill_id=bill_id)
    return chosen


def choose_bill_again(db: Unit, user_id: int, entry: Entry, before: EntryLinks, *, unlinks: bool) -> Entry:
    """Chooses the bill of an entry that replaces a stored one. `before` holds the links of the stored entry.

    If the client names a bill, the bill was chosen by hand. With `unlinks`, the client sent an empty bill. This is a
    choice by hand only if the stored entry had a bill or a choice by hand, or if a bill would be linked automatically.
    Otherwise, the client may only have sent back the empty bill that it was shown.
    """
    if not unlinks:
        return choose_bills_again(db, user_id, [entry], [before])[0]
    [automatic] = choose_bills(db, user_id, [entry])
    undone = before.by_hand or before.bill_id is not None or automatic.bill_id is not None
    return replace(entry, bill_id=None, bill_by_hand=undone)


def choose_bills_again(db: Unit, user_id: int, entries: Sequence[Entry], before: Sequence[EntryLinks]) -> list[Entry]:
    """Chooses the bills of several entries that replace stored ones, with one query. Keeps what users chose by hand."""
    decided = [
        replace(entry, bill_id=links.bill_id, bill_by_hand=True) if links.by_hand and not entry.bill_by_hand else entry
        for entry, links in zip(entries, before, strict=True)
    ]
    return choose_bills(db, user_id, decided)
