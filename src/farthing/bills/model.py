"""What is a bill, and what must hold for one?"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

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

    @property
    def longest_word(self) -> str:
        return longest_word(self.words)


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


class Asking(NamedTuple):
    """As much of a bill as says what pays it; the words are folded."""

    id: int
    currency_id: int
    lowest_units: int
    highest_units: int
    words: tuple[str, ...]


# A linked transaction: its day as it is kept, in ISO form, and what it amounts to in the bill's currency. With the
# periods below a list of bills has hundreds of them: plain tuples cost a quarter of anything nicer.
Payment = tuple[str, int]


class State(StrEnum):
    PAID = "paid"
    DUE = "due"
    OVERDUE = "overdue"
    UPCOMING = "upcoming"


# An expected day, what was paid for it, and its state.
Period = tuple[date, list[Payment], State]


class Outlook(NamedTuple):
    """The expected days of a range with what was paid for each, and the first that is not paid yet."""

    periods: list[Period]
    next_on: date | None


def words_key(words: tuple[str, ...]) -> str:
    """The set of words, without order and case."""
    return ",".join(sorted({fold(word) for word in words}))


def longest_word(words: tuple[str, ...]) -> str:
    """What does not contain it need not be looked at any further."""
    return max((fold(word) for word in words), key=len)


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


def around(bills: Sequence[Bill], within: tuple[date, date] | None, today: date) -> tuple[date, date | None]:
    """From when on payments count, and until when their amounts do: each is for the expected day that it is nearest to.

    So those of one period before the range may count, and those of one period after it; the days of all that follow
    decide when the bill is expected next.
    """
    longest = max(bill.rhythm.longest for bill in bills).days
    start, end = within or (today, None)
    first = date.fromordinal(max(start.toordinal() - longest, 1))
    return first, date.fromordinal(min(end.toordinal() + longest, date.max.toordinal())) if end else None


def outlook(bill: Bill, payments: list[Payment], start: date, end: date | None, today: date) -> Outlook:
    """From `start` on, without an `end` only the next day. A payment counts once, for the day that it is nearest to.

    The payments are those from one period before `start` on, the newest first. The days are gone through together with
    them, as far as the range goes, and further only while everything is paid.
    """
    rhythm, last = bill.rhythm, end or date.min
    number = rhythm.number_from(start)
    before = rhythm.before_span(number)
    later = [payment for payment in payments if payment[0] > before]
    periods: list[Period] = []
    next_on: date | None = None
    for day, until in rhythm.spans_from(number):
        if next_on and day > last:
            break
        paid = []
        while later and later[-1][0] <= until:
            paid.append(later.pop())
        if not paid and not next_on:
            next_on = day
        if day <= last:
            periods.append((day, paid, State.PAID if paid else _unpaid(day, today)))
    return Outlook(periods, next_on if bill.active else None)


def _unpaid(day: date, today: date) -> State:
    if day == today:
        return State.DUE
    return State.OVERDUE if day < today else State.UPCOMING
