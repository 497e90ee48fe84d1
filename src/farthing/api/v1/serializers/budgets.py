"""Shows budgets, by themselves and with their limits."""

from collections.abc import Sequence

from farthing.books.budgets.model import Budget, Carry
from farthing.books.labels.model import Sums
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.kernel.money import as_text
from farthing.kernel.shown import Dated

from ..resources.lists import make_thing
from .labels import SumShown, show_sums, sums_of


class BudgetAttributes(Dated, gc=False):
    """`auto_budget_type` is `none` if the budget gets no limits automatically. Then the other fields are null."""

    name: str
    active: bool
    spent: list[SumShown]
    transactions_count: int
    carry: str
    auto_budget_type: str
    auto_budget_amount: str | None
    auto_budget_period: str | None
    auto_budget_currency_id: int | None
    auto_budget_currency_code: str | None
    notes: str | None
    order: int


def show(budget: Budget, sums: Sums) -> BudgetAttributes:
    currency, repeats = budget.auto_currency, "rollover" if budget.carry is Carry.YES else "reset"
    return BudgetAttributes(
        updated_at=budget.updated_at,
        created_at=budget.created_at,
        name=budget.name,
        active=budget.active,
        spent=show_sums(sums.spent),
        transactions_count=sums.splits,
        carry=budget.carry.value,
        auto_budget_type=repeats if currency else "none",
        auto_budget_amount=as_text(budget.auto_units, currency.places) if currency and budget.auto_units else None,
        auto_budget_period=budget.auto_period.value if budget.auto_period else None,
        auto_budget_currency_id=currency.id if currency else None,
        auto_budget_currency_code=currency.code if currency else None,
        notes=budget.notes,
        order=budget.order,
    )


BudgetThing = Thing[BudgetAttributes]


def things(call: Call, budgets: Sequence[Budget]) -> list[BudgetThing]:
    sums = sums_of(call, "budgets", [budget.id for budget in budgets])
    return [make_thing(call, "budgets", budget.id, show(budget, sums[budget.id])) for budget in budgets]
