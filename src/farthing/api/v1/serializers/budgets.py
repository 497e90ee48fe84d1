"""Shows budgets, by themselves and with their limits."""

from collections.abc import Sequence

from farthing.books.budgets.model import Budget
from farthing.books.labels.model import Sums
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.kernel.shown import Dated

from ..resources.lists import make_thing
from .labels import SumShown, show_sums, sums_of


class BudgetAttributes(Dated, gc=False):
    name: str
    active: bool
    spent: list[SumShown]
    transactions_count: int
    carry: str


def show(budget: Budget, sums: Sums) -> BudgetAttributes:
    return BudgetAttributes(
        updated_at=budget.updated_at,
        created_at=budget.created_at,
        name=budget.name,
        active=budget.active,
        spent=show_sums(sums.spent),
        transactions_count=sums.splits,
        carry=budget.carry.value,
    )


BudgetThing = Thing[BudgetAttributes]


def things(call: Call, budgets: Sequence[Budget]) -> list[BudgetThing]:
    sums = sums_of(call, "budgets", [budget.id for budget in budgets])
    return [make_thing(call, "budgets", budget.id, show(budget, sums[budget.id])) for budget in budgets]
