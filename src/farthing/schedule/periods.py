"""Splits a range of days into days, weeks, months, quarters, half-years or years.

The first and the last period may be incomplete.
"""

from calendar import monthrange
from datetime import date, timedelta
from enum import StrEnum

from msgspec import Struct

_DAY = timedelta(days=1)


class Period(StrEnum):
    """Periods from finest to coarsest; weeks start on Monday."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    HALF_YEAR = "half-year"
    YEAR = "year"

    @property
    def is_of_months(self) -> bool:
        """Checks whether the period consists of whole months."""
        return self not in (Period.DAY, Period.WEEK)


# The periods of version 1 of the API.
USUAL = tuple(period for period in Period if period is not Period.HALF_YEAR)


class DayRange(Struct, frozen=True):
    first: date
    last: date


_MONTHS = {Period.MONTH: 1, Period.QUARTER: 3, Period.HALF_YEAR: 6, Period.YEAR: 12}


def last_day(period: Period, day: date) -> date:
    if period == Period.DAY:
        return day
    if period == Period.WEEK:
        return day + (6 - day.weekday()) * _DAY
    months = _MONTHS[period]
    month = (day.month - 1) // months * months + months
    return date(day.year, month, monthrange(day.year, month)[1])


def parts(period: Period, start: date, end: date) -> list[DayRange]:
    """Splits the range, which includes both ends."""
    ranges = []
    while start <= end:
        last = min(last_day(period, start), end)
        ranges.append(DayRange(start, last))
        start = last + _DAY
    return ranges
