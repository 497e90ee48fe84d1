"""Defines budget limits: the money that may be spent from a budget in a period, in one currency."""

from datetime import date

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.schedule.periods import DayRange


class BudgetLimitDraft(Struct, frozen=True):
    budget_id: int
    currency: Currency
    units: int
    start_on: date
    end_on: date
    notes: str | None = None


class BudgetLimit(Struct, frozen=True):
    id: int
    budget_id: int
    currency: Currency
    units: int
    start_on: str
    end_on: str
    notes: str | None
    created_at: str
    updated_at: str


class CopiedLimits(Struct, frozen=True):
    copied: int
    unchanged: int


def find_share(units: int, days: DayRange, part: DayRange) -> int | None:
    """Returns the share of a limit's units for the days in `part`, or None if the limit has no day in `part`.

    The shares of all parts of the limit's period add up exactly to the limit.
    """
    begin, end = max(days.first, part.first), min(days.last, part.last)
    if begin > end:
        return None
    whole = (days.last - days.first).days + 1
    before, until = (begin - days.first).days, (end - days.first).days + 1
    return units * until // whole - units * before // whole
