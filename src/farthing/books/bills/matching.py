"""Decides whether a transaction pays a bill, and why. Has no side effects."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from farthing.kernel.money import as_text
from farthing.kernel.text import fold
from farthing.ledger.entry import Entry, amounts
from farthing.ledger.kinds import Type

from ..transactions.model import Line
from .model import Bill, BillCriteria

# Separates the texts of a transaction. No text can contain it, so a word never matches across two texts.
_BETWEEN = "\0"


class Candidate(Struct, frozen=True):
    """Holds the facts about a transaction that matching needs: its type, folded texts, and total in each currency."""

    type: Type
    text: str
    units: Mapping[int, int]

    @property
    def plain_text(self) -> str:
        """Returns the text without NUL, which databases reject.

        A word may now match across two texts, so use this only to preselect bills.
        """
        return self.text.replace(_BETWEEN, "\n")


class MatchVerdict(Struct, frozen=True):
    """Says whether a transaction pays a bill, and why.

    `near` is true if the transaction pays the bill or if only one thing is wrong: the type, the amount, or some (but
    not all) of the words.
    """

    pays: bool
    near: bool
    why: str


def join_texts(texts: Iterable[str | None]) -> str:
    """Folds the texts of one transaction and joins them into one text to search."""
    return _BETWEEN.join([fold(text) for text in dict.fromkeys(texts) if text])


def candidate(entry: Entry) -> Candidate:
    texts = [entry.description]
    for split in entry.splits:
        texts += (split.description or "", split.source.name, split.destination.name)
    return Candidate(entry.type, join_texts(texts), amounts(entry))


def candidate_of(lines: Sequence[Line]) -> Candidate:
    """Collects the facts that matching needs from the stored lines of one transaction."""
    units: dict[int, int] = {}
    for line in lines:
        named = {line.foreign_currency.id: line.foreign_units} if line.foreign_currency else {}
        for currency_id, amount in (named | {line.currency.id: line.units}).items():
            units[currency_id] = units.get(currency_id, 0) + (amount or 0)
    names = (name for line in lines for name in (line.description, line.source.name, line.destination.name))
    return Candidate(Type(lines[0].type), join_texts((lines[0].entry.description, *names)), units)


def pays(criteria: BillCriteria, candidate: Candidate) -> bool:
    """Tells whether a transaction pays a bill. `judge` applies the same rules, but also returns the reasons."""
    units = candidate.units.get(criteria.currency_id)
    if (
        units is None
        or not criteria.lowest_units <= units <= criteria.highest_units
        or candidate.type != Type.WITHDRAWAL
    ):
        return False
    return all(word in candidate.text for word in criteria.words)


def words_in(words: Iterable[str], text: str | None) -> set[str]:
    """Returns those of the folded words that the text contains."""
    folded = fold(text or "")
    return {word for word in words if word in folded}


def find_paid_bill(bills: Iterable[BillCriteria], candidate: Candidate) -> int | None:
    """Returns the first bill that matches, so pass the bills in order of id."""
    for bill in bills:
        if pays(bill, candidate):
            return bill.id
    return None


def judge(bill: Bill, candidate: Candidate) -> MatchVerdict:
    """Decides whether a transaction pays the bill.

    Lists every reason against a match or, without any, explains the match.
    """
    missing = [word for word in bill.words if fold(word) not in candidate.text]
    against = [] if candidate.type == Type.WITHDRAWAL else ["is not a withdrawal"]
    against += [f"does not contain {_quote(missing)}"] if missing else []
    against += _amount_problems(bill, candidate)
    if against:
        near = len(against) == 1 and len(missing) < len(bill.words)
        return MatchVerdict(pays=False, near=near, why="; ".join(against))
    low, high = _text(bill, bill.lowest_units), _text(bill, bill.highest_units)
    units = _text(bill, candidate.units[bill.currency.id])
    why = f"contains {_quote(bill.words)}; {units} is between {low} and {high} {bill.currency.code}"
    return MatchVerdict(pays=True, near=True, why=why)


def _amount_problems(bill: Bill, candidate: Candidate) -> list[str]:
    units = candidate.units.get(bill.currency.id)
    if units is None:
        return [f"has no amount in {bill.currency.code}"]
    if units < bill.lowest_units:
        return [f"the amount is {_text(bill, bill.lowest_units - units)} {bill.currency.code} too small"]
    if units > bill.highest_units:
        return [f"the amount is {_text(bill, units - bill.highest_units)} {bill.currency.code} too large"]
    return []


def _quote(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


def _text(bill: Bill, units: int) -> str:
    return as_text(units, bill.currency.places)
