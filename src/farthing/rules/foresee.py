"""What would transactions look like, were the rules applied to them? Reckoned from their drafts: nothing is written.

Whatever would have to be made first, an account, a category or a tag, has the id 0. That a kept sum would leave 64 bits
is not foreseen: only booking tells.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..accounts import store as accounts
from ..bills.pay import rewritten_all
from ..ledger.entry import Entry, Party, Split
from ..money import Currency
from ..storage.unit import Unit
from ..text import fold
from ..transactions import known as lookup
from ..transactions.links import Kept
from ..transactions.model import Draft, Known, KnownAccount, Line, NewAccount, Side, SplitDraft
from .trigger import Tried

NEW_ID = 0
# What an entry names before it is there; no account that exists has such an id, and no two of them are the same.
_SOURCE_ID, _DESTINATION_ID = -1, -2


@dataclass
class _Names:
    """How things are spelled, by table and id; `made` is what would be made, in the spelling that comes first."""

    known: Known
    spelled: Mapping[str, Mapping[int, str]]
    sides: Mapping[int, Side]
    made: dict[tuple[str, str], str] = field(default_factory=dict)

    def label(self, table: str, named: Mapping[str, int], label: int | str | None) -> tuple[int | None, str | None]:
        if label is None:
            return None, None
        label_id = named.get(fold(label)) if isinstance(label, str) else label
        if label_id is not None:
            return label_id, self.spelled[table][label_id]
        return NEW_ID, self.made.setdefault((table, fold(str(label))), str(label))

    def side(self, party: KnownAccount | NewAccount) -> Side:
        if isinstance(party, KnownAccount):
            return self.sides[party.id]
        name = self.made.setdefault((party.kind.value, fold(party.name)), party.name)
        return Side(NEW_ID, name, None, party.kind.value)

    def tags(self, draft: Draft) -> tuple[str, ...]:
        found = (self.label("tags", self.known.tags_named, tag)[1] or "" for tag in draft.tags)
        return tuple(dict.fromkeys(found))


def foreseen(db: Unit, user_id: int, tried: Sequence[Tried], known: Known, now: str) -> dict[int, tuple[Line, ...]]:
    """The lines of those that change, by entry; a few queries, however many there are."""
    changing = [one for one in tried if one.changes]
    drafts = [one.outcome.draft for one in changing]
    kept = [Kept(one.lines[0].bill_id, bool(one.lines[0].bill_by_hand), None) for one in changing]
    entries = rewritten_all(db, user_id, [_entry(draft) for draft in drafts], kept)
    names = _names(db, user_id, drafts, entries, known)
    return {
        one.entry_id: tuple(
            _part(_whole(line, draft, entry, names, now), split, names)
            for line, split in zip(one.lines, draft.splits, strict=True)
        )
        for one, draft, entry in zip(changing, drafts, entries, strict=True)
    }


def _whole(line: Line, draft: Draft, entry: Entry, names: _Names, now: str) -> Line:
    """With what all lines of the transaction have in common."""
    return line._replace(
        entry_description=draft.description,
        notes=draft.notes,
        tags=names.tags(draft),
        bill_id=entry.bill_id,
        bill_name=names.spelled["bills"][entry.bill_id] if entry.bill_id else None,
        bill_by_hand=int(entry.bill_by_hand),
        updated_at=now,
    )


def _part(line: Line, split: SplitDraft, names: _Names) -> Line:
    """With what is its own."""
    source, destination = names.side(split.source), names.side(split.destination)
    category_id, category = names.label("categories", names.known.categories_named, split.category)
    budget_id, budget = names.label("budgets", names.known.budgets_named, split.budget)
    return line._replace(
        category_id=category_id,
        category_name=category,
        budget_id=budget_id,
        budget_name=budget,
        source_id=source.id,
        source=source,
        destination_id=destination.id,
        destination=destination,
    )


def _names(db: Unit, user_id: int, drafts: Sequence[Draft], entries: Sequence[Entry], known: Known) -> _Names:
    splits = [split for draft in drafts for split in draft.splits]
    parties = {party for split in splits for party in (split.source, split.destination)}
    used = {
        "categories": {one.category for one in splits if isinstance(one.category, int)}
        | set(known.categories_named.values()),
        "budgets": {one.budget for one in splits if isinstance(one.budget, int)} | set(known.budgets_named.values()),
        "bills": {entry.bill_id for entry in entries if entry.bill_id},
        "tags": set(known.tags_named.values()),
    }
    ids = {party.id for party in parties if isinstance(party, KnownAccount)}
    return _Names(
        known,
        {table: lookup.spelled(db, user_id, table, used[table]) for table in used},
        {one.id: Side(one.id, one.name, one.iban, one.kind.value) for one in accounts.some(db, user_id, ids)},
    )


def _entry(draft: Draft) -> Entry:
    """As much of it as says which bill it pays."""
    return Entry(
        type=draft.type,
        on=draft.on,
        description=draft.description,
        splits=tuple(_split(one) for one in draft.splits),
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


def _party(party: KnownAccount | NewAccount, new_id: int, currency: Currency) -> Party:
    return party.party if isinstance(party, KnownAccount) else Party(new_id, currency, party.name)
