"""Computes the expected days of bills, each from the bill's first day and not from the previous day, to avoid drift."""

from collections.abc import Iterator
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import chain, islice, pairwise, repeat, takewhile
from typing import Self

from msgspec import Struct

from .months import day_in_month, month_number

_LAST_DAY = date(9998, 12, 31)


class Frequency(StrEnum):
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    QUARTERLY = "quarterly"
    HALF_YEAR = "half-year"
    YEARLY = "yearly"


_MONTHS = {Frequency.MONTHLY: 1, Frequency.QUARTERLY: 3, Frequency.HALF_YEAR: 6, Frequency.YEARLY: 12}


class Rhythm(Struct, frozen=True):
    """An interval of months or days that repeats from the first day. Hashable, so that results can be cached."""

    first: date
    months: int
    days: int
    last: date = _LAST_DAY

    @classmethod
    def of(cls, first: date, frequency: Frequency, skip: int, last: date | None = None) -> Self:
        """Makes a rhythm that repeats every `skip + 1` periods, up to the day `last` if there is one."""
        months = _MONTHS.get(frequency, 0) * (skip + 1)
        return cls(first, months, 0 if months else 7 * (skip + 1), min(last or _LAST_DAY, _LAST_DAY))

    def day(self, number: int) -> date | None:
        """Returns the expected day with this number, counted from 0; None beyond the last supported day."""
        return next(self.days_from(number), None) if number >= 0 else None

    def days_from(self, number: int) -> Iterator[date]:
        """Returns the expected days from a number on. Negative numbers count backwards from the first day."""
        if self.days:
            first, last = self.first.toordinal(), self.last.toordinal()
            return map(date.fromordinal, range(first + self.days * number, last + 1, self.days))
        beginning, end = month_number(self.first) + self.months * number, month_number(self.last) + 1
        in_months = map(day_in_month, range(beginning, end, self.months), repeat(self.first.day))
        return in_months if self.last == _LAST_DAY else takewhile(lambda day: day <= self.last, in_months)

    def number_from(self, day: date) -> int:
        """Returns the number of the first expected day on or after a day."""
        if day <= self.first:
            return 0
        if self.days:
            return -(-(day - self.first).days // self.days)
        number = (month_number(day) - month_number(self.first)) // self.months
        expected = self.day(number)
        return number if expected is not None and expected >= day else number + 1

    def between(self, start: date, end: date) -> list[date]:
        """Returns all expected days from `start` to `end`, inclusive, without stepping through earlier days."""
        return list(takewhile(lambda day: day <= end, self.days_from(self.number_from(start))))

    def spans_from(self, number: int) -> Iterator[tuple[str, str]]:
        """Returns the expected days from a number on, each with the last day of its span. The span contains the days
        that are nearer to this expected day than to the next; a day in the middle belongs to the earlier one. Both days
        are in ISO form, like the days of payments.
        """
        return chain.from_iterable(self._blocks_from(number))

    def _blocks_from(self, number: int) -> Iterator[tuple[tuple[str, str], ...]]:
        block, before = divmod(number, _BLOCK)
        spans = _spans(self, block)
        yield spans[before:]
        while len(spans) == _BLOCK:
            block += 1
            spans = _spans(self, block)
            yield spans

    def before_span(self, number: int) -> str:
        """Returns the last day before the span of an expected day (see `spans_from`).

        A payment for the first expected day may be less than one period early; earlier payments are ignored.
        """
        around = list(islice(self.days_from(number - 1), 2))
        if number and len(around) == 2:
            return _nearest_until(*around)
        return (around[0] if around else _LAST_DAY).isoformat()

    def from_day(self, day: date) -> tuple[int, str]:
        """Returns the number of the first expected day on or after a day, and the last day before its span."""
        return _from_day(self, day)

    @property
    def longest(self) -> timedelta:
        """Returns the longest gap between two consecutive expected days."""
        return timedelta(days=self.days or 31 * self.months)


# Expected days are computed and cached in blocks of this size, because the same bills are shown repeatedly.
_BLOCK = 12


@lru_cache(maxsize=2_000)
def _from_day(rhythm: Rhythm, day: date) -> tuple[int, str]:
    number = rhythm.number_from(day)
    return number, rhythm.before_span(number)


@lru_cache(maxsize=2_000)
def _spans(rhythm: Rhythm, block: int) -> tuple[tuple[str, str], ...]:
    expected = list(islice(rhythm.days_from(block * _BLOCK), _BLOCK + 1))
    spans = [(day.isoformat(), _nearest_until(day, following)) for day, following in pairwise(expected)]
    if expected and len(expected) <= _BLOCK:
        spans.append((expected[-1].isoformat(), _LAST_DAY.isoformat()))
    return tuple(spans)


@lru_cache(maxsize=10_000)
def _nearest_until(day: date, following: date) -> str:
    return date.fromordinal((day.toordinal() + following.toordinal()) // 2).isoformat()
