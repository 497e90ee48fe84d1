"""Budget limits: what may be spent from a budget in a period, in one currency."""

from datetime import date

from msgspec import Struct

from farthing.kernel.errors import Problem
from farthing.kernel.money import Currency
from farthing.schedule.periods import DayRange


class BudgetLimitDraft(Struct, frozen=True):
    budget_id: int
    currency: Currency
    units: int
    start_on: date
    end_on: date


class BudgetLimit(Struct, frozen=True):
    id: int
    budget_id: int
    currency: Currency
    units: int
    start_on: str
    end_on: str
    created_at: str
    updated_at: str


class CopiedLimits(Struct, frozen=True):
    copied: int
    unchanged: int


def find_share(units: int, days: DayRange, part: DayRange) -> int | None:
    """Returns the part of a limit's units for some of its days; the shares of all parts add up to the limit exactly.

    None if the limit has no day in that part.
    """
    begin, end = max(days.first, part.first), min(days.last, part.last)
    if begin > end:
        return None
    whole = (days.last - days.first).days + 1
    before, until = (begin - days.first).days, (end - days.first).days + 1
    return units * until // whole - units * before // whole


def overlap_problems(other: BudgetLimit | None) -> list[Problem]:
    if other is None:
        return []
    which = f"limit {other.id} of this budget in {other.currency.code}, from {other.start_on} to {other.end_on}"
    sentence = f"The period overlaps with {which}."
    return [Problem("start_date", sentence), Problem("end_date", sentence)]
