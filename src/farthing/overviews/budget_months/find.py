"""Computes the months of all budgets, so that they can be shown side by side."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from farthing.books.budgets import releases
from farthing.books.budgets import store as budgets
from farthing.books.budgets.model import Budget, Carry
from farthing.kernel.money import Currency
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from . import store
from .model import MONTHS_BACK_MAX, BudgetMonth, EnvelopeMonth, MonthlyFigures, find_envelopes
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
        released=releases.read_by_month(db, user_id, currency.id, reach),
    )
    by_budget = {budget.id: figures.find_months(budget, reach) for budget in every}
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


class Carried(Struct, frozen=True):
    """Holds the units carried into a part, less the units that were moved out of them, which are `released`."""

    units: int
    released: int


def find_carried(
    db: Unit, user_id: int, budgets: Sequence[Budget], parts: Sequence[range]
) -> dict[int, dict[int, dict[int, Carried]]]:
    """Finds what is carried into each part, by budget, currency and the first month of the part.

    The parts are ranges of months in ascending order. What is moved out of carried money in a later month of a part
    counts as well. Omits budgets that carry nothing over, and the months before a budget's first limit.
    """
    carrying = [budget for budget in budgets if budget.carry is not Carry.NO]
    carried_by_budget: dict[int, dict[int, dict[int, Carried]]] = defaultdict(dict)
    if not carrying or not parts:
        return carried_by_budget
    for currency_id in store.find_limited_currencies(db, user_id):
        first = store.find_first_month(db, user_id, currency_id, parts[0].start)
        if first is None or first > parts[-1].start:
            continue
        reach = range(first, parts[-1].start + 1)
        figures = MonthlyFigures(
            limits=store.add_up_limits(store.list_limits(db, user_id, currency_id, reach), reach),
            spent=store.read_spent(db, user_id, currency_id, reach, [budget.id for budget in carrying]),
            released=releases.read_by_month(db, user_id, currency_id, range(first, parts[-1].stop)),
        )
        for budget in carrying:
            if budget.id in figures.limits:
                begins, months = min(figures.limits[budget.id]), figures.find_months(budget, reach)
                released = figures.released.get(budget.id, {}) if budget.carry is Carry.YES else {}
                carried_by_budget[budget.id][currency_id] = {
                    part.start: _carry_into(part, months[part.start - first], released)
                    for part in parts
                    if part.start >= begins
                }
    return carried_by_budget


def _carry_into(part: range, month: BudgetMonth, released: Mapping[int, int]) -> Carried:
    later = sum(units for number, units in released.items() if part.start < number < part.stop)
    return Carried(units=month.carried - later, released=month.released + later)
