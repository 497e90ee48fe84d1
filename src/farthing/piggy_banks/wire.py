"""How does the API name what a piggy bank is, and what moved in and out of it?"""

from datetime import date
from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel, Field

from ..currencies.wire import units
from ..errors import Problem
from ..fields import Amount, Day, Id, Name, Notes, Parsed, PositiveAmount, required, whole
from ..money import Currency
from ..shown import Day as ShownDay
from ..shown import Instant, Number, number
from .model import Draft, Event, PiggyBank

REQUIRED = ("name", "account_id", "target_amount")
ORDER_MAX = 1_000_000


class PiggyBankBody(BaseModel):
    name: Name | None = None
    account_id: Id | None = Field(None, description="An asset account of yours, on which the money lies.")
    target_amount: PositiveAmount | None = Field(None, description="In the currency of the account.")
    current_amount: Amount | None = Field(
        None, description="From zero to the target, and not more than the account holds. Left out, it stays as it is."
    )
    start_date: Day | None = None
    target_date: Day | None = Field(None, description="After the start date.")
    notes: Notes | None = None
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = Field(
        None, description="Its place in your list, from 1; the others make way."
    )


def problems(parsed: Parsed[PiggyBankBody]) -> list[Problem]:
    """The rules between fields; each runs whatever the others say."""
    values = parsed.values
    found = required(parsed, *REQUIRED)
    if values.current_amount is not None and values.current_amount < 0:
        found.append(Problem("current_amount", "The current amount must be zero or more."))
    if values.start_date and values.target_date and values.target_date <= values.start_date:
        found.append(Problem("target_date", "The target date must be a date after start date."))
    return found


def draft(
    parsed: Parsed[PiggyBankBody], currency: Currency | None, kept: PiggyBank | None, found: list[Problem]
) -> Draft | None:
    """Amounts become units here, which only the currency can do; None as soon as anything is wrong."""
    values = parsed.values
    target = units(parsed, "target_amount", currency, found)
    current = units(parsed, "current_amount", currency, found)
    found += _target_problems(target, current, kept)
    if found or target is None:
        return None
    assert values.name is not None
    assert values.account_id is not None
    return Draft(
        name=values.name,
        account_id=values.account_id,
        target_units=target,
        current_units=current,
        start_on=values.start_date,
        target_on=values.target_date,
        notes=values.notes,
        order=values.order,
    )


def _target_problems(target: int | None, current: int | None, kept: PiggyBank | None) -> list[Problem]:
    if target is None:
        return []
    if current is not None and current > target:
        return [Problem("current_amount", "The current amount may not be more than the target amount.")]
    if current is None and kept and kept.current_units > target:
        return [Problem("target_amount", "The target amount may not be less than what is in the piggy bank.")]
    return []


class PiggyBankAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    name: str
    account_id: int
    account_name: str
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    target_amount: Number
    percentage: int
    current_amount: Number
    left_to_save: Number
    save_per_month: Number
    start_date: ShownDay | None
    target_date: ShownDay | None
    order: int
    active: bool
    notes: str | None


def show(one: PiggyBank, today: date) -> PiggyBankAttributes:
    places = one.currency.places
    return PiggyBankAttributes(
        updated_at=one.updated_at,
        created_at=one.created_at,
        name=one.name,
        account_id=one.account_id,
        account_name=one.account_name,
        currency_id=one.currency.id,
        currency_code=one.currency.code,
        currency_symbol=one.currency.symbol,
        currency_dp=places,
        target_amount=number(one.target_units, places),
        percentage=one.percentage,
        current_amount=number(one.current_units, places),
        left_to_save=number(one.left_units, places),
        save_per_month=number(one.units_per_month(today), places),
        start_date=one.start_on,
        target_date=one.target_on,
        order=one.order,
        active=one.active,
        notes=one.notes,
    )


class EventAttributes(Struct, gc=False):
    """`journal_id` is that of the transfer which moved the money; none when it was moved by hand."""

    updated_at: Instant
    created_at: Instant
    date: ShownDay
    amount: Number
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    piggy_bank_id: int
    journal_id: int | None


def show_event(one: Event) -> EventAttributes:
    """An event is never changed: it was last changed when it was made."""
    return EventAttributes(
        updated_at=one.created_at,
        created_at=one.created_at,
        date=one.on,
        amount=number(one.units, one.currency.places),
        currency_id=one.currency.id,
        currency_code=one.currency.code,
        currency_symbol=one.currency.symbol,
        currency_dp=one.currency.places,
        piggy_bank_id=one.piggy_bank_id,
        journal_id=one.entry_id,
    )
