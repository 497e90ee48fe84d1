"""Finds what budgets carried into some months, in every currency that they have limits in."""

from collections import defaultdict
from collections.abc import Sequence

from farthing.books.budgets.model import Budget, Carry
from farthing.storage.unit import Unit

from . import store
from .model import find_months


def find_carried(
    db: Unit, user_id: int, budgets: Sequence[Budget], months: Sequence[int]
) -> dict[int, dict[int, dict[int, int]]]:
    """By budget, currency and month; the months are in order.

    Of budgets that carry nothing there is nothing, and of the others nothing before their first limit.
    """
    carrying = [one for one in budgets if one.carry is not Carry.NO]
    found: dict[int, dict[int, dict[int, int]]] = defaultdict(dict)
    if not carrying or not months:
        return found
    for currency_id in store.find_limited_currencies(db, user_id):
        first = store.find_first_month(db, user_id, currency_id, months[0])
        if first is None or first > months[-1]:
            continue
        reach = range(first, months[-1] + 1)
        limits = store.add_up_limits(store.list_limits(db, user_id, currency_id, reach), reach)
        spent = store.read_spent(db, user_id, currency_id, reach, [one.id for one in carrying])
        for one in carrying:
            if one.id not in limits:
                continue
            of_budget = find_months(one.carry, limits[one.id], spent.get(one.id, {}), reach)
            begins = min(limits[one.id])
            found[one.id][currency_id] = {
                month: of_budget[month - first].carried for month in months if month >= begins
            }
    return found
