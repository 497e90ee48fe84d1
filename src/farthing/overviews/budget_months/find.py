"""Finds the months of all budgets, side by side."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from msgspec import Struct

from farthing.books.budgets import store as budgets
from farthing.books.budgets.model import Budget
from farthing.kernel.money import Currency
from farthing.storage.unit import Unit

from . import store
from .model import MONTHS_BACK_MAX, BudgetMonth, EnvelopeMonth, find_envelopes, find_months
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
    """Works through at most `MONTHS_BACK_MAX` months before the first, for what was carried over."""
    begins = _find_beginning(db, user_id, currency, months.start, this_month)
    reach = range(min(begins, months.start), months.stop)
    every = budgets.every(db, user_id)
    limits = store.list_limits(db, user_id, currency.id, reach)
    figures = store.read_figures(db, user_id, currency.id, reach, limits, [one.id for one in every])
    found = {
        one.id: find_months(one.carry, figures.limits.get(one.id, {}), figures.spent.get(one.id, {}), reach)
        for one in every
    }
    totals = find_envelopes(figures, found, reach, begins=begins)
    shown, of = len(months), _group(limits, months)
    return MonthsSideBySide(
        months=months,
        budgets=[BudgetMonths(budget=one, months=found[one.id][-shown:], limits=of[one.id]) for one in every],
        totals=totals[-shown:],
    )


def _find_beginning(db: Unit, user_id: int, currency: Currency, start: int, this_month: int) -> int:
    """The first month with a limit, or this month: from then on income is there to be budgeted."""
    first = store.find_first_month(db, user_id, currency.id, start)
    begins = this_month if first is None else min(first, this_month)
    return max(begins, start - MONTHS_BACK_MAX)


def _group(limits: Sequence[MonthLimit], months: range) -> Mapping[int, Mapping[int, Sequence[MonthLimit]]]:
    """By budget and month; a limit is in each month that it has a day in."""
    found: dict[int, dict[int, list[MonthLimit]]] = defaultdict(lambda: defaultdict(list))
    for one in limits:
        for month in one.find_months(months):
            found[one.budget_id][month].append(one)
    return found
