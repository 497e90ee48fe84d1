"""Does a transaction pay a bill, and why, or why not? Pure: facts in, a verdict in words out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..ledger.entry import Entry, amounts
from ..ledger.kinds import Type
from ..money import as_text
from ..text import fold
from ..transactions.model import Line
from .model import Bill


@dataclass(frozen=True)
class Candidate:
    """What matching looks at: the texts, folded, and the sum in each currency the splits name."""

    type: Type
    texts: tuple[str, ...]
    units: Mapping[int, int]


@dataclass(frozen=True)
class Verdict:
    """`near` when it pays, or when only one thing is missing: the amount, a word, or that it is a withdrawal."""

    pays: bool
    near: bool
    why: str


def candidate(entry: Entry) -> Candidate:
    names = (name for split in entry.splits for name in (split.description, split.source.name, split.destination.name))
    texts = dict.fromkeys(fold(text) for text in (entry.description, *names) if text)
    return Candidate(entry.type, tuple(texts), amounts(entry))


def candidate_of(lines: Sequence[Line]) -> Candidate:
    """The same facts from the stored lines of one transaction."""
    texts: dict[str, None] = {}
    units: dict[int, int] = {}
    for line in lines:
        for text in (line.entry_description, line.description, line.source.name, line.destination.name):
            texts |= {fold(text): None} if text else {}
        named = {line.foreign_currency.id: line.foreign_units} if line.foreign_currency else {}
        for currency_id, amount in (named | {line.currency.id: line.units}).items():
            units[currency_id] = units.get(currency_id, 0) + (amount or 0)
    return Candidate(Type(lines[0].type), tuple(texts), units)


def judge(bill: Bill, one: Candidate) -> Verdict:
    """Every reason against it is told; if there is none, what spoke for it."""
    missing = [word for word in bill.words if not any(fold(word) in text for text in one.texts)]
    against = [*_type_problems(one), *_word_problems(missing), *_amount_problems(bill, one)]
    if against:
        return Verdict(False, len(against) == 1 and len(missing) < len(bill.words), "; ".join(against))
    words = ", ".join(f"'{word}'" for word in bill.words)
    low, high = _text(bill, bill.lowest_units), _text(bill, bill.highest_units)
    units = _text(bill, one.units[bill.currency.id])
    return Verdict(True, True, f"contains {words}; {units} lies between {low} and {high} {bill.currency.code}")


def first_paid(bills: Iterable[Bill], one: Candidate) -> Bill | None:
    """The first in the order of ids wins; a transaction pays one bill at most."""
    fitting = (bill for bill in bills if bill.active and bill.automatch and judge(bill, one).pays)
    return min(fitting, key=lambda bill: bill.id, default=None)


def _type_problems(one: Candidate) -> list[str]:
    return [] if one.type == Type.WITHDRAWAL else ["is not a withdrawal"]


def _word_problems(missing: list[str]) -> list[str]:
    return [f"does not contain {', '.join(repr(word) for word in missing)}"] if missing else []


def _amount_problems(bill: Bill, one: Candidate) -> list[str]:
    units = one.units.get(bill.currency.id)
    if units is None:
        return [f"has no amount in {bill.currency.code}"]
    if units < bill.lowest_units:
        return [f"the amount is {_text(bill, bill.lowest_units - units)} {bill.currency.code} too small"]
    if units > bill.highest_units:
        return [f"the amount is {_text(bill, units - bill.highest_units)} {bill.currency.code} too large"]
    return []


def _text(bill: Bill, units: int) -> str:
    return as_text(units, bill.currency.places)
