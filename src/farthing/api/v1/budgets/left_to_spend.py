"""Serves what is left to spend, with the lines that add up to it."""

from collections.abc import Sequence
from datetime import date, timedelta

from msgspec import Struct

from farthing.books.currencies import store as currencies
from farthing.http.request.call import Answer, Call, Range
from farthing.http.route import OVERVIEW, RANGED, Route
from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, ShownDay, number
from farthing.overviews.budget_months.left_to_spend import LeftToSpend, SpendingLine, find_left_to_spend

from ..serializers.currencies import InCurrency, currency_fields


class SpendingLineShown(Struct, gc=False):
    """`left` = `limit` + `carried` − `spent`.

    `id` and `name` identify the budget. If no budget has a limit, both are null, `limit` is the amount available to
    budget, and `spent` is everything spent on the days that this amount covers.
    """

    id: int | None
    name: str | None
    limit: Number
    carried: Number
    spent: Number
    left: Number


class BudgetSum(InCurrency, gc=False, kw_only=True):
    """`left` = `amount` − `spent`, which is the sum of `left` in `lines`. `amount` adds up limits and carried amounts.

    `per_day` divides what is left by the remaining days, and is null if nothing is left or no day remains. `available`
    is the amount available to budget, and `to_budget` is `available` minus all limits,
    plus what was moved out of carried amounts. Both are null if no available
    amount is set. `unlimited` was spent from budgets without a limit, and `unbudgeted` without a budget. If any budget
    has a limit, `spent` includes neither of them.
    """

    amount: Number
    spent: Number
    left: Number
    per_day: Number | None
    available: Number | None
    to_budget: Number | None
    unlimited: Number
    unbudgeted: Number
    lines: list[SpendingLineShown]


class LeftToSpendMeta(Struct, gc=False):
    start: ShownDay
    end: ShownDay


class LeftToSpendShown(Struct, gc=False):
    data: list[BudgetSum]
    meta: LeftToSpendMeta


def list_left(call: Call, days: Range) -> list[BudgetSum]:
    """Lists what is left to spend by currency, beginning with the user's primary currency."""
    found = find_left_to_spend(call.db, call.user_id, days.start, days.end)
    by_id = currencies.by_ids(call.db, found) if found else {}
    sums = [_show(of, by_id[currency_id], call.today) for currency_id, of in found.items()]
    return sorted(sums, key=lambda shown: shown.currency_code != call.caller.currency_code)


def _show(of: LeftToSpend, currency: Currency, today: date) -> BudgetSum:
    places, daily = currency.places, of.find_daily(today)
    return BudgetSum(
        **currency_fields(currency),
        amount=number(of.amount, places),
        spent=number(of.spent, places),
        left=number(of.left, places),
        per_day=None if daily is None else number(daily, places),
        available=None if of.available is None else number(of.available, places),
        to_budget=None if of.to_budget is None else number(of.to_budget, places),
        unlimited=number(of.unlimited, places),
        unbudgeted=number(of.unbudgeted, places),
        lines=_show_lines(of.lines, places),
    )


def _show_lines(lines: Sequence[SpendingLine], places: int) -> list[SpendingLineShown]:
    return [
        SpendingLineShown(
            id=line.budget.id if line.budget else None,
            name=line.budget.name if line.budget else None,
            limit=number(line.figures.limit, places),
            carried=number(line.figures.carried, places),
            spent=number(line.figures.spent, places),
            left=number(line.figures.left, places),
        )
        for line in lines
    ]


def find_month(today: date) -> Range:
    first = today.replace(day=1)
    return Range(start=first, end=(first + timedelta(days=31)).replace(day=1) - timedelta(days=1))


def left_to_spend(call: Call) -> Answer:
    days = call.whole_range() or find_month(call.today)
    meta = LeftToSpendMeta(start=days.start.isoformat(), end=days.end.isoformat())
    return Answer(LeftToSpendShown(data=list_left(call, days), meta=meta))


ROUTE = Route(
    "GET", "/budgets/left_to_spend", left_to_spend, "Show what is left to spend, and the lines that add up to it; "
    "defaults to this month",
    gives=LeftToSpendShown, parameters=RANGED, runs=OVERVIEW,
)  # fmt: skip
