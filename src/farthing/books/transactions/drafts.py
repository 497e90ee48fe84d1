"""Turns stored transactions back into drafts, so that rules can book them again."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from msgspec.structs import astuple

from farthing.kernel.money import Money
from farthing.kernel.text import fold
from farthing.ledger.entry import OTHER_DATES
from farthing.ledger.kinds import Type

from .links import EntryLinks
from .model import Line, Lookup, LookupRequest, SplitDraft, TransactionDraft


def request_references(lines: Iterable[Line], links_by_entry: Mapping[int, EntryLinks]) -> LookupRequest:
    """Collects the ids and names of all objects that must be looked up to make drafts from these lines."""
    lines = list(lines)
    return LookupRequest(
        account_ids={account_id for line in lines for account_id in (line.source.id, line.destination.id)},
        category_ids={line.category.id for line in lines if line.category},
        budget_ids={line.budget.id for line in lines if line.budget},
        tag_folds={fold(tag) for line in lines for tag in line.entry.tags},
        piggy_bank_ids={links.piggy_bank_id for links in links_by_entry.values() if links.piggy_bank_id},
    )


def make_draft(lines: Sequence[Line], links: EntryLinks, lookup: Lookup) -> TransactionDraft:
    """Makes a draft from all lines of one entry. The draft has a bill only if the user chose it by hand."""
    first, entry = lines[0], lines[0].entry
    dates = astuple(entry.dates) if entry.dates else [None] * len(OTHER_DATES)
    return TransactionDraft(
        type=Type(first.type),
        on=date.fromisoformat(first.on),
        description=entry.description,
        splits=tuple(_split(line, lookup) for line in lines),
        notes=entry.notes,
        internal_reference=entry.internal_reference,
        dates=tuple(date.fromisoformat(day) if day else None for day in dates),
        tags=entry.tags,
        bill_id=links.bill_id if links.by_hand else None,
        piggy_bank_id=links.piggy_bank_id,
    )


def _split(line: Line, lookup: Lookup) -> SplitDraft:
    foreign = line.foreign_currency
    return SplitDraft(
        source=lookup.accounts[line.source.id],
        destination=lookup.accounts[line.destination.id],
        amount=Money(line.units, line.currency),
        foreign=Money(line.foreign_units, foreign) if foreign and line.foreign_units else None,
        description=line.description,
        reconciled=line.reconciled,
        category=line.category.id if line.category else None,
        budget=line.budget.id if line.budget else None,
        refund=line.refund,
    )
