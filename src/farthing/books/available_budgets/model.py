"""Available budgets: the money that may be budgeted in a period, in one currency."""

from datetime import date

from msgspec import Struct

from farthing.kernel.errors import Problem
from farthing.kernel.money import Currency


class AvailableBudgetDraft(Struct, frozen=True):
    currency: Currency
    units: int
    start_on: date
    end_on: date


class AvailableBudget(Struct, frozen=True):
    id: int
    currency_id: int
    code: str
    symbol: str
    places: int
    units: int
    start_on: str
    end_on: str
    created_at: str
    updated_at: str


def period_problems(start: date | None, end: date | None) -> list[Problem]:
    if start is None or end is None or start <= end:
        return []
    return [
        Problem("start_date", "The start date must be a date on or before end date."),
        Problem("end_date", "The end date must be a date on or after start date."),
    ]
