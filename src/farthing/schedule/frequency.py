"""On which days is something expected that comes every so often? Always counted from the first day, never drifting."""

from calendar import monthrange
from datetime import date, timedelta
from enum import StrEnum

_LAST_DAY = date(9998, 12, 31)
_LAST_ORDINAL = _LAST_DAY.toordinal()


class Frequency(StrEnum):
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    QUARTERLY = "quarterly"
    HALF_YEAR = "half-year"
    YEARLY = "yearly"


_MONTHS = {Frequency.MONTHLY: 1, Frequency.QUARTERLY: 3, Frequency.HALF_YEAR: 6, Frequency.YEARLY: 12}


def months_later(day: date, months: int) -> date:
    """The same day of a later month, or that month's last: 31 January and one month is 28 or 29 February."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


class Rhythm:
    """Every `(skip + 1)`-th period from the first day on."""

    def __init__(self, first: date, frequency: Frequency, skip: int) -> None:
        self.first = first
        self._months = _MONTHS.get(frequency, 0) * (skip + 1)
        self._days = 0 if self._months else 7 * (skip + 1)

    def day(self, number: int) -> date | None:
        """The expected day of that number, the first is 0; None beyond the calendar we keep."""
        if number < 0:
            return None
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

    def nearest(self, day: date) -> int:
        """The number of the expected day that a payment on this day is for: the nearest, the earlier on a tie."""
        after = self.number_from(day)
        before = after - 1
        if before < 0:
            return after
        earlier, later = self.day(before), self.day(after)
        assert earlier is not None
        if later is None:
            return before
        return before if day - earlier <= later - day else after

    def settled_by(self, day: date) -> int | None:
        """The number of the expected day that a payment on this day settles, or None.

        Paying early settles the coming period; a whole period or more before the first day is a time before it all.
        """
        return self.nearest(day) if day > self._before_first else None

    @property
    def _before_first(self) -> date:
        if self._days:
            return self.first - timedelta(days=self._days)
        return months_later(self.first, -self._months)

    @property
    def longest(self) -> timedelta:
        """No two expected days in a row are further apart."""
        return timedelta(days=self._days or 31 * self._months)
