"""Computes the months of all budgets, so that they can be shown side by side."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from farthing.books.budgets import store as budgets
from farthing.books.budgets.model import Budget, Carry
from farthing.kernel.money import Currency
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from . import store
from .model import MONTHS_BACK_MAX, BudgetMonth, EnvelopeMonth, MonthlyFigures, find_envelopes, find_months
from .store import MonthLimit


class BudgetMonths(Struct, frozen=True):
    budget: Budget
    months: Sequence[BudgetMonth]
    limits: Mapping[int, Sequence[MonthLimit]]


class MonthsSideBySide(Struct, frozen=True):
    months: range
    budgets: Sequence[BudgetMonths]
    totals: Sequence[EnvelopeMonth]


def find_side_by_side(
    db: Unit, user_id: int, currency: Currency, months: range, *, this_month: int
) -> MonthsSideBySide:
    """Computes all budgets by month. Begins up to `MONTHS_BACK_MAX` months earlier, to find what was carried over."""
    # Income is available to budget starting with the first month that has a limit, or this month if it is earlier.
    first = store.find_first_month(db, user_id, currency.id, months.start)
    begins = max(this_month if first is None else min(first, this_month), months.start - MONTHS_BACK_MAX)
    reach = range(min(begins, months.start), months.stop)
    every = budgets.every(db, user_id)
    limits = store.list_limits(db, user_id, currency.id, reach)
    figures = MonthlyFigures(
        limits=store.add_up_limits(limits, reach),
        spent=store.read_spent(db, user_id, currency.id, reach, [budget.id for budget in every]),
        income=store.read_flows(db, user_id, currency.id, reach, Type.DEPOSIT),
        withdrawn=store.read_flows(db, user_id, currency.id, reach, Type.WITHDRAWAL),
        available=store.read_available(db, user_id, currency.id, months),
    )
    by_budget = {
        budget.id: find_months(budget.carry, figures.limits.get(budget.id, {}), figures.spent.get(budget.id, {}), reach)
        for budget in every
    }
    totals = find_envelopes(figures, by_budget, reach, begins=begins)
    count, of = len(months), _group(limits, months)
    return MonthsSideBySide(
        months=months,
        budgets=[
            BudgetMonths(budget=budget, months=by_budget[budget.id][-count:], limits=of[budget.id]) for budget in every
        ],
        totals=totals[-count:],
    )


def _group(limits: Sequence[MonthLimit], months: range) -> Mapping[int, Mapping[int, Sequence[MonthLimit]]]:
    """Groups limits by budget and month. A limit appears in each month that it overlaps."""
    by_month: dict[int, dict[int, list[MonthLimit]]] = defaultdict(lambda: defaultdict(list))
    for limit in limits:
        for month in limit.find_months(months):
            by_month[limit.budget_id][month].append(limit)
    return by_month


def find_carried(
    db: Unit, user_id: int, budgets: Sequence[Budget], months: Sequence[int]
) -> dict[int, dict[int, dict[int, int]]]:
    """Finds the units carried into each month, by budget and currency. `months` must be in ascending order.

    Omits budgets that carry nothing over, and the months before a budget's first limit.
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
