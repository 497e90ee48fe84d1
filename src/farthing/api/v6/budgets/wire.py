"""Reads and shows budgets."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

from farthing.books.budgets.model import AutoPeriod, Budget, Carry
from farthing.books.exchange_rates.convert import DatedAmount
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.kernel.fields import Flag, Id, Name, Notes, RequestBody, choice, described, text, whole
from farthing.kernel.limits import ORDER_MAX
from farthing.kernel.shown import Instant

from ..parts.amounts import PositiveAmount, show_amount
from ..parts.documents import make_thing
from ..parts.labels import LabelSums, load_sums
from ..parts.primary import OwnCurrency, Primary, Sum, load_primary


class AutoType(StrEnum):
    """Says whether a budget gets limits automatically, and what carries over into the next period."""

    NONE = "none"
    RESET = "reset"
    ROLLOVER = "rollover"
    ADJUSTED = "adjusted"


CARRIES = {AutoType.RESET: Carry.NO, AutoType.ROLLOVER: Carry.YES, AutoType.ADJUSTED: Carry.OVERSPENT}
_TYPES = {carry: type_ for type_, carry in CARRIES.items()}


class BudgetBody(RequestBody):
    name: Name | None = None
    active: Flag | None = described("If omitted, a new budget is active.")
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = described(
        "The position in the list, starting at 1. Budgets from this position on move down."
    )
    notes: Notes | None = None
    fire_webhooks: Flag | None = None
    auto_budget_type: Annotated[AutoType, choice(*AutoType)] | None = described(
        "With `reset`, the budget gets the same limit in each period. With `rollover`, what is left or overspent is"
        " also carried over, and with `adjusted` only what is overspent. With `none`, the budget gets no more limits"
        " automatically."
    )
    auto_budget_amount: PositiveAmount | None = described("The limit of each period. Required with a type.")
    auto_budget_period: Annotated[AutoPeriod, choice(*AutoPeriod)] | None = described(
        "The period of each limit. Required with a type."
    )
    auto_budget_currency_id: Id | None = described("If omitted, your primary currency is used.")
    auto_budget_currency_code: Annotated[str, text(3)] | None = None


def find_type(budget: Budget | None) -> AutoType | None:
    return _TYPES[budget.carry] if budget and budget.auto_currency else None


class BudgetAttributes(OwnCurrency, gc=False, kw_only=True):
    """The currency is that of the automatic limits. `spent` is empty without a range."""

    created_at: Instant
    updated_at: Instant
    active: bool
    name: str
    order: int
    notes: str | None
    auto_budget_type: str | None
    auto_budget_period: str | None
    auto_budget_amount: str | None
    pc_auto_budget_amount: str | None
    object_group_id: str | None
    object_group_order: int | None
    object_group_title: str | None
    spent: list[Sum]
    pc_spent: list[Sum]


BudgetThing = Thing[BudgetAttributes]


def make_things(call: Call, budgets: Sequence[Budget]) -> list[BudgetThing]:
    primary, on = load_primary(call), call.today.isoformat()
    sums = load_sums(call, primary, "budgets", [budget.id for budget in budgets])
    limits = primary.convert(
        [
            DatedAmount(budget.auto_currency.id, budget.auto_units, on)
            if budget.auto_currency and budget.auto_units
            else None
            for budget in budgets
        ]
    )
    return [
        make_thing(call, "budgets", budget.id, _show(budget, of_budget, pc_limit, primary))
        for budget, of_budget, pc_limit in zip(budgets, sums, limits, strict=True)
    ]


def _show(budget: Budget, sums: LabelSums, pc_limit: str | None, primary: Primary) -> BudgetAttributes:
    currency = budget.auto_currency
    return BudgetAttributes(
        created_at=budget.created_at,
        updated_at=budget.updated_at,
        active=budget.active,
        name=budget.name,
        order=budget.order,
        notes=budget.notes,
        auto_budget_type=find_type(budget),
        auto_budget_period=budget.auto_period,
        auto_budget_amount=show_amount(budget.auto_units, currency.places) if currency and budget.auto_units else None,
        pc_auto_budget_amount=pc_limit,
        object_group_id=None,
        object_group_order=None,
        object_group_title=None,
        spent=sums.spent,
        pc_spent=sums.pc_spent,
        **primary.show_with(currency),
    )
