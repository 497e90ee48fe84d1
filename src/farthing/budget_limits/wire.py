"""How does the API name what a budget limit is?"""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel, Field

from ..currencies.wire import units
from ..errors import Problem
from ..fields import Day, Id, Parsed, PositiveAmount, parse, required, text
from ..money import Currency, as_text
from ..shown import Day as ShownDay
from ..shown import Instant
from .model import Draft, Limit, period_problems

# Names of later clients, and what they stand for; the first name wins when both are sent.
_LATER = {"start": "start_date", "end": "end_date"}
OF_BUDGET = ("amount", "start_date", "end_date")
REQUIRED = ("budget_id", *OF_BUDGET)


class BudgetLimitBody(BaseModel):
    budget_id: Id | None = None
    currency_id: Id | None = Field(None, description="Without this and `currency_code`: your own currency.")
    currency_code: Annotated[str, text(3)] | None = None
    amount: PositiveAmount | None = None
    start_date: Day | None = None
    end_date: Day | None = None


def read(raw: Mapping[str, object], budget_id: int | None = None) -> Parsed[BudgetLimitBody]:
    """A budget that the address names is the one."""
    later = {_LATER[name]: value for name, value in raw.items() if name in _LATER}
    sent = later | {name: value for name, value in raw.items() if value not in (None, "")}
    return parse(BudgetLimitBody, sent if budget_id is None else sent | {"budget_id": budget_id})


def problems(parsed: Parsed[BudgetLimitBody]) -> list[Problem]:
    values = parsed.values
    return [*required(parsed, *REQUIRED), *period_problems(values.start_date, values.end_date)]


def unknown_budget() -> Problem:
    return Problem("budget_id", "The selected budget id is invalid: there is no such budget.")


def draft(parsed: Parsed[BudgetLimitBody], currency: Currency | None, found: list[Problem]) -> Draft | None:
    values = parsed.values
    amount = units(parsed, "amount", currency, found)
    if found or currency is None or amount is None:
        return None
    assert values.budget_id is not None
    assert values.start_date is not None
    assert values.end_date is not None
    return Draft(values.budget_id, currency, amount, values.start_date, values.end_date)


class BudgetLimitAttributes(Struct, gc=False):
    """Amounts are text with the currency's decimal places."""

    updated_at: Instant
    created_at: Instant
    budget_id: int
    start_date: ShownDay
    end_date: ShownDay
    amount: str
    spent: str
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int


def show(limit: Limit, spent_units: int) -> BudgetLimitAttributes:
    currency = limit.currency
    return BudgetLimitAttributes(
        updated_at=limit.updated_at,
        created_at=limit.created_at,
        budget_id=limit.budget_id,
        start_date=limit.start_on,
        end_date=limit.end_on,
        amount=as_text(limit.units, currency.places),
        spent=as_text(spent_units, currency.places),
        currency_id=currency.id,
        currency_code=currency.code,
        currency_symbol=currency.symbol,
        currency_dp=currency.places,
    )
