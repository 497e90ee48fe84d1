"""Shows income against expense, with the savings rate."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType

from farthing.http.request.call import Answer, Call
from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, number
from farthing.ledger.kinds import Type
from farthing.overviews.reports.figures import divide, percent, select_averaged
from farthing.overviews.reports.reading import amounts
from farthing.overviews.reports.reading.model import Flows, currencies_in
from farthing.overviews.reports.reading.ranges import Comparison

from ..serializers.currencies import InCurrency, currency_fields
from . import query
from .report import ReportMeta, answer, describe, in_order, percentage, read, route
from .table import Cell, Table


class IncomeExpense(Struct, gc=False):
    """`savings_rate` is `net` divided by `income`, in percent."""

    income: Number
    expense: Number
    net: Number
    savings_rate: Number | None


class IncomeExpenseChange(Struct, gc=False):
    income: Number
    expense: Number
    net: Number


class IncomeExpensePercent(Struct, gc=False):
    income: Number | None
    expense: Number | None
    net: Number | None


class ComparedIncomeExpense(Struct, gc=False):
    total: IncomeExpense
    change: IncomeExpenseChange
    change_percent: IncomeExpensePercent


class IncomeExpenseAmounts(InCurrency, gc=False, kw_only=True):
    parts: list[IncomeExpense]
    total: IncomeExpense
    average: IncomeExpense
    compared: dict[str, ComparedIncomeExpense] | UnsetType = UNSET


class IncomeExpenseReport(Struct, gc=False):
    data: list[IncomeExpenseAmounts]
    meta: ReportMeta


class _Pair(Struct, frozen=True):
    """Holds income and expense, in units of one currency."""

    income: int
    expense: int

    @property
    def net(self) -> int:
        return self.income - self.expense


def income_expense(call: Call) -> Answer:
    values, request = read(call)
    ranges = [request.within, *map(request.within.compared_with, request.compare)]
    flows_now, *others = amounts.of_flows(call.db, call.user_id, request.question, ranges)
    compared = dict(zip(request.compare, others, strict=True))
    every = [of_type for flows_of in (flows_now, *compared.values()) for of_type in flows_of.values()]
    meta = describe(call, request)
    data = []
    for currency in in_order(call, currencies_in(every), request.own_currency_id):
        parts = _pairs(flows_now, currency, len(meta.parts))
        averaged = select_averaged(parts, [part.averaged for part in meta.parts])
        then = {name: _pairs(then_flows, currency, 1)[0] for name, then_flows in compared.items()}
        data.append(_show_currency(currency, parts, averaged, then))
    report = IncomeExpenseReport(data, meta)
    return answer(values, report, Table(_COLUMNS, _list_rows(report)), "income-expense")


def _pairs(flows: Flows, currency: Currency, parts: int) -> list[_Pair]:
    earned, spent = (flows[type_].get(currency.id) or [0] * parts for type_ in (Type.DEPOSIT, Type.WITHDRAWAL))
    return [_Pair(income=income, expense=expense) for income, expense in zip(earned, spent, strict=True)]


def _show_currency(
    currency: Currency, parts: Sequence[_Pair], averaged: Sequence[_Pair], then: Mapping[Comparison, _Pair]
) -> IncomeExpenseAmounts:
    total = _add_up(parts)
    return IncomeExpenseAmounts(
        **currency_fields(currency),
        parts=[_show_pair(part, currency) for part in parts],
        total=_show_pair(total, currency),
        average=_show_pair(_add_up(averaged), currency, len(averaged)),
        compared={name.value: _compare(total, pair, currency) for name, pair in then.items()} or UNSET,
    )


def _add_up(pairs: Sequence[_Pair]) -> _Pair:
    return _Pair(income=sum(pair.income for pair in pairs), expense=sum(pair.expense for pair in pairs))


def _show_pair(pair: _Pair, currency: Currency, parts: int = 1) -> IncomeExpense:
    """Shows income and expense. For an average, the amounts are divided by `parts`, the number of periods."""
    places = currency.places
    return IncomeExpense(
        income=number(divide(pair.income, parts), places),
        expense=number(divide(pair.expense, parts), places),
        net=number(divide(pair.net, parts), places),
        savings_rate=percentage(percent(pair.net, pair.income)),
    )


def _compare(now: _Pair, then: _Pair, currency: Currency) -> ComparedIncomeExpense:
    changes = {name: getattr(now, name) - getattr(then, name) for name in ("income", "expense", "net")}
    return ComparedIncomeExpense(
        total=_show_pair(then, currency),
        change=IncomeExpenseChange(**{name: number(units, currency.places) for name, units in changes.items()}),
        change_percent=IncomeExpensePercent(
            **{name: percentage(percent(units, getattr(then, name))) for name, units in changes.items()}
        ),
    )


_COLUMNS = ("figure", "start", "end", "currency", "income", "expense", "net", "savings_rate")


def _list_rows(report: IncomeExpenseReport) -> Iterator[tuple[Cell, ...]]:
    """Lists one row for each period, and one for each compared range."""
    compared = report.meta.compared or {}
    for of in report.data:
        for part, pair in zip(report.meta.parts, of.parts, strict=True):
            yield ("part", part.start, part.end, of.currency_code, *_cells(pair))
        for name, then in (of.compared or {}).items():
            yield (name, compared[name].start, compared[name].end, of.currency_code, *_cells(then.total))


def _cells(pair: IncomeExpense) -> tuple[Cell, ...]:
    return pair.income, pair.expense, pair.net, pair.savings_rate


ROUTE = route(
    "income_expense",
    income_expense,
    "Report income against expense, with the savings rate",
    IncomeExpenseReport,
    query.INCOME_EXPENSE,
)
