"""What is a bill, and what must hold for one?"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from ..errors import Problem
from ..money import Currency
from ..schedule.frequency import Frequency, Rhythm
from ..text import fold

SKIP_MAX = 31


@dataclass(frozen=True)
class Draft:
    name: str
    words: tuple[str, ...]
    lowest_units: int
    highest_units: int
    currency: Currency
    first_on: date
    frequency: Frequency
    skip: int
    automatch: bool
    active: bool
    notes: str | None

    @property
    def words_key(self) -> str:
        return words_key(self.words)


@dataclass(frozen=True)
class Bill:
    id: int
    name: str
    words: tuple[str, ...]
    lowest_units: int
    highest_units: int
    currency: Currency
    first_on: date
    frequency: Frequency
    skip: int
    automatch: bool
    active: bool
    notes: str | None
    created_at: str
    updated_at: str

    @property
    def rhythm(self) -> Rhythm:
        return Rhythm(self.first_on, self.frequency, self.skip)

    @property
    def looks(self) -> bool:
        """Does it look for its payments by itself?"""
        return self.active and self.automatch

    @property
    def asking(self) -> "Asking":
        words = tuple(fold(word) for word in self.words)
        return Asking(self.id, self.currency.id, self.lowest_units, self.highest_units, words)


@dataclass(frozen=True)
class Asking:
    """As much of a bill as says what pays it; the words are folded."""

    id: int
    currency_id: int
    lowest_units: int
    highest_units: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class Payment:
    """A linked transaction: its day, and what it amounts to in the bill's currency."""

    on: date
    units: int


class State(StrEnum):
    PAID = "paid"
    DUE = "due"
    OVERDUE = "overdue"
    UPCOMING = "upcoming"


@dataclass(frozen=True)
class Period:
    expected_on: date
    payments: tuple[Payment, ...]
    state: State


def words_key(words: tuple[str, ...]) -> str:
    """The set of words, without order and case."""
    return ",".join(sorted({fold(word) for word in words}))


def distinct_words(words: list[str]) -> tuple[str, ...]:
    """A word given twice is dropped; the first spelling stays."""
    first: dict[str, str] = {}
    for word in words:
        first.setdefault(fold(word), word)
    return tuple(first.values())


def range_problems(lowest: int | None, highest: int | None) -> list[Problem]:
    if lowest is None or highest is None or lowest < highest:
        return []
    return [
        Problem("amount_min", "The minimum amount must be smaller than the maximum amount."),
        Problem("amount_max", "The maximum amount must be larger than the minimum amount."),
    ]


def settled(bill: Bill, payments: list[Payment]) -> dict[int, list[Payment]]:
    """Which expected day each payment is for: the one it is nearest to. Those from before it all are for none."""
    rhythm = bill.rhythm
    found: dict[int, list[Payment]] = {}
    for payment in payments:
        number = rhythm.settled_by(payment.on)
        if number is not None:
            found.setdefault(number, []).append(payment)
    return found


def next_expected(bill: Bill, payments: list[Payment], start: date) -> date | None:
    """The first expected day from `start` on that is not paid yet; paying early settles the coming period."""
    if not bill.active:
        return None
    paid = settled(bill, payments)
    number = bill.rhythm.number_from(start)
    while number in paid:
        number += 1
    return bill.rhythm.day(number)


def periods(bill: Bill, payments: list[Payment], start: date, end: date, today: date) -> list[Period]:
    paid = settled(bill, payments)
    rhythm = bill.rhythm
    first = rhythm.number_from(start)
    return [
        Period(day, tuple(paid.get(number, ())), _state(day, number in paid, today))
        for number, day in enumerate(rhythm.between(start, end), first)
    ]


def _state(day: date, paid: bool, today: date) -> State:
    if paid:
        return State.PAID
    if day == today:
        return State.DUE
    return State.OVERDUE if day < today else State.UPCOMING
