"""Splits the range of a chart into periods, and limits the size of an answer."""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cached_property
from itertools import accumulate
from operator import sub

from msgspec import Struct

from farthing.schedule.months import start_of_next_month
from farthing.schedule.periods import USUAL, DayRange, Period, parts
from farthing.storage.grains import ALL_TIME, Span

# A larger answer would delay other users, because rows must be read and a number encoded for each figure.
FIGURES_MAX = 10_000
# The longest range for days and weeks, which are read day by day; longer periods are read by month.
DAYS_MAX = 400
_DAY = timedelta(days=1)

Moved = list[int]  # the units that moved in each part of a range, and after the last part


class ChartRange(Struct, frozen=True, dict=True):
    """A range of days, which `parts` divides into periods, such as months."""

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
        return [part.last.isoformat() for part in self.parts]

    @cached_property
    def places(self) -> "PartIndexes":
        return PartIndexes(self.lasts)

    def zeros_and_rest(self) -> list[int]:
        """Returns a list with a zero for each part, and one more for the time after the last part."""
        return [0] * (len(self.parts) + 1)

    def fits(self, lines: int, *, days: int | None = None, figures: int | None = None) -> bool:
        if self.by_days and (self.end - self.start).days >= (days or DAYS_MAX):
            return False
        return len(self.parts) * lines <= (figures or FIGURES_MAX)


class PartIndexes(dict[str, int]):
    """Maps a day, or a month that lies within one part, to the index of that part.

    Days and months after the last part are mapped to the number of parts. Results are cached, because all accounts of
    a chart share the same days.
    """

    def __init__(self, lasts: list[str]) -> None:
        self._lasts = lasts

    def __missing__(self, period: str) -> int:
        index = self[period] = bisect_left(self._lasts, period if len(period) > 7 else f"{period}-01")
        return index


def closings(total: int, moved: list[int]) -> list[int]:
    """Returns the balance at the end of each part: the all-time total minus everything that moved later."""
    _, *later = moved
    return list(accumulate(reversed(later), sub, initial=total))[:0:-1]


def finest(start: date, end: date, lines: int) -> ChartRange:
    """Returns the range with the shortest period for which the answer stays within the limits."""
    charts = (ChartRange(period, start, end) for period in USUAL)
    return next((chart for chart in charts if chart.fits(lines)), ChartRange(Period.YEAR, start, end))


def spans_after_first_part(chart: ChartRange) -> Sequence[Span]:
    """Returns the spans from the end of the first part on, by day where a part ends within a month, else by month."""
    first, month = chart.parts[0].last + _DAY, chart.end.replace(day=1)
    next_month = start_of_next_month(month)
    if next_month == chart.end + _DAY and not chart.by_days:
        return [Span(grain="month", first=_month(first), beyond=ALL_TIME.beyond)]
    days_from = first if chart.by_days else max(first, month)
    stretches = (
        Span(grain="month", first=_month(first), beyond=_month(days_from)),
        Span(grain="day", first=days_from.isoformat(), beyond=next_month.isoformat()),
        Span(grain="month", first=_month(next_month), beyond=ALL_TIME.beyond),
    )
    return [span for span in stretches if span.first < span.beyond]


def _month(day: date) -> str:
    return day.isoformat()[:7]
