"""Finds the amounts that budgets carried into some months, in each currency of their limits."""

from collections import defaultdict
from collections.abc import Sequence

from farthing.books.budgets.model import Budget, Carry
from farthing.storage.unit import Unit

from . import store
from .model import find_months


def find_carried(
    db: Unit, user_id: int, budgets: Sequence[Budget], months: Sequence[int]
) -> dict[int, dict[int, dict[int, int]]]:
    """Maps budget, currency and month to units; `months` are ascending.

    Omits budgets that carry nothing, and the months before a budget's first limit.
    """
    carrying = [budget for budget in budgets if budget.carry is not Carry.NO]
    carried_by_budget: dict[int, dict[int, dict[int, int]]] = defaultdict(dict)
    if not carrying or not months:
        return carried_by_budget
    for currency_id in store.find_limited_currencies(db, user_id):
        first = store.find_first_month(db, user_id, currency_id, months[0])
        if first is None or first > months[-1]:
            continue
        reach = range(first, months[-1] + 1)
        limits = store.add_up_limits(store.list_limits(db, user_id, currency_id, reach), reach)
        spent = store.read_spent(db, user_id, currency_id, reach, [budget.id for budget in carrying])
        for budget in carrying:
            if budget.id not in limits:
                continue
            of_budget = find_months(budget.carry, limits[budget.id], spent.get(budget.id, {}), reach)
            begins = min(limits[budget.id])
            carried_by_budget[budget.id][currency_id] = {
                month: of_budget[month - first].carried for month in months if month >= begins
            }
    return carried_by_budget
