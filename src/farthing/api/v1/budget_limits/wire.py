"""Reads and shows budget limits."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from pydantic import Field

from farthing.books.budget_limits.model import BudgetLimit, BudgetLimitDraft
from farthing.kernel.fields import Day, Id, PositiveAmount, RequestBody, parse, text
from farthing.kernel.money import Currency, as_text
from farthing.kernel.parsed import Parsed, ensure, order_problems
from farthing.kernel.shown import Day as ShownDay
from farthing.kernel.shown import Instant

from ..serializers.currencies import currency_fields

# Maps the field names of later clients to ours. If both are sent, ours wins.
_LATER = {"start": "start_date", "end": "end_date"}
OF_BUDGET = ("amount", "start_date", "end_date")
REQUIRED = ("budget_id", *OF_BUDGET)


class BudgetLimitBody(RequestBody):
    budget_id: Id | None = None
    currency_id: Id | None = Field(None, description="If both this and the code are omitted, your own currency.")
    currency_code: Annotated[str, text(3)] | None = None
    amount: PositiveAmount | None = None
    start_date: Day | None = None
    end_date: Day | None = None


def read(raw: Mapping[str, object], budget_id: int | None = None) -> Parsed[BudgetLimitBody]:
    """Prefers the budget in the path to that of the body."""
    later = {_LATER[name]: value for name, value in raw.items() if name in _LATER}
    sent = later | {name: value for name, value in raw.items() if value not in (None, "")}
    return parse(BudgetLimitBody, sent if budget_id is None else sent | {"budget_id": budget_id})


def check(parsed: Parsed[BudgetLimitBody]) -> None:
    parsed.require(*REQUIRED)
    parsed.report_all(order_problems(parsed.values.start_date, parsed.values.end_date, "start_date", "end_date"))


def draft(parsed: Parsed[BudgetLimitBody], currency: Currency, units: int | None) -> BudgetLimitDraft:
    """Call after `parsed.finish()`."""
    values = parsed.values
    return BudgetLimitDraft(
        budget_id=ensure(values.budget_id),
        currency=currency,
        units=ensure(units),
        start_on=ensure(values.start_date),
        end_on=ensure(values.end_date),
    )


class BudgetLimitAttributes(Struct, gc=False):
    """Amounts are text, with the decimal places of their currency."""

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


def show(limit: BudgetLimit, spent_units: int) -> BudgetLimitAttributes:
    currency = limit.currency
    return BudgetLimitAttributes(
        updated_at=limit.updated_at,
        created_at=limit.created_at,
        budget_id=limit.budget_id,
        start_date=limit.start_on,
        end_date=limit.end_on,
        amount=as_text(limit.units, currency.places),
        spent=as_text(spent_units, currency.places),
        **currency_fields(currency),
    )
