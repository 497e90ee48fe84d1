"""What is a bill, and what must hold for one?"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cached_property
from operator import itemgetter
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

    @cached_property
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
    """The expected days of a range with what was paid for each, on which days, and the first that is not paid yet."""

    periods: Sequence[Period]
    paid_on: list[str]
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


def around(bills: Sequence[Bill], start: date, end: date) -> tuple[date, date]:
    """The days whose payments may count in a range: each is for the expected day that it is nearest to.

    So those of one period before the range may count, and those of one period after it.
    """
    longest = max(bill.rhythm.longest for bill in bills).days
    return _moved(start, -longest), _moved(end, longest)


def _moved(day: date, days: int) -> date:
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def periods(rhythm: Rhythm, payments: list[Payment], start: date, end: date, today: date) -> list[Period]:
    """The expected days of a range. A payment counts once, for the day that it is nearest to.

    The payments, the oldest first, reach from one period before the range to one after it.
    """
    number = rhythm.number_from(start)
    place, many = bisect_right(payments, rhythm.before_span(number), key=itemgetter(0)), len(payments)
    found: list[Period] = []
    for day, until in rhythm.spans_from(number):
        if day > end:
            break
        first = place
        while place < many and payments[place][0] <= until:
            place += 1
        found.append((day, payments[first:place], State.PAID if place > first else unpaid(day, today)))
    return found


# After every day in ISO form.
_NEVER = "~"


def next_unpaid(rhythm: Rhythm, paid_on: Sequence[str], start: date) -> date | None:
    """The first expected day from `start` on for which nothing was paid.

    The days on which something was, in order, reach back as far as one period before `start`.
    """
    number = rhythm.number_from(start)
    later = iter(paid_on[bisect_right(paid_on, rhythm.before_span(number)) :])
    paid = next(later, _NEVER)
    for day, until in rhythm.spans_from(number):
        if paid > until:
            return day
        while paid <= until:
            paid = next(later, _NEVER)
    return None


def unpaid(day: date, today: date) -> State:
    """How a day stands for which nothing was paid, or has fired."""
    if day == today:
        return State.DUE
    return State.OVERDUE if day < today else State.UPCOMING
