"""Counts months, and finds days in them."""

from calendar import monthrange
from datetime import date
from functools import lru_cache


def month_number(day: date) -> int:
    """Months are counted from the beginning of our era."""
    return day.year * 12 + day.month - 1


@lru_cache(maxsize=10_000)
def day_in_month(months: int, day: int) -> date:
    """The 31st of a short month is its last day; 29 February is the 28th in other years.

    Cached, because lists of bills and recurrences ask for the same few thousand days again and again.
    """
    year, month = divmod(months, 12)
    # No month is shorter than 28 days.
    return date(year, month + 1, day if day <= 28 else min(day, monthrange(year, month + 1)[1]))
