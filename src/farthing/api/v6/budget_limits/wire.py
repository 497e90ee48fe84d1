"""Reads and shows budget limits."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from farthing.books.budget_limits import store
from farthing.books.budget_limits.model import BudgetLimit
from farthing.books.exchange_rates.convert import DatedAmount
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.kernel.fields import Flag, Id, Notes, RequestBody, described, text
from farthing.kernel.shown import Instant

from ..parts.amounts import PositiveAmount, show_amount
from ..parts.documents import make_thing
from ..parts.moments import Moment, show_day
from ..parts.primary import OwnCurrency, Primary, Sum, load_primary, show_sum


class BudgetLimitBody(RequestBody):
    currency_id: Id | None = described("If both this and `currency_code` are omitted, your primary currency is used.")
    currency_code: Annotated[str, text(3)] | None = None
    amount: PositiveAmount | None = None
    start: Moment | None = None
    end: Moment | None = None
    notes: Notes | None = None
    fire_webhooks: Flag | None = None


class BudgetLimitAttributes(OwnCurrency, gc=False, kw_only=True):
    """`spent` is what was spent in the period and currency of the limit; it is negative. `period` is always null."""

    created_at: Instant
    updated_at: Instant
    start: Instant
    end: Instant
    budget_id: str
    amount: str
    pc_amount: str | None
    period: str | None
    spent: list[Sum]
    pc_spent: list[Sum]
    notes: str | None


BudgetLimitThing = Thing[BudgetLimitAttributes]


def make_things(call: Call, limits: Sequence[BudgetLimit]) -> list[BudgetLimitThing]:
    primary = load_primary(call)
    spent = store.sum_spent(call.db, call.user_id, limits)
    amounts = [DatedAmount(limit.currency.id, limit.units, _rated_on(limit, call.today)) for limit in limits]
    outgoing = [
        DatedAmount(limit.currency.id, -spent[limit.id], amount.on)
        for limit, amount in zip(limits, amounts, strict=True)
    ]
    converted = primary.convert([*amounts, *outgoing])
    pc_amounts, pc_spent = converted[: len(limits)], converted[len(limits) :]
    return [
        make_thing(
            call,
            "budget_limits",
            limit.id,
            _show(call, limit, primary, spent[limit.id], pc_amount, pc_sum),
            at=f"/budgets/{limit.budget_id}/limits/{limit.id}",
        )
        for limit, pc_amount, pc_sum in zip(limits, pc_amounts, pc_spent, strict=True)
    ]


def _rated_on(limit: BudgetLimit, today: date) -> str:
    return min(limit.end_on, today.isoformat())


def _show(
    call: Call, limit: BudgetLimit, primary: Primary, spent: int, pc_amount: str | None, pc_spent: str | None
) -> BudgetLimitAttributes:
    zone, currency = call.caller.timezone, limit.currency
    return BudgetLimitAttributes(
        created_at=limit.created_at,
        updated_at=limit.updated_at,
        start=show_day(limit.start_on, zone),
        end=show_day(limit.end_on, zone),
        budget_id=str(limit.budget_id),
        amount=show_amount(limit.units, currency.places),
        pc_amount=pc_amount,
        period=None,
        spent=[show_sum(currency, -spent)],
        pc_spent=[] if pc_spent is None else [primary.make_sum(pc_spent)],
        notes=limit.notes,
        **primary.show_with(currency),
    )
