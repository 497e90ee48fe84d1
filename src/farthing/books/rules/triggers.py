"""Checks the triggers of rules; each becomes a function of a transaction whose texts are folded once.

The texts of one kind stand in one string, with a character before, between and after them that no text can contain. So
"starts with", "ends with", "is" and "contains" are all one search for a piece of text.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from operator import attrgetter, eq, gt, lt

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.kernel.text import fold

from ..transactions.model import TYPES, Lookup, TransactionDraft
from .model import TRIGGERS, RulePart, in_words

_EDGE = "\0"
_NONE = _EDGE


class Look:
    """What triggers look at; each kind of fact is put together when the first of them asks."""

    def __init__(
        self, draft: TransactionDraft, known: Lookup, attachments: int, folds: dict[str, str] | None = None
    ) -> None:
        self._draft = draft
        self._known = known
        self._folds = {} if folds is None else folds
        self.type = draft.type
        self.attachments = attachments

    def at(self, draft: TransactionDraft) -> "Look":
        """At what an action made of it; most of its texts are the same, and are not folded again."""
        return Look(draft, self._known, self.attachments, self._folds)

    def _joined(self, texts: Iterable[str | None]) -> str:
        return _EDGE + "".join([f"{self._folded(text)}{_EDGE}" for text in texts if text])

    def _folded(self, text: str) -> str:
        found = self._folds.get(text)
        if found is None:
            found = self._folds[text] = fold(text)
        return found

    @cached_property
    def descriptions(self) -> str:
        return self._joined((self._draft.description, *(split.description for split in self._draft.splits)))

    @cached_property
    def sources(self) -> str:
        return self._joined(split.source.name for split in self._draft.splits)

    @cached_property
    def destinations(self) -> str:
        return self._joined(split.destination.name for split in self._draft.splits)

    @cached_property
    def notes(self) -> str:
        return self._joined((self._draft.notes,))

    @cached_property
    def tags(self) -> str:
        return self._joined(self._draft.tags)

    @cached_property
    def categories(self) -> str:
        return self._joined(_label(split.category, self._known.categories) for split in self._draft.splits)

    @cached_property
    def budgets(self) -> str:
        return self._joined(_label(split.budget, self._known.budgets) for split in self._draft.splits)

    @cached_property
    def currencies(self) -> str:
        used = {split.amount.currency for split in self._draft.splits}
        return self._joined(text for currency in used for text in (currency.code, currency.name))

    @cached_property
    def amounts(self) -> list[Decimal]:
        """What the splits amount to together, in each of their currencies."""
        units: dict[Currency, int] = {}
        for split in self._draft.splits:
            units[split.amount.currency] = units.get(split.amount.currency, 0) + split.amount.units
        return [Decimal(amount).scaleb(-currency.places) for currency, amount in units.items()]


def _label(label: int | str | None, folds: Mapping[int, str]) -> str | None:
    return folds.get(label) if isinstance(label, int) else label


Question = Callable[[Look], bool]


class Check(Struct, frozen=True):
    """A trigger made ready, and in words. `piece` is the text that it looks for, and where, if it looks for one."""

    holds: Question
    words: str
    piece: tuple[str, str] | None = None


def check(part: RulePart) -> Check:
    piece = None
    if part.name in _TEXT_TRIGGERS:
        where, how = _TEXT_TRIGGERS[part.name]
        piece = where, how(fold(part.value or ""))
    return Check(_question(part.name, part.value or ""), in_words(TRIGGERS[part.name], part.value), piece)


def every(checks: Sequence[Check]) -> Question:
    """Whether all hold; those that look for texts in the same place do so together, each text once."""
    others = [one.holds for one in checks if one.piece is None]
    together = [*(_all_in(where, pieces) for where, pieces in _by_place(checks).items()), *others]
    return together[0] if len(together) == 1 else lambda look: all(holds(look) for holds in together)


def some(checks: Sequence[Check]) -> Question:
    """Whether any holds."""
    others = [one.holds for one in checks if one.piece is None]
    together = [*(_any_in(where, pieces) for where, pieces in _by_place(checks).items()), *others]
    return together[0] if len(together) == 1 else lambda look: any(holds(look) for holds in together)


def _by_place(checks: Sequence[Check]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for where, piece in [one.piece for one in checks if one.piece]:
        found.setdefault(where, {})[piece] = None
    return {where: tuple(pieces) for where, pieces in found.items()}


def _all_in(where: str, pieces: tuple[str, ...]) -> Question:
    if len(pieces) == 1:
        return _WHERE[where](pieces[0])
    text_of = attrgetter(where)

    def holds(look: Look) -> bool:
        text = text_of(look)
        for piece in pieces:  # noqa: SIM110 - a generator takes three times as long
            if piece not in text:
                return False
        return True

    return holds


def _any_in(where: str, pieces: tuple[str, ...]) -> Question:
    if len(pieces) == 1:
        return _WHERE[where](pieces[0])
    text_of = attrgetter(where)

    def holds(look: Look) -> bool:
        text = text_of(look)
        for piece in pieces:  # noqa: SIM110 - a generator takes three times as long
            if piece in text:
                return True
        return False

    return holds


def _question(name: str, value: str) -> Question:
    if name in _TEXT_TRIGGERS:
        where, how = _TEXT_TRIGGERS[name]
        return _WHERE[where](how(fold(value)))
    if name in _PRESENCE:
        return _PRESENCE[name]
    if name in _COMPARED:
        return _amount(_COMPARED[name], Decimal(value))
    if name == "has_attachments":
        return _attachments(int(value or 1))
    assert name == "transaction_type", name
    wanted = TYPES[value.lower()]
    return lambda look: look.type == wanted


def _amount(compare: Callable[[Decimal, Decimal], bool], value: Decimal) -> Question:
    return lambda look: any(compare(amount, value) for amount in look.amounts)


def _attachments(least: int) -> Question:
    return lambda look: look.attachments >= least


# Written out for each kind of text: asked two hundred times for one transaction, a getattr would be felt.
_WHERE: Mapping[str, Callable[[str], Question]] = {
    "descriptions": lambda piece: lambda look: piece in look.descriptions,
    "sources": lambda piece: lambda look: piece in look.sources,
    "destinations": lambda piece: lambda look: piece in look.destinations,
    "notes": lambda piece: lambda look: piece in look.notes,
    "tags": lambda piece: lambda look: piece in look.tags,
    "categories": lambda piece: lambda look: piece in look.categories,
    "budgets": lambda piece: lambda look: piece in look.budgets,
    "currencies": lambda piece: lambda look: piece in look.currencies,
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
    "has_no_category": lambda look: look.categories == _NONE,
    "has_any_category": lambda look: look.categories != _NONE,
    "has_no_budget": lambda look: look.budgets == _NONE,
    "has_any_budget": lambda look: look.budgets != _NONE,
    "has_no_tag": lambda look: look.tags == _NONE,
    "has_any_tag": lambda look: look.tags != _NONE,
    "no_notes": lambda look: look.notes == _NONE,
    "any_notes": lambda look: look.notes != _NONE,
}
_COMPARED: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    "amount_less": lt,
    "amount_exactly": eq,
    "amount_more": gt,
}
