"""How does the API name what an available budget is?"""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel, Field

from ..currencies.wire import units
from ..errors import Problem
from ..fields import Day, Id, Parsed, PositiveAmount, label, parse, required, text
from ..money import Currency
from ..shown import Day as ShownDay
from ..shown import Instant, Number, number
from .model import AvailableBudget, Draft, period_problems

# Names of later clients, and what they stand for; the first name wins when both are sent.
_LATER = {"currency_id": "transaction_currency_id", "start": "start_date", "end": "end_date"}
REQUIRED = ("amount", "start_date", "end_date")


class AvailableBudgetBody(BaseModel):
    transaction_currency_id: Id | None = Field(None, description="This or `currency_code` is needed.")
    currency_code: Annotated[str, text(3)] | None = Field(None, description="This or an id is needed.")
    amount: PositiveAmount | None = None
    start_date: Day | None = None
    end_date: Day | None = None


def read(raw: Mapping[str, object]) -> Parsed[AvailableBudgetBody]:
    later = {_LATER[name]: value for name, value in raw.items() if name in _LATER}
    return parse(AvailableBudgetBody, later | {name: value for name, value in raw.items() if value not in (None, "")})


def as_sent(raw: Mapping[str, object], found: list[Problem]) -> list[Problem]:
    """Under the names of the caller; what nobody sent has the name of the contract."""
    called = {name: later for later, name in _LATER.items() if raw.get(later) and not raw.get(name)}
    return [
        Problem(name, one.message.replace(label(one.field), label(name))) if (name := called.get(one.field)) else one
        for one in found
    ]


def problems(parsed: Parsed[AvailableBudgetBody]) -> list[Problem]:
    """A missing currency names the field of the contract."""
    currency = ("transaction_currency_id",) if parsed.absent("currency_code") else ()
    values = parsed.values
    return [*required(parsed, *currency, *REQUIRED), *period_problems(values.start_date, values.end_date)]


def draft(parsed: Parsed[AvailableBudgetBody], currency: Currency | None, found: list[Problem]) -> Draft | None:
    values = parsed.values
    amount = units(parsed, "amount", currency, found)
    if found or currency is None or amount is None or values.start_date is None or values.end_date is None:
        return None
    return Draft(currency, amount, values.start_date, values.end_date)


class AvailableBudgetAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    start_date: ShownDay
    end_date: ShownDay
    amount: Number
    spent: Number
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int


def show(one: AvailableBudget, spent_units: int) -> AvailableBudgetAttributes:
    return AvailableBudgetAttributes(
        updated_at=one.updated_at,
        created_at=one.created_at,
        start_date=one.start_on,
        end_date=one.end_on,
        amount=number(one.units, one.places),
        spent=number(spent_units, one.places),
        currency_id=one.currency_id,
        currency_code=one.code,
        currency_symbol=one.symbol,
        currency_dp=one.places,
    )
