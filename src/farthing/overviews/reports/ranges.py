"""Divides the range of a report into parts, and finds the ranges to compare it with."""

from datetime import date, timedelta
from enum import StrEnum
from functools import cached_property

from msgspec import Struct

from farthing.schedule.months import day_in_month, month_number
from farthing.schedule.periods import DayRange, Period, last_day
from farthing.storage.grains import Span, spans

from ..charts.model import ChartRange, PartIndexes

_DAY = timedelta(days=1)
_YEAR_MONTHS = 12


class Comparison(StrEnum):
    BEFORE = "before"
    YEAR_AGO = "year_ago"


class ReportRange(Struct, frozen=True, dict=True):
    """A range of days in parts; without a period, the whole range is one part."""

    start: date
    end: date
    period: Period | None = None

    @cached_property
    def parts(self) -> list[DayRange]:
        return self.chart.parts if self.period else [DayRange(self.start, self.end)]

    @cached_property
    def chart(self) -> ChartRange:
        """The same range as charts read it; the coarsest parts where the report has only one."""
        return ChartRange(self.period or Period.YEAR, self.start, self.end)

    @cached_property
    def places(self) -> PartIndexes:
        """Maps a day or a month to the index of its part."""
        return PartIndexes([part.last.isoformat() for part in self.parts])

    @cached_property
    def spans(self) -> list[Span]:
        """The stored sums to read; weeks are read by day."""
        if self.period == Period.WEEK:
            return [Span(grain="day", first=self.start.isoformat(), beyond=(self.end + _DAY).isoformat())]
        return spans(self.start, self.end)

    def nothing(self) -> list[int]:
        return [0] * len(self.parts)

    def is_complete(self, part: DayRange, today: date) -> bool:
        """Whether it is a whole period, and over."""
        if self.period is None or part.last >= today or part.last != last_day(self.period, part.first):
            return False
        return part.first == date.min or last_day(self.period, part.first - _DAY) < part.first

    def compared_with(self, comparison: Comparison) -> "ReportRange":
        """Whole months are compared with whole months, everything else by the number of days."""
        if comparison == Comparison.YEAR_AGO:
            return self._months_before(_YEAR_MONTHS)
        if self._is_of_months:
            return self._months_before(month_number(self.end) - month_number(self.start) + 1)
        return ReportRange(start=self.start - (self.end - self.start) - _DAY, end=self.start - _DAY)

    def _months_before(self, months: int) -> "ReportRange":
        last = 31 if self._is_of_months else self.end.day
        return ReportRange(
            start=day_in_month(month_number(self.start) - months, self.start.day),
            end=day_in_month(month_number(self.end) - months, last),
        )

    @cached_property
    def _is_of_months(self) -> bool:
        return self.start.day == 1 and (self.end + _DAY).day == 1
