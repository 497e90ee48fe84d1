"""Converts dates to numbers of months, and finds days in months."""

from calendar import monthrange
from datetime import date
from functools import lru_cache


def month_number(day: date) -> int:
    """Counts months since year 0."""
    return day.year * 12 + day.month - 1


def start_of_next_month(day: date) -> date:
    return day_in_month(month_number(day) + 1, 1)


@lru_cache(maxsize=10_000)
def day_in_month(months: int, day: int) -> date:
    """Returns a day in a month. A day beyond the end of the month, such as the 31st, becomes the last day.

    Cached, because lists of bills and recurrences need the same few thousand days repeatedly.
    """
    year, month = divmod(months, 12)
    # No month is shorter than 28 days.
    return date(year, month + 1, day if day <= 28 else min(day, monthrange(year, month + 1)[1]))
