"""Counts months, and finds days in them."""

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
    """Clamps the day to the length of the month: the 31st becomes the last day.

    Cached, because lists of bills and recurrences need the same few thousand days repeatedly.
    """
    year, month = divmod(months, 12)
    # No month is shorter than 28 days.
    return date(year, month + 1, day if day <= 28 else min(day, monthrange(year, month + 1)[1]))
