"""Reads the bodies of piggy banks."""

from typing import Annotated

from pydantic import Field

from farthing.books.currencies.choose import read_units
from farthing.books.piggy_banks.model import PiggyBank, PiggyBankDraft
from farthing.kernel.errors import Problem
from farthing.kernel.fields import Amount, Day, Id, Name, Notes, PositiveAmount, RequestBody, whole
from farthing.kernel.money import Currency
from farthing.kernel.parsed import Parsed, ensure

REQUIRED = ("name", "account_id", "target_amount")
ORDER_MAX = 1_000_000


class PiggyBankBody(RequestBody):
    name: Name | None = None
    account_id: Id | None = Field(None, description="The asset account that holds the money.")
    target_amount: PositiveAmount | None = Field(None, description="Is in the currency of the account.")
    current_amount: Amount | None = Field(
        None,
        description="Between zero and the target, and at most what the account holds. If omitted, it does not change.",
    )
    start_date: Day | None = None
    target_date: Day | None = Field(None, description="Must be after the start date.")
    notes: Notes | None = None
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = Field(
        None, description="Position in your list, starting at 1. Later ones move down."
    )


def check(parsed: Parsed[PiggyBankBody]) -> None:
    """Checks the rules between fields, each independently of the others."""
    values = parsed.values
    parsed.require(*REQUIRED)
    if values.current_amount is not None and values.current_amount < 0:
        parsed.report("current_amount", "The current amount must be zero or more.")
    if values.start_date and values.target_date and values.target_date <= values.start_date:
        parsed.report("target_date", "The target date must be a date after start date.")


def draft(parsed: Parsed[PiggyBankBody], currency: Currency | None, piggy_bank: PiggyBank | None) -> PiggyBankDraft:
    """Converts amounts into units of the currency."""
    values = parsed.values
    target = read_units(parsed, "target_amount", currency)
    current = read_units(parsed, "current_amount", currency)
    parsed.report_all(_target_problems(target, current, piggy_bank))
    parsed.finish()
    return PiggyBankDraft(
        name=ensure(values.name),
        account_id=ensure(values.account_id),
        target_units=ensure(target),
        current_units=current,
        start_on=values.start_date,
        target_on=values.target_date,
        notes=values.notes,
        order=values.order,
    )


def _target_problems(target: int | None, current: int | None, piggy_bank: PiggyBank | None) -> list[Problem]:
    if target is None:
        return []
    if current is not None and current > target:
        return [Problem("current_amount", "The current amount may not be more than the target amount.")]
    if current is None and piggy_bank and piggy_bank.current_units > target:
        return [Problem("target_amount", "The target amount may not be less than the current amount.")]
    return []
