"""How does a stored transaction become a draft again? So that it can be booked anew, as rules do."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from ..ledger.kinds import Type
from ..money import Money
from ..text import fold
from .links import Kept
from .model import Draft, Known, Line, Named, SplitDraft


def named_in(lines: Iterable[Line], kept: Mapping[int, Kept]) -> Named:
    """Whatever the drafts of these lines will refer to."""
    lines = list(lines)
    return Named(
        account_ids={one for line in lines for one in (line.source_id, line.destination_id)},
        category_ids={line.category_id for line in lines if line.category_id},
        budget_ids={line.budget_id for line in lines if line.budget_id},
        tag_folds={fold(tag) for line in lines for tag in line.tags},
        piggy_bank_ids={one.piggy_bank_id for one in kept.values() if one.piggy_bank_id},
    )


def draft_of(lines: Sequence[Line], kept: Kept, known: Known) -> Draft:
    """All lines of one entry. A bill is named only if a hand has chosen it: then it stays chosen."""
    first = lines[0]
    days = (first.interest_on, first.book_on, first.process_on, first.due_on, first.payment_on, first.invoice_on)
    return Draft(
        type=Type(first.type),
        on=date.fromisoformat(first.on),
        description=first.entry_description,
        splits=tuple(_split(line, known) for line in lines),
        notes=first.notes,
        internal_reference=first.internal_reference,
        dates=tuple(date.fromisoformat(day) if day else None for day in days),
        tags=first.tags,
        bill_id=kept.bill_id if kept.by_hand else None,
        piggy_bank_id=kept.piggy_bank_id,
    )


def _split(line: Line, known: Known) -> SplitDraft:
    foreign = line.foreign_currency
    return SplitDraft(
        source=known.accounts[line.source_id],
        destination=known.accounts[line.destination_id],
        amount=Money(line.units, line.currency),
        foreign=Money(line.foreign_units, foreign) if foreign and line.foreign_units else None,
        description=line.description,
        reconciled=bool(line.reconciled),
        category=line.category_id,
        budget=line.budget_id,
    )
