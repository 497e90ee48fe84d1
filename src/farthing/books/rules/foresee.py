"""Computes what transactions would look like after rules have run. Writes nothing.

Accounts, categories and tags that would be created have the id 0. A sum that would exceed 64 bits is detected only when
the transaction is booked.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.ledger.entry import Entry, Party, Split
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from ..bills.pay import choose_bills_again
from ..categories import store as categories
from ..transactions import line_names
from ..transactions.links import EntryLinks
from ..transactions.model import (
    AccountRef,
    KnownAccount,
    LabelName,
    Line,
    LineEntry,
    Lookup,
    Side,
    SplitDraft,
    TransactionDraft,
)
from . import apply
from .apply_stored import RuleTrial
from .engine import ALONE
from .model import RuleEvent

NEW_ID = 0
# Placeholder ids for accounts that do not exist yet; they differ from each other and from every real id.
_SOURCE_ID, _DESTINATION_ID = -1, -2


class _Names(Struct):
    """The names of labels and accounts. `made` holds the names that would be created, as first spelled."""

    lookup: Lookup
    labels: Mapping[str, Mapping[int, LabelName]]
    sides: Mapping[int, Side]
    made: dict[tuple[str, str], str] = field(default_factory=dict)

    def label(self, table: str, named: Mapping[str, int], label: int | str | None) -> LabelName | None:
        if label is None:
            return None
        label_id = named.get(fold(label)) if isinstance(label, str) else label
        if label_id is not None:
            return self.labels[table][label_id]
        return LabelName(id=NEW_ID, name=self.made.setdefault((table, fold(str(label))), str(label)))

    def side(self, party: AccountRef) -> Side:
        if isinstance(party, KnownAccount):
            return self.sides[party.id]
        name = self.made.setdefault((party.kind.value, fold(party.name)), party.name)
        return Side(id=NEW_ID, name=name, iban=None, kind=party.kind.value)

    def tags(self, draft: TransactionDraft) -> tuple[str, ...]:
        labels = (self.label("tags", self.lookup.tags_named, tag) for tag in draft.tags)
        return tuple(dict.fromkeys(tag.name for tag in labels if tag))


def foresee(
    db: Unit, user_id: int, trials: Sequence[RuleTrial], lookup: Lookup, now: str
) -> dict[int, tuple[Line, ...]]:
    """Returns the lines that the changed transactions would have, by entry id.

    The number of queries does not depend on the number of transactions.
    """
    changing = [trial for trial in trials if trial.changes]
    drafts = _give_budgets(db, user_id, changing, lookup)
    before = [trial.lines[0].entry for trial in changing]
    links = [
        EntryLinks(entry.bill.id if entry.bill else None, entry.bill_by_hand, entry.recurrence_id) for entry in before
    ]
    entries = choose_bills_again(db, user_id, [_entry(draft) for draft in drafts], links)
    names = _names(db, user_id, drafts, entries, lookup)
    return {
        trial.entry_id: tuple(
            _part(line, _shared_fields(line, draft, entry, names, now), split, names)
            for line, split in zip(trial.lines, draft.splits, strict=True)
        )
        for trial, draft, entry in zip(changing, drafts, entries, strict=True)
    }


def foresee_new(db: Unit, user_id: int, entries: Sequence[Entry], tags: Sequence[tuple[str, ...]]) -> list[Entry]:
    """Returns new entries as the rules would change them, with everything needed to choose their bills.

    `tags` holds the names of each entry's tags, because the tags may not exist yet.
    """
    rules = apply.find_running(db, user_id, RuleEvent.STORE)
    if not rules or not entries:
        return list(entries)
    drafts, lookup = apply.draft_entries(db, user_id, entries)
    cases = [(replace(draft, tags=names), ALONE) for draft, names in zip(drafts, tags, strict=True)]
    outcomes, _ = apply.decide(db, user_id, rules, cases, lookup)
    return [_entry(outcome.draft) for outcome in outcomes]


def _give_budgets(db: Unit, user_id: int, changing: Sequence[RuleTrial], lookup: Lookup) -> list[TransactionDraft]:
    """Sets the default budget of the category on splits that get a new category and have no budget, as booking does."""
    splits = [split for trial in changing for split in trial.outcome.draft.splits]
    category_ids = {category_id for split in splits if (category_id := _category_id(split, lookup))}
    budgets = categories.find_budgets(db, user_id, category_ids)

    def give(draft: TransactionDraft, line: Line, split: SplitDraft) -> SplitDraft:
        category_id, before = _category_id(split, lookup), line.category.id if line.category else None
        is_spent = draft.type == Type.WITHDRAWAL or split.refund
        if split.budget is not None or not is_spent or category_id in (None, before):
            return split
        return replace(split, budget=budgets.get(category_id or 0))

    drafts = [(trial.lines, trial.outcome.draft) for trial in changing]
    return [
        replace(draft, splits=tuple(give(draft, *pair) for pair in zip(lines, draft.splits, strict=True)))
        for lines, draft in drafts
    ]


def _category_id(split: SplitDraft, lookup: Lookup) -> int | None:
    """Returns None for a category that would be created."""
    return lookup.categories_named.get(fold(split.category)) if isinstance(split.category, str) else split.category


def _shared_fields(line: Line, draft: TransactionDraft, entry: Entry, names: _Names, now: str) -> LineEntry:
    """Returns the fields that all lines of the transaction share."""
    return replace(
        line.entry,
        description=draft.description,
        notes=draft.notes,
        tags=names.tags(draft),
        bill=names.labels["bills"][entry.bill_id] if entry.bill_id else None,
        bill_by_hand=entry.bill_by_hand,
        updated_at=now,
    )


def _part(line: Line, whole: LineEntry, split: SplitDraft, names: _Names) -> Line:
    return replace(
        line,
        entry=whole,
        category=names.label("categories", names.lookup.categories_named, split.category),
        budget=names.label("budgets", names.lookup.budgets_named, split.budget),
        source=names.side(split.source),
        destination=names.side(split.destination),
    )


def _names(
    db: Unit, user_id: int, drafts: Sequence[TransactionDraft], entries: Sequence[Entry], lookup: Lookup
) -> _Names:
    splits = [split for draft in drafts for split in draft.splits]
    parties = {party for split in splits for party in (split.source, split.destination)}
    used = {
        "categories": {split.category for split in splits if isinstance(split.category, int)}
        | set(lookup.categories_named.values()),
        "budgets": {split.budget for split in splits if isinstance(split.budget, int)}
        | set(lookup.budgets_named.values()),
        "bills": {entry.bill_id for entry in entries if entry.bill_id},
        "tags": set(lookup.tags_named.values()),
    }
    ids = {party.id for party in parties if isinstance(party, KnownAccount)}
    return _Names(
        lookup,
        {table: line_names.label_names(db, user_id, table, used[table]) for table in used},
        line_names.sides(db, user_id, ids),
    )


def _entry(draft: TransactionDraft) -> Entry:
    """Makes an entry that has everything needed to choose its bill."""
    return Entry(
        type=draft.type,
        on=draft.on,
        description=draft.description,
        splits=tuple(_split(split) for split in draft.splits),
        bill_id=draft.bill_id,
        bill_by_hand=draft.bill_id is not None,
    )


def _split(split: SplitDraft) -> Split:
    own = split.source if isinstance(split.source, KnownAccount) else split.destination
    assert isinstance(own, KnownAccount), "one side always exists"
    return Split(
        source=_party(split.source, _SOURCE_ID, own.currency),
        destination=_party(split.destination, _DESTINATION_ID, own.currency),
        amount=split.amount,
        foreign=split.foreign,
        description=split.description,
    )


def _party(party: AccountRef, new_id: int, currency: Currency) -> Party:
    return party.party if isinstance(party, KnownAccount) else Party(id=new_id, currency=currency, name=party.name)
