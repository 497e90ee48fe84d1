"""On which days is something expected that comes every so often? Always counted from the first day, never drifting."""

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from enum import StrEnum
from typing import NamedTuple

_LAST_DAY = date(9998, 12, 31)
_LAST_ORDINAL = _LAST_DAY.toordinal()


class Frequency(StrEnum):
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    QUARTERLY = "quarterly"
    HALF_YEAR = "half-year"
    YEARLY = "yearly"


_MONTHS = {Frequency.MONTHLY: 1, Frequency.QUARTERLY: 3, Frequency.HALF_YEAR: 6, Frequency.YEARLY: 12}


class Span(NamedTuple):
    """An expected day, and the last day that is nearer to it than to the next one; the earlier wins a tie."""

    day: date
    until: date


def months_later(day: date, months: int) -> date:
    """The same day of a later month, or that month's last: 31 January and one month is 28 or 29 February."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if day.day <= 28:
        return date(year, month + 1, day.day)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


class Rhythm:
    """Every `(skip + 1)`-th period from the first day on."""

    def __init__(self, first: date, frequency: Frequency, skip: int) -> None:
        self.first = first
        self._months = _MONTHS.get(frequency, 0) * (skip + 1)
        self._days = 0 if self._months else 7 * (skip + 1)

    def day(self, number: int) -> date | None:
        """The expected day of that number, the first is 0; None beyond the calendar we keep."""
        return self._day(number) if number >= 0 else None

    def _day(self, number: int) -> date | None:
        """Before the first day, too, as if it had always been expected."""
        if self._days:
            ordinal = self.first.toordinal() + self._days * number
            return date.fromordinal(ordinal) if ordinal <= _LAST_ORDINAL else None
        if self.first.year + (self.first.month - 1 + self._months * number) // 12 > _LAST_DAY.year:
            return None
        return months_later(self.first, self._months * number)

    def number_from(self, day: date) -> int:
        """The number of the first expected day on or after a day."""
        if day <= self.first:
            return 0
        if self._days:
            return -(-(day - self.first).days // self._days)
        months = (day.year - self.first.year) * 12 + day.month - self.first.month
        number = months // self._months
        found = self.day(number)
        return number if found is not None and found >= day else number + 1

    def between(self, start: date, end: date) -> list[date]:
        """All expected days from start to end, both included; as many steps as there are results."""
        found = []
        number = self.number_from(start)
        while (day := self.day(number)) is not None and day <= end:
            found.append(day)
            number += 1
        return found

    def spans_from(self, number: int) -> Iterator[Span]:
        """The expected days from a number on, each with the days that are nearest to it, up to the end of the calendar."""
        day = self.day(number)
        while day is not None:
            number += 1
            following = self.day(number)
            yield Span(day, _nearest_until(day, following) if following else _LAST_DAY)
            day = following

    def before_span(self, number: int) -> date:
        """The last day before those that are nearest to the expected day of that number.

        Early is early by less than a period: on the day one period before the first, or earlier still, nothing is paid
        that was expected.
        """
        earlier = self._day(number - 1)
        day = self.day(number)
        assert earlier is not None
        if number == 0 or day is None:
            return earlier
        return _nearest_until(earlier, day)

    @property
    def longest(self) -> timedelta:
        """No two expected days in a row are further apart."""
        return timedelta(days=self._days or 31 * self._months)


def _nearest_until(day: date, following: date) -> date:
    return date.fromordinal((day.toordinal() + following.toordinal()) // 2)
