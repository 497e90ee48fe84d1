"""Computes what is left to spend, and the lines that add up to it. No other code computes this figure.

If budgets have limits, the figure is the sum of limit + carried − spent over these budgets. Spending from budgets
without a limit, or without a budget, is ignored. If no budget has a limit, the figure is the amount available to
budget, minus everything spent on the days that it covers.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date

from msgspec import Struct

from farthing.books.available_budgets import store as available_budgets
from farthing.books.available_budgets.model import count_days_from, merge_periods
from farthing.books.budgets import store as budgets
from farthing.books.budgets.model import Budget
from farthing.books.labels import store as labels
from farthing.ledger.kinds import Type
from farthing.schedule.months import month_number
from farthing.schedule.periods import DayRange, Period
from farthing.storage.unit import Unit

from ..charts import store as charts
from ..charts.model import ChartRange
from . import store
from .find import Carried, find_carried
from .model import BudgetMonth, is_limited


class SpendingLine(Struct, frozen=True):
    """The figures of a budget in the range. If `budget` is None, `figures.limit` is the amount available to budget."""

    budget: Budget | None
    figures: BudgetMonth


class LeftToSpend(Struct, frozen=True, dict=True):
    """Holds what is left to spend in one currency. `days` are the periods of the limits, or of the available amounts.

    `available` is the amount available to budget, if one is set. `unlimited` was spent from budgets without a limit,
    and `unbudgeted` without a budget. If there are limits, neither of the two reduces what is left.
    """

    lines: Sequence[SpendingLine]
    available: int | None
    unlimited: int
    unbudgeted: int
    days: Sequence[DayRange]

    @property
    def amount(self) -> int:
        return sum(line.figures.limit + line.figures.carried for line in self.lines)

    @property
    def spent(self) -> int:
        return sum(line.figures.spent for line in self.lines)

    @property
    def left(self) -> int:
        return sum(line.figures.left for line in self.lines)

    @property
    def to_budget(self) -> int | None:
        """Subtracts the limits from what is available. Money moved between budgets is not budgeted twice."""
        if self.available is None:
            return None
        return self.available + sum(line.figures.released - line.figures.limit for line in self.lines if line.budget)

    def find_daily(self, today: date) -> int | None:
        """Divides what is left by the remaining days. Returns None if nothing is left, or no day remains."""
        remaining = count_days_from(today, self.days)
        return self.left // remaining if self.left > 0 and remaining else None


_NOTHING = Carried(units=0, released=0)
# Units by currency and budget.
_Units = Mapping[int, Mapping[int, int]]


def find_left_to_spend(db: Unit, user_id: int, start: date, end: date) -> dict[int, LeftToSpend]:
    """Returns what is left to spend by currency. Omits currencies without a limit or an available amount."""
    within = DayRange(start, end)
    limits, carried = store.list_limits_within(db, user_id, within), dict[int, dict[int, Carried]]()
    available = available_budgets.sum_inside(db, user_id, start, end)
    every = budgets.every(db, user_id)
    if start.day == 1:
        months = range(month_number(start), month_number(end) + 1)
        carried = _by_currency(find_carried(db, user_id, every, [months]), months.start)
    currency_ids = {*(limit.currency_id for limit in limits), *carried, *available}
    if not currency_ids:
        return {}
    spent, withdrawn = _sum_spent(db, user_id, every, within), _sum_withdrawn(db, user_id, within)
    found = {}
    for currency_id in sorted(currency_ids):
        chosen = [limit for limit in limits if limit.currency_id == currency_id]
        of_budgets = _list_budgets(every, chosen, within, carried.get(currency_id, {}), spent.get(currency_id, {}))
        lines = [line for line in of_budgets if line.figures.is_limited]
        own, total = available.get(currency_id), sum(line.figures.spent for line in of_budgets)
        days = _cut(
            [DayRange(date.fromisoformat(one.start_on), date.fromisoformat(one.end_on)) for one in chosen], within
        )
        if not lines and own:
            figures = BudgetMonth(limit=own.units, carried=0, spent=own.spent, is_limited=True)
            lines, days = [SpendingLine(budget=None, figures=figures)], list(own.periods)
        found[currency_id] = LeftToSpend(
            lines=lines,
            available=own.units if own else None,
            unlimited=sum(line.figures.spent for line in of_budgets if not line.figures.is_limited),
            unbudgeted=withdrawn.get(currency_id, 0) - total,
            days=merge_periods(days or [within]),
        )
    return found


def _list_budgets(
    every: Sequence[Budget],
    limits: Sequence[store.RangeLimit],
    within: DayRange,
    carried: Mapping[int, Carried],
    spent: Mapping[int, int],
) -> list[SpendingLine]:
    limit_units: dict[int, int] = defaultdict(int)
    for limit in limits:
        limit_units[limit.budget_id] += limit.find_share(within)
    return [
        SpendingLine(
            budget=budget,
            figures=BudgetMonth(
                limit=limit_units.get(budget.id, 0),
                carried=carried.get(budget.id, _NOTHING).units,
                spent=spent.get(budget.id, 0),
                released=carried.get(budget.id, _NOTHING).released,
                is_limited=is_limited(budget.carry, has_limit=budget.id in limit_units, has_begun=budget.id in carried),
            ),
        )
        for budget in every
    ]


def _by_currency(
    carried: Mapping[int, Mapping[int, Mapping[int, Carried]]], month: int
) -> dict[int, dict[int, Carried]]:
    by_currency: dict[int, dict[int, Carried]] = defaultdict(dict)
    for budget_id, of_budget in carried.items():
        for currency_id, by_month in of_budget.items():
            if month in by_month:
                by_currency[currency_id][budget_id] = by_month[month]
    return by_currency


def _cut(periods: Sequence[DayRange], within: DayRange) -> list[DayRange]:
    return [DayRange(max(period.first, within.first), min(period.last, within.last)) for period in periods]


def _sum_spent(db: Unit, user_id: int, every: Sequence[Budget], within: DayRange) -> _Units:
    by_currency: dict[int, dict[int, int]] = defaultdict(dict)
    ids = [budget.id for budget in every]
    for budget_id, sums in labels.sums(db, user_id, "budgets", ids, (within.first, within.last)).items():
        for spent in sums.spent:
            by_currency[spent.currency.id][budget_id] = spent.units
    return by_currency


def _sum_withdrawn(db: Unit, user_id: int, within: DayRange) -> dict[int, int]:
    """Sums all spending by currency. Reads it by year, because longer periods need fewer rows."""
    flows = charts.flows(db, user_id, ChartRange(Period.YEAR, within.first, within.last))
    return {currency_id: sum(of_type[Type.WITHDRAWAL]) for currency_id, of_type in flows.items()}
