"""Defines available budgets: the money that may be budgeted in a period, in one currency."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.schedule.periods import DayRange

_DAY = timedelta(days=1)


class AvailableBudgetDraft(Struct, frozen=True):
    currency: Currency
    units: int
    start_on: date
    end_on: date


class AvailableBudget(Struct, frozen=True):
    id: int
    currency: Currency
    units: int
    start_on: str
    end_on: str
    created_at: str
    updated_at: str


class AvailableSum(Struct, frozen=True):
    """The sum of the available budgets in one currency. `spent` was spent on the days that their periods cover."""

    units: int
    spent: int
    periods: Sequence[DayRange]


def merge_periods(periods: Iterable[DayRange]) -> list[DayRange]:
    """Merges overlapping and adjacent periods, so that no day is in two periods.

    Returns the merged periods in order.
    """
    merged: list[DayRange] = []
    for period in sorted(periods, key=lambda period: period.first):
        if merged and period.first <= merged[-1].last + _DAY:
            merged[-1] = DayRange(merged[-1].first, max(merged[-1].last, period.last))
        else:
            merged.append(period)
    return merged


def count_days_from(day: date, periods: Sequence[DayRange]) -> int:
    """Counts the days of the periods from a day on. No day may be in two periods."""
    return sum(max((period.last - max(period.first, day)).days + 1, 0) for period in periods)
