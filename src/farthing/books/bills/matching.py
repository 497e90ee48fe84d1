"""Decides whether a transaction pays a bill, and why; pure."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from farthing.kernel.money import as_text
from farthing.kernel.text import fold
from farthing.ledger.entry import Entry, amounts
from farthing.ledger.kinds import Type

from ..transactions.model import Line
from .model import Asking, Bill

# Stands between the texts of a transaction: no text can hold it, so no word is found across two of them.
_BETWEEN = "\0"


class Candidate(Struct, frozen=True):
    """What matching looks at: all its texts, folded, and the sum in each currency the splits name."""

    type: Type
    text: str
    units: Mapping[int, int]

    @property
    def plain_text(self) -> str:
        """Fit for a database; more may seem to be in it than is."""
        return self.text.replace(_BETWEEN, "\n")


class MatchVerdict(Struct, frozen=True):
    """`near` when it pays, or when only one thing is missing: the amount, a word, or that it is a withdrawal."""

    pays: bool
    near: bool
    why: str


def join_texts(texts: Iterable[str | None]) -> str:
    """The texts of one transaction, as words are looked for in them."""
    return _BETWEEN.join([fold(text) for text in dict.fromkeys(texts) if text])


def candidate(entry: Entry) -> Candidate:
    texts = [entry.description]
    for split in entry.splits:
        texts += (split.description or "", split.source.name, split.destination.name)
    return Candidate(entry.type, join_texts(texts), amounts(entry))


def candidate_of(lines: Sequence[Line]) -> Candidate:
    """The same facts from the stored lines of one transaction."""
    units: dict[int, int] = {}
    for line in lines:
        named = {line.foreign_currency.id: line.foreign_units} if line.foreign_currency else {}
        for currency_id, amount in (named | {line.currency.id: line.units}).items():
            units[currency_id] = units.get(currency_id, 0) + (amount or 0)
    names = (name for line in lines for name in (line.description, line.source.name, line.destination.name))
    return Candidate(Type(lines[0].type), join_texts((lines[0].entry.description, *names)), units)


def pays(asking: Asking, one: Candidate) -> bool:
    """The quick answer; `judge` gives the same one, with its reasons."""
    units = one.units.get(asking.currency_id)
    if units is None or not asking.lowest_units <= units <= asking.highest_units or one.type != Type.WITHDRAWAL:
        return False
    return all(word in one.text for word in asking.words)


def words_in(words: Iterable[str], text: str | None) -> set[str]:
    """Which of these folded words one text of a transaction contains."""
    folded = fold(text or "")
    return {word for word in words if word in folded}


def find_paid_bill(bills: Iterable[Asking], one: Candidate) -> int | None:
    """The bills come in the order of their ids: the first wins; a transaction pays one bill at most."""
    for bill in bills:
        if pays(bill, one):
            return bill.id
    return None


def judge(bill: Bill, one: Candidate) -> MatchVerdict:
    """Every reason against it is told; if there is none, what spoke for it."""
    missing = [word for word in bill.words if fold(word) not in one.text]
    against = [*_type_problems(one), *_word_problems(missing), *_amount_problems(bill, one)]
    if against:
        return MatchVerdict(False, len(against) == 1 and len(missing) < len(bill.words), "; ".join(against))
    low, high = _text(bill, bill.lowest_units), _text(bill, bill.highest_units)
    units = _text(bill, one.units[bill.currency.id])
    why = f"contains {_quote(bill.words)}; {units} lies between {low} and {high} {bill.currency.code}"
    return MatchVerdict(True, True, why)


def _type_problems(one: Candidate) -> list[str]:
    return [] if one.type == Type.WITHDRAWAL else ["is not a withdrawal"]


def _word_problems(missing: list[str]) -> list[str]:
    return [f"does not contain {_quote(missing)}"] if missing else []


def _amount_problems(bill: Bill, one: Candidate) -> list[str]:
    units = one.units.get(bill.currency.id)
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
