"""Compares budgets with what was spent, part by part."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from msgspec import Struct

from farthing.books.budget_limits import store as budget_limits
from farthing.books.budget_limits.model import find_share
from farthing.books.budgets import store as budgets
from farthing.books.budgets.model import Budget
from farthing.kernel.errors import refuse_field
from farthing.ledger.kinds import Type
from farthing.schedule.months import month_number
from farthing.schedule.periods import DayRange, Period
from farthing.storage.unit import Unit

from ..budget_months.carried import find_carried
from ..charts.model import FIGURES_MAX
from ..search.narrowing import SearchFilter
from . import amounts
from .converting import Converter
from .model import Amounts, Dimension, Question, drop_zeros
from .ranges import ReportRange

# More would be more figures than an answer holds.
BUDGETS_MAX = FIGURES_MAX + 1
LIMITS_MAX = 50_000

# Units by currency, for each part; None in parts without a limit.
LimitAmounts = dict[int, list[int | None]]


class BudgetReport(Struct, frozen=True):
    """Without a budget: what was spent outside of all of them. `carried` came from the month before each part."""

    budget: Budget | None
    limits: LimitAmounts
    spent: Amounts
    carried: LimitAmounts = {}


def report_budgets(db: Unit, user_id: int, question: Question, within: ReportRange) -> list[BudgetReport]:
    """Ordered by name; what was spent without a budget comes last."""
    [of_budgets] = amounts.of_labels(db, user_id, question, Dimension.BUDGET, Type.WITHDRAWAL, [within])
    _, known = budgets.page(db, user_id, limit=BUDGETS_MAX, offset=0)
    wanted = question.filters.budget_id
    shown = [one for one in known if wanted in (None, one.id)]
    limits, carried = _read_limits(db, user_id, within), _read_carried(db, user_id, question, shown, within)
    if question.into:
        limits, carried = (_convert_limits(question.into, one, within) for one in (limits, carried))
    found = [
        BudgetReport(
            budget=one,
            limits=limits.get(one.id, {}),
            spent=drop_zeros(of_budgets.labels.get(one.id, {})),
            carried=carried.get(one.id, {}),
        )
        for one in shown
    ]
    without = drop_zeros(of_budgets.labels.get(None, {}))
    return [*found, *([BudgetReport(budget=None, limits={}, spent=without)] if without else [])]


def _read_limits(db: Unit, user_id: int, within: ReportRange) -> dict[int, LimitAmounts]:
    days = (within.start, within.end)
    total, limits = budget_limits.page(db, user_id, budget_id=None, within=days, limit=LIMITS_MAX, offset=0)
    if total > LIMITS_MAX:
        refuse_field("start", f"The range has more than {LIMITS_MAX} limits of budgets: choose a later start.")
    found: dict[int, LimitAmounts] = defaultdict(dict)
    for limit in limits:
        of_budget = found[limit.budget_id].setdefault(limit.currency.id, [None] * len(within.parts))
        of_limit = DayRange(date.fromisoformat(limit.start_on), date.fromisoformat(limit.end_on))
        for place, part in enumerate(within.parts):
            share = find_share(limit.units, of_limit, part)
            if share is not None:
                of_budget[place] = (of_budget[place] or 0) + share
    return found


def _read_carried(
    db: Unit, user_id: int, question: Question, shown: Sequence[Budget], within: ReportRange
) -> dict[int, LimitAmounts]:
    """Only of parts that begin with a month, and not of weeks. A filter leaves out some of what was spent before.

    None before the first limit of a budget.
    """
    of_budgets = SearchFilter(days=question.filters.days, budget_id=question.filters.budget_id)
    if within.period is Period.WEEK or question.words or question.filters != of_budgets:
        return {}
    months = [month_number(part.first) if part.first.day == 1 else None for part in within.parts]
    found = find_carried(db, user_id, shown, [one for one in months if one is not None])
    return {
        budget_id: {
            currency_id: [None if month is None else units.get(month) for month in months]
            for currency_id, units in of.items()
        }
        for budget_id, of in found.items()
    }


def _convert_limits(into: Converter, limits: dict[int, LimitAmounts], within: ReportRange) -> dict[int, LimitAmounts]:
    """A part without a limit in any currency stays without one."""
    plain = [{one: [units or 0 for units in parts] for one, parts in of.items()} for of in limits.values()]
    converted = into.convert(plain, within.lasts)
    return {
        budget_id: {
            one: [
                units if any(parts[place] is not None for parts in of.values()) else None
                for place, units in enumerate(summed)
            ]
            for one, summed in now.items()
        }
        for (budget_id, of), now in zip(limits.items(), converted, strict=True)
    }
