"""Cuts the range of a chart into parts, and limits the figures of one answer."""

from bisect import bisect_left
from datetime import date
from functools import cached_property
from itertools import accumulate
from operator import sub

from msgspec import Struct

from farthing.schedule.periods import DayRange, Period, parts

# More would hold up everybody else: each is a number to write, and some rows to read.
FIGURES_MAX = 10_000
# Days and weeks are read day by day, the rest month by month.
DAYS_MAX = 400


class Cut(Struct, frozen=True, dict=True):
    """A range of days in parts."""

    period: Period
    start: date
    end: date

    @cached_property
    def parts(self) -> list[DayRange]:
        return parts(self.period, self.start, self.end)

    @property
    def by_days(self) -> bool:
        return not self.period.is_of_months

    @cached_property
    def lasts(self) -> list[str]:
        """The last day of each part."""
        return [part.last.isoformat() for part in self.parts]

    @cached_property
    def places(self) -> "Places":
        return Places(self.lasts)

    def nothing(self) -> list[int]:
        """That nothing moved in any part, nor after the last."""
        return [0] * (len(self.parts) + 1)

    def fits(self, lines: int) -> bool:
        """Could one answer hold so many lines of it?"""
        if self.by_days and (self.end - self.start).days >= DAYS_MAX:
            return False
        return len(self.parts) * lines <= FIGURES_MAX


class Places(dict[str, int]):
    """In which part a day lies, or a month that no part ends within; after the last one in none.

    A chart of many accounts has the same days for each of them.
    """

    def __init__(self, lasts: list[str]) -> None:
        self._lasts = lasts

    def __missing__(self, period: str) -> int:
        place = self[period] = bisect_left(self._lasts, period if len(period) > 7 else f"{period}-01")
        return place


def closings(total: int, moved: list[int]) -> list[int]:
    """What was there at the end of each part: all there ever is, less what moves after it."""
    _, *later = moved
    return list(accumulate(reversed(later), sub, initial=total))[:0:-1]


def finest(start: date, end: date, lines: int) -> Cut:
    """With as many figures as one answer may hold."""
    cuts = (Cut(period, start, end) for period in Period)
    return next((cut for cut in cuts if cut.fits(lines)), Cut(Period.YEAR, start, end))
