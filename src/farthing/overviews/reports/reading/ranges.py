"""Divides the range of a report into parts, and finds the ranges to compare it with."""

from collections.abc import Iterable
from datetime import date, timedelta
from enum import StrEnum
from functools import cached_property

from msgspec import Struct

from farthing.schedule.months import day_in_month, month_number, start_of_next_month
from farthing.schedule.periods import DayRange, Period, last_day
from farthing.storage.drivers import dialects
from farthing.storage.grains import ALL_TIME, Span, spans
from farthing.storage.unit import Unit

from ...charts.model import ChartRange, PartIndexes

_DAY = timedelta(days=1)
_YEAR_MONTHS = 12


class Comparison(StrEnum):
    BEFORE = "before"
    YEAR_AGO = "year_ago"


class Piece(Struct, frozen=True):
    """A span of stored sums, and the index of the part to which it belongs."""

    index: int
    span: Span


def as_table(pieces: Iterable[Piece]) -> str:
    """Writes SQL for a table that has the pieces as rows."""
    rows = (f"({piece.index}, '{piece.span.grain}', '{piece.span.first}', '{piece.span.beyond}')" for piece in pieces)
    return f"pieces (place, grain, first, beyond) AS (VALUES {', '.join(rows)})"


def join_sums(db: Unit, table: str, condition: str) -> str:
    """Joins the stored sums `s` of each piece `p`. `condition` must fix the first columns of their index."""
    of_piece = f"{condition} AND s.grain = p.grain AND s.period >= p.first AND s.period < p.beyond"
    return dialects.join_in_order(db, table, "s", of_piece)


class ReportRange(Struct, frozen=True, dict=True):
    """A range of days, divided into parts. If `period` is None, the whole range is one part.

    With `today`, a range that has begun but not ended is compared with as many days as have passed.
    """

    start: date
    end: date
    period: Period | None = None
    today: date | None = None

    @cached_property
    def parts(self) -> list[DayRange]:
        return self.chart.parts if self.period else [DayRange(self.start, self.end)]

    @cached_property
    def chart(self) -> ChartRange:
        """Returns the range in the form that charts use. If `period` is None, its period is a year."""
        return ChartRange(self.period or Period.YEAR, self.start, self.end)

    @cached_property
    def places(self) -> PartIndexes:
        """Maps a day or a month to the index of its part."""
        return PartIndexes(self.lasts)

    @cached_property
    def pieces(self) -> list["Piece"]:
        """Returns the stored sums that make up each part. They are few rows, because a whole month is a single row."""
        return [Piece(index, span) for index, part in enumerate(self.parts) for span in spans(part.first, part.last)]

    @cached_property
    def pieces_and_rest(self) -> list["Piece"]:
        """Returns the pieces, with the time after the range as one more part."""
        next_month = start_of_next_month(self.end)
        rest = Span(grain="day", first=(self.end + _DAY).isoformat(), beyond=next_month.isoformat())
        months = Span(grain="month", first=next_month.isoformat()[:7], beyond=ALL_TIME.beyond)
        return [*self.pieces, *(Piece(len(self.parts), span) for span in (rest, months))]

    @cached_property
    def lasts(self) -> list[str]:
        return [part.last.isoformat() for part in self.parts]

    @property
    def day_before(self) -> str:
        return (self.start - _DAY).isoformat()

    def zeros(self) -> list[int]:
        return [0] * len(self.parts)

    def is_complete(self, part: DayRange, today: date) -> bool:
        """Tells whether the part is a whole period, and has ended."""
        if self.period is None or part.last >= today or part.last != last_day(self.period, part.first):
            return False
        return part.first == date.min or last_day(self.period, part.first - _DAY) < part.first

    def is_averaged(self, part: DayRange, today: date, books_from: date | None) -> bool:
        """Tells whether averages include the part: it has begun, and does not end before the first transaction."""
        return part.first <= today and books_from is not None and part.last >= books_from

    def compared_with(self, comparison: Comparison) -> "ReportRange":
        """Returns the range to compare with, a year earlier or just before. Whole months stay whole months.

        If the range is still running, it ends on the day that corresponds to today: 19 days of November are compared
        with 19 days of October.
        """
        if comparison == Comparison.YEAR_AGO:
            return self._months_before(_YEAR_MONTHS)
        if self._is_of_months:
            return self._months_before(month_number(self.end) - month_number(self.start) + 1)
        days = self.end - self.start + _DAY
        return ReportRange(start=self.start - days, end=self._known_end - days)

    def _months_before(self, months: int) -> "ReportRange":
        end = self._known_end
        last = 31 if self._is_of_months and end == self.end else end.day
        return ReportRange(
            start=day_in_month(month_number(self.start) - months, self.start.day),
            end=day_in_month(month_number(end) - months, last),
        )

    @property
    def _known_end(self) -> date:
        return self.today if self.today and self.start <= self.today < self.end else self.end

    @cached_property
    def _is_of_months(self) -> bool:
        return self.start.day == 1 and (self.end + _DAY).day == 1
