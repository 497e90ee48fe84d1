"""Defines budgets, to which withdrawals can be assigned."""

from collections.abc import Iterator
from datetime import date, timedelta
from enum import StrEnum

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.schedule.months import day_in_month, month_number
from farthing.schedule.periods import DayRange

_DAY, _LAST_OF_MONTH = timedelta(days=1), 31


class Carry(StrEnum):
    """Says what a month carries over: nothing, what is left or overspent, or only what is overspent."""

    NO = "no"
    YES = "yes"
    OVERSPENT = "overspent"


class AutoPeriod(StrEnum):
    """Defines the periods for which a budget can get a limit automatically. Weeks start on Monday."""

    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    QUARTERLY = "quarterly"
    HALF_YEAR = "half-year"
    YEARLY = "yearly"

    def find_period(self, day: date) -> DayRange:
        """Returns the period of the calendar that has this day."""
        if self is AutoPeriod.DAILY:
            return DayRange(day, day)
        if self is AutoPeriod.WEEKLY:
            monday = day - day.weekday() * _DAY
            return DayRange(monday, monday + 6 * _DAY)
        length, month = _MONTHS[self], month_number(day)
        first = month - month % length
        return DayRange(day_in_month(first, 1), day_in_month(first + length - 1, _LAST_OF_MONTH))


_MONTHS = {AutoPeriod.MONTHLY: 1, AutoPeriod.QUARTERLY: 3, AutoPeriod.HALF_YEAR: 6, AutoPeriod.YEARLY: 12}


class BudgetDraft(Struct, frozen=True):
    """The fields that begin with `auto` are all None if the budget gets no limits automatically.

    If `order` is None, an update keeps the stored order, and a new budget is last.
    """

    name: str
    active: bool
    carry: Carry = Carry.NO
    auto_units: int | None = None
    auto_currency: Currency | None = None
    auto_period: AutoPeriod | None = None
    auto_next_on: date | None = None
    notes: str | None = None
    order: int | None = None


class Budget(Struct, frozen=True):
    """The budget gets a limit of `auto_units` in each period. `auto_next_on` is the first day without such a limit."""

    id: int
    name: str
    active: bool
    carry: Carry
    auto_units: int | None
    auto_currency: Currency | None
    auto_period: AutoPeriod | None
    auto_next_on: str | None
    notes: str | None
    order: int
    created_at: str
    updated_at: str

    def list_due(self, today: date) -> Iterator[DayRange]:
        """Yields the periods that have no automatic limit yet, up to and including the current one."""
        if not (self.auto_period and self.auto_next_on):
            return
        first = date.fromisoformat(self.auto_next_on)
        while first <= today:
            period = self.auto_period.find_period(first)
            yield period
            first = period.last + _DAY


def find_next_day(budget: Budget | None, *, period: AutoPeriod | None, active: bool, today: date) -> date | None:
    """Returns the day from which a changed budget gets automatic limits.

    If automatic limits are turned on, or resume after a pause, the budget gets its first one in the current period.
    """
    if period is None:
        return None
    if budget and budget.auto_next_on and budget.auto_period is period and budget.active and active:
        return date.fromisoformat(budget.auto_next_on)
    return period.find_period(today).first
