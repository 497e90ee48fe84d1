"""Compiles the triggers of rules into functions that check a transaction.

Each text of the transaction is case-folded only once. All texts of one kind are joined into one string, with a
character before, between and after them that no text can contain. So "starts with", "ends with", "is" and "contains"
are each a single substring search.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from operator import attrgetter, eq, gt, lt

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.kernel.text import fold

from ..transactions.model import TYPES, Lookup, TransactionDraft
from .model import TRIGGERS, StoredRulePart, in_words

_EDGE = "\0"
_NONE = _EDGE


class TransactionFacts:
    """The facts that triggers check; each is computed when a trigger first needs it."""

    def __init__(
        self, draft: TransactionDraft, lookup: Lookup, attachments: int, folds: dict[str, str] | None = None
    ) -> None:
        self._draft = draft
        self._lookup = lookup
        self._folds = {} if folds is None else folds
        self.type = draft.type
        self.attachments = attachments

    def with_draft(self, draft: TransactionDraft) -> "TransactionFacts":
        """Returns the facts of the draft after an action. Shares the cache of texts, because most stay the same."""
        return TransactionFacts(draft, self._lookup, self.attachments, self._folds)

    def _join(self, texts: Iterable[str | None]) -> str:
        return _EDGE + "".join([f"{self._fold_once(text)}{_EDGE}" for text in texts if text])

    def _fold_once(self, text: str) -> str:
        folded = self._folds.get(text)
        if folded is None:
            folded = self._folds[text] = fold(text)
        return folded

    @cached_property
    def descriptions(self) -> str:
        return self._join((self._draft.description, *(split.description for split in self._draft.splits)))

    @cached_property
    def sources(self) -> str:
        return self._join(split.source.name for split in self._draft.splits)

    @cached_property
    def destinations(self) -> str:
        return self._join(split.destination.name for split in self._draft.splits)

    @cached_property
    def notes(self) -> str:
        return self._join((self._draft.notes,))

    @cached_property
    def tags(self) -> str:
        return self._join(self._draft.tags)

    @cached_property
    def categories(self) -> str:
        return self._join(_label(split.category, self._lookup.categories) for split in self._draft.splits)

    @cached_property
    def budgets(self) -> str:
        return self._join(_label(split.budget, self._lookup.budgets) for split in self._draft.splits)

    @cached_property
    def currencies(self) -> str:
        used = {split.amount.currency for split in self._draft.splits}
        return self._join(text for currency in used for text in (currency.code, currency.name))

    @cached_property
    def amounts(self) -> list[Decimal]:
        """Returns the total of the splits in each currency."""
        units: dict[Currency, int] = {}
        for split in self._draft.splits:
            units[split.amount.currency] = units.get(split.amount.currency, 0) + split.amount.units
        return [Decimal(amount).scaleb(-currency.places) for currency, amount in units.items()]


def _label(label: int | str | None, folds: Mapping[int, str]) -> str | None:
    return folds.get(label) if isinstance(label, int) else label


Question = Callable[[TransactionFacts], bool]


class Check(Struct, frozen=True):
    """A trigger ready to run, and its description in words.

    If the trigger searches texts, `piece` names the fact to search and the text to search for.
    """

    holds: Question
    words: str
    piece: tuple[str, str] | None = None


def check(part: StoredRulePart) -> Check:
    holds, words = _question(part.name, part.value or ""), in_words(TRIGGERS[part.name], part.value)
    if part.prohibited:
        return Check(lambda facts: not holds(facts), f"not: {words}")
    piece = None
    if part.name in _TEXT_TRIGGERS:
        where, how = _TEXT_TRIGGERS[part.name]
        piece = where, how(fold(part.value or ""))
    return Check(holds, words, piece)


def combine(checks: Sequence[Check], *, one_suffices: bool) -> Question:
    """Combines checks into one question: if `one_suffices`, at least one check must hold, otherwise all.

    Checks that search the same fact are merged, and the same text is searched for only once.
    """
    by_fact: dict[str, dict[str, None]] = {}
    for where, piece in [check_.piece for check_ in checks if check_.piece]:
        by_fact.setdefault(where, {})[piece] = None
    together = [_search(where, tuple(pieces), ends_search=one_suffices) for where, pieces in by_fact.items()]
    together += [check_.holds for check_ in checks if check_.piece is None]
    if len(together) == 1:
        return together[0]
    if one_suffices:
        return lambda facts: any(holds(facts) for holds in together)
    return lambda facts: all(holds(facts) for holds in together)


def _search(where: str, pieces: tuple[str, ...], *, ends_search: bool) -> Question:
    """Searches a fact for several texts. If `ends_search`, one of them must occur in the fact, otherwise all must."""
    if len(pieces) == 1:
        return _WHERE[where](pieces[0])
    text_of = attrgetter(where)

    def holds(facts: TransactionFacts) -> bool:
        text = text_of(facts)
        for piece in pieces:  # a generator takes three times as long
            if (piece in text) is ends_search:
                return ends_search
        return not ends_search

    return holds


def _question(name: str, value: str) -> Question:
    if name in _TEXT_TRIGGERS:
        where, how = _TEXT_TRIGGERS[name]
        return _WHERE[where](how(fold(value)))
    if name in _PRESENCE:
        return _PRESENCE[name]
    if name in _COMPARED:
        compare, number = _COMPARED[name], Decimal(value)
        return lambda facts: any(compare(amount, number) for amount in facts.amounts)
    if name == "has_attachments":
        least = int(value or 1)
        return lambda facts: facts.attachments >= least
    assert name == "transaction_type", name
    type_ = TYPES[value.lower()]
    return lambda facts: facts.type == type_


# One lambda for each kind of text: with two hundred checks per transaction, getattr would be noticeably slower.
_WHERE: Mapping[str, Callable[[str], Question]] = {
    "descriptions": lambda piece: lambda facts: piece in facts.descriptions,
    "sources": lambda piece: lambda facts: piece in facts.sources,
    "destinations": lambda piece: lambda facts: piece in facts.destinations,
    "notes": lambda piece: lambda facts: piece in facts.notes,
    "tags": lambda piece: lambda facts: piece in facts.tags,
    "categories": lambda piece: lambda facts: piece in facts.categories,
    "budgets": lambda piece: lambda facts: piece in facts.budgets,
    "currencies": lambda piece: lambda facts: piece in facts.currencies,
}


def _starts(text: str) -> str:
    return _EDGE + text


def _ends(text: str) -> str:
    return text + _EDGE


def _is(text: str) -> str:
    return _EDGE + text + _EDGE


def _contains(text: str) -> str:
    return text


_HOW = {"starts": _starts, "ends": _ends, "is": _is, "contains": _contains}
_TEXT_TRIGGERS: Mapping[str, tuple[str, Callable[[str], str]]] = {
    **{
        f"{of}_{how}": (where, needle)
        for of, where in {
            "from_account": "sources",
            "to_account": "destinations",
            "description": "descriptions",
        }.items()
        for how, needle in _HOW.items()
    },
    "notes_contain": ("notes", _contains),
    "notes_start": ("notes", _starts),
    "notes_end": ("notes", _ends),
    "notes_are": ("notes", _is),
    "category_is": ("categories", _is),
    "budget_is": ("budgets", _is),
    "tag_is": ("tags", _is),
    "currency_is": ("currencies", _is),
}
_PRESENCE: Mapping[str, Question] = {
    "has_no_category": lambda facts: facts.categories == _NONE,
    "has_any_category": lambda facts: facts.categories != _NONE,
    "has_no_budget": lambda facts: facts.budgets == _NONE,
    "has_any_budget": lambda facts: facts.budgets != _NONE,
    "has_no_tag": lambda facts: facts.tags == _NONE,
    "has_any_tag": lambda facts: facts.tags != _NONE,
    "no_notes": lambda facts: facts.notes == _NONE,
    "any_notes": lambda facts: facts.notes != _NONE,
}
_COMPARED: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    "amount_less": lt,
    "amount_exactly": eq,
    "amount_more": gt,
}
