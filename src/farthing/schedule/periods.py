"""How is a range of days cut into days, weeks, months, quarters or years? Its ends may cut the first and the last."""

from calendar import monthrange
from datetime import date, timedelta
from enum import StrEnum
from typing import NamedTuple

_DAY = timedelta(days=1)


class Period(StrEnum):
    """From the finest to the coarsest; a week begins on Monday."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"

    @property
    def is_of_months(self) -> bool:
        """Does it end where months end?"""
        return self not in (Period.DAY, Period.WEEK)


class Part(NamedTuple):
    first: date
    last: date


_MONTHS = {Period.MONTH: 1, Period.QUARTER: 3, Period.YEAR: 12}


def last_day(period: Period, day: date) -> date:
    """Of the period that holds the day."""
    if period == Period.DAY:
        return day
    if period == Period.WEEK:
        return day + (6 - day.weekday()) * _DAY
    months = _MONTHS[period]
    month = (day.month - 1) // months * months + months
    return date(day.year, month, monthrange(day.year, month)[1])


def parts(period: Period, start: date, end: date) -> list[Part]:
    """Both days are in it."""
    found = []
    while start <= end:
        last = min(last_day(period, start), end)
        found.append(Part(start, last))
        start = last + _DAY
    return found
