"""Compares the limits of budgets with the spending, in each part of a range."""

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

from ..budget_months.find import find_carried
from ..charts.model import FIGURES_MAX
from ..search.narrowing import SearchFilter
from .reading import amounts
from .reading.converting import Converter
from .reading.model import Amounts, Dimension, ReportQuestion, drop_zeros
from .reading.ranges import ReportRange

# More budgets than this would have more figures than an answer may hold.
BUDGETS_MAX = FIGURES_MAX + 1
LIMITS_MAX = 50_000

# Units by currency, for each part; None in parts without a limit.
LimitAmounts = dict[int, list[int | None]]


class BudgetReport(Struct, frozen=True):
    """If `budget` is None, `spent` is spending without a budget.

    `carried` is the amount carried into each part, less what was moved out of it, which is `released`.
    """

    budget: Budget | None
    limits: LimitAmounts
    spent: Amounts
    carried: LimitAmounts = {}
    released: LimitAmounts = {}

    def find_carried_in(self, currency_id: int) -> int | None:
        """Returns what is carried into the first part and stays, or None if that is unknown."""
        carried, released = self.carried.get(currency_id, [None]), self.released.get(currency_id, ())
        return None if carried[0] is None else carried[0] - sum(units or 0 for units in released[1:])


def report_budgets(db: Unit, user_id: int, question: ReportQuestion, within: ReportRange) -> list[BudgetReport]:
    """Lists budgets by name; spending without a budget comes last."""
    [of_budgets] = amounts.of_labels(db, user_id, question, Dimension.BUDGET, Type.WITHDRAWAL, [within])
    _, all_budgets = budgets.page(db, user_id, limit=BUDGETS_MAX, offset=0)
    budget_id = question.filters.budget_id
    chosen = [budget for budget in all_budgets if budget_id in (None, budget.id)]
    limits = _read_limits(db, user_id, within)
    carried, released = _read_carried(db, user_id, question, chosen, within)
    if question.into:
        limits, carried, released = (
            _convert_limits(question.into, amounts, within) for amounts in (limits, carried, released)
        )
    reports = [
        BudgetReport(
            budget=budget,
            limits=limits.get(budget.id, {}),
            spent=drop_zeros(of_budgets.labels.get(budget.id, {})),
            carried=carried.get(budget.id, {}),
            released=released.get(budget.id, {}),
        )
        for budget in chosen
    ]
    without = drop_zeros(of_budgets.labels.get(None, {}))
    return [*reports, *([BudgetReport(budget=None, limits={}, spent=without)] if without else [])]


def _read_limits(db: Unit, user_id: int, within: ReportRange) -> dict[int, LimitAmounts]:
    days = (within.start, within.end)
    total, limits = budget_limits.page(db, user_id, budget_id=None, within=days, limit=LIMITS_MAX, offset=0)
    if total > LIMITS_MAX:
        refuse_field("start", f"The range contains more than {LIMITS_MAX} budget limits. Choose a later start.")
    by_budget: dict[int, LimitAmounts] = defaultdict(dict)
    for limit in limits:
        of_budget = by_budget[limit.budget_id].setdefault(limit.currency.id, [None] * len(within.parts))
        of_limit = DayRange(date.fromisoformat(limit.start_on), date.fromisoformat(limit.end_on))
        for index, part in enumerate(within.parts):
            share = find_share(limit.units, of_limit, part)
            if share is not None:
                of_budget[index] = (of_budget[index] or 0) + share
    return by_budget


def _read_carried(
    db: Unit, user_id: int, question: ReportQuestion, budgets: Sequence[Budget], within: ReportRange
) -> tuple[dict[int, LimitAmounts], dict[int, LimitAmounts]]:
    """Reads the amounts carried into each part that begins on the first day of a month, except in reports by week, and
    what was moved out of them.

    Returns nothing if the report has filters other than days and a budget, because they would hide some of the earlier
    spending that determines the carried amounts.
    """
    of_budgets = SearchFilter(days=question.filters.days, budget_id=question.filters.budget_id)
    if within.period is Period.WEEK or question.words or question.filters != of_budgets:
        return {}, {}
    spans = [
        range(month_number(part.first), month_number(part.last) + 1) if part.first.day == 1 else None
        for part in within.parts
    ]
    found = find_carried(db, user_id, budgets, [span for span in spans if span is not None])
    carried, released = dict[int, LimitAmounts](), dict[int, LimitAmounts]()
    for budget_id, by_currency in found.items():
        parts = {id_: [of.get(span.start) if span else None for span in spans] for id_, of in by_currency.items()}
        carried[budget_id] = {id_: [part.units if part else None for part in of] for id_, of in parts.items()}
        released[budget_id] = {id_: [part.released if part else None for part in of] for id_, of in parts.items()}
    return carried, released


def _convert_limits(into: Converter, limits: dict[int, LimitAmounts], within: ReportRange) -> dict[int, LimitAmounts]:
    """Converts limits into one currency. Parts without a limit in any currency stay None."""
    plain = [
        {currency_id: [units or 0 for units in parts] for currency_id, parts in of.items()} for of in limits.values()
    ]
    converted = into.convert(plain, within.lasts)
    return {
        budget_id: {
            currency_id: [
                units if any(parts[index] is not None for parts in of.values()) else None
                for index, units in enumerate(summed)
            ]
            for currency_id, summed in now.items()
        }
        for (budget_id, of), now in zip(limits.items(), converted, strict=True)
    }
