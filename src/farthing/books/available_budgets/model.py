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
    """Sums available budgets in one currency. `spent` is what was spent on the days that their periods cover."""

    units: int
    spent: int
    periods: Sequence[DayRange]

    @property
    def left(self) -> int:
        return self.units - self.spent

    def count_days_from(self, day: date) -> int:
        return sum(max((period.last - max(period.first, day)).days + 1, 0) for period in self.periods)


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
