"""Shows what was spent or earned by category, tag, payee, account or budget."""

from collections.abc import Iterator, Mapping

from msgspec import UNSET, Struct, UnsetType

from farthing.books.currencies import store as currency_store
from farthing.http.request.call import Answer, Call
from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, number, show_as
from farthing.overviews.reports.breakdown import (
    Breakdown,
    BreakdownRequest,
    BreakdownRow,
    RowAmounts,
    RowKind,
    break_down,
)
from farthing.overviews.reports.figures import divide, percent, select_averaged, trend
from farthing.overviews.reports.reading.model import Dimension, currencies_in
from farthing.overviews.reports.reading.ranges import Comparison

from ..serializers.currencies import InCurrency, currency_fields
from . import query
from .report import ReportMeta, amounts, answer, describe, percentage, route
from .table import Cell, Table


class ComparedTotal(Struct, gc=False):
    """Holds the total of a compared range. `change` is the total of the report minus this total."""

    total: Number
    change: Number
    change_percent: Number | None


class BreakdownAmounts(InCurrency, gc=False, kw_only=True):
    """`parts` has one amount for each period of the report.

    `trend` compares the last complete period with the average of the earlier periods, in percent. `rows` is the number
    of rows that were combined into this one.
    """

    parts: list[Number]
    total: Number
    average: Number
    trend: Number | None
    compared: dict[str, ComparedTotal] | UnsetType = UNSET
    rows: int | UnsetType = UNSET


class BreakdownRowShown(Struct, gc=False, kw_only=True):
    """`row` is `label`, `other` (all rows beyond the limit, combined) or `none` (amounts without a label)."""

    row: str
    id: int | None
    name: str | None
    parent_id: int | UnsetType = UNSET
    colour: str | UnsetType = UNSET
    icon: str | UnsetType = UNSET
    account_ids: list[int] | UnsetType = UNSET
    rows: int | UnsetType = UNSET
    amounts: list[BreakdownAmounts]


class BreakdownMeta(ReportMeta, gc=False, kw_only=True):
    """`overlapping` is true if a transaction may appear in several rows."""

    by: str
    type: str
    overlapping: bool


class BreakdownReport(Struct, gc=False):
    data: list[BreakdownRowShown]
    totals: list[BreakdownAmounts]
    meta: BreakdownMeta


class _Showing(Struct, frozen=True):
    """Holds what every row of one report needs."""

    request: BreakdownRequest
    currencies: Mapping[int, Currency]
    complete: list[bool]
    averaged: list[bool]

    def show_amounts(self, of: RowAmounts, rows_in: Mapping[int, int] | None = None) -> list[BreakdownAmounts]:
        own = self.request.own_currency_id
        currency_ids = sorted(currencies_in(_every(of)), key=lambda currency_id: (currency_id != own, currency_id))
        every = (
            self._show(of, self.currencies[currency_id], (rows_in or {}).get(currency_id, UNSET))
            for currency_id in currency_ids
        )
        return [amount for amount in every if amount is not None]

    def _show(self, of: RowAmounts, currency: Currency, rows: int | UnsetType) -> BreakdownAmounts | None:
        units = of.amounts.get(currency.id) or self.request.within.zeros()
        then = {name: sum(units_of.get(currency.id, ())) for name, units_of in of.compared.items()}
        if not any(units) and not any(then.values()):
            return None
        averaged = select_averaged(units, self.averaged)
        return BreakdownAmounts(
            **currency_fields(currency),
            parts=amounts(units, currency),
            total=number(sum(units), currency.places),
            average=number(divide(sum(averaged), len(averaged)), currency.places),
            trend=percentage(trend(units, self.complete)),
            compared=show_comparisons(sum(units), then, currency) or UNSET,
            rows=rows,
        )


def _every(of: RowAmounts) -> Iterator[dict[int, list[int]]]:
    yield of.amounts
    yield from of.compared.values()


def show_comparisons(total: int, then: Mapping[Comparison, int], currency: Currency) -> dict[str, ComparedTotal]:
    return {
        name.value: ComparedTotal(
            total=number(units, currency.places),
            change=number(total - units, currency.places),
            change_percent=percentage(percent(total - units, units)),
        )
        for name, units in then.items()
    }


def currencies_of(result: Breakdown) -> set[int]:
    every = [*(row.amounts for row in result.rows), result.totals]
    return set(currencies_in(amounts_of for of in every for amounts_of in _every(of)))


def show(
    request: BreakdownRequest, result: Breakdown, currencies: Mapping[int, Currency], meta: ReportMeta, type_: str
) -> BreakdownReport:
    showing = _Showing(
        request=request,
        currencies=currencies,
        complete=[part.complete for part in meta.parts],
        averaged=[part.averaged for part in meta.parts],
    )
    return BreakdownReport(
        data=[_show_row(showing, row) for row in result.rows],
        totals=showing.show_amounts(result.totals),
        meta=show_as(BreakdownMeta, meta, by=request.dimension, type=type_, overlapping=request.dimension.overlaps),
    )


def _show_row(showing: _Showing, row: BreakdownRow) -> BreakdownRowShown:
    name, is_payee = row.name, showing.request.dimension is Dimension.PAYEE
    return BreakdownRowShown(
        row=row.kind,
        id=name.label.id if name else None,
        name=name.label.name if name else None,
        parent_id=(name.label.parent_id if name else None) or UNSET,
        colour=(name.label.colour if name else None) or UNSET,
        icon=(name.label.icon if name else None) or UNSET,
        account_ids=list(name.label_ids) if name and is_payee else UNSET,
        rows=row.rows if row.kind is RowKind.OTHER else UNSET,
        amounts=showing.show_amounts(row.amounts, row.rows_in),
    )


_COLUMNS = ("row", "id", "name", "figure", "start", "end", "currency", "amount")


def _list_rows(report: BreakdownReport) -> Iterator[tuple[Cell, ...]]:
    """Lists one row for the amount of each period, and one for the total of each compared range."""
    days = [(part.start, part.end) for part in report.meta.parts]
    compared = report.meta.compared or {}
    for row in report.data:
        for of in row.amounts:
            head = (row.row, row.id, row.name)
            for (start, end), amount in zip(days, of.parts, strict=True):
                yield (*head, "part", start, end, of.currency_code, amount)
            for name, then in (of.compared or {}).items():
                yield (*head, name, compared[name].start, compared[name].end, of.currency_code, then.total)


def breakdown(call: Call) -> Answer:
    parsed = query.read(call, query.BreakdownQuery)
    parsed.require("by")
    parsed.finish()
    values = parsed.values
    assert isinstance(values, query.BreakdownQuery)
    report_request = query.read_request(call, values)
    word = values.type or "spent"
    request = BreakdownRequest(
        question=report_request.question,
        dimension=values.by or Dimension.CATEGORY,
        type=query.TYPES[word],
        within=report_request.within,
        limit=query.choose_limit(report_request.within, values.limit),
        own_currency_id=report_request.own_currency_id,
        compare=report_request.compare,
        folds_children=values.children == "fold",
    )
    result = break_down(call.db, call.user_id, request)
    currencies_by_id = currency_store.by_ids(call.db, currencies_of(result))
    report = show(request, result, currencies_by_id, describe(call, report_request), word)
    return answer(values, report, Table(_COLUMNS, _list_rows(report)), "breakdown")


ROUTE = route(
    "breakdown",
    breakdown,
    "Report what was spent or earned by category, tag, payee, account or budget",
    BreakdownReport,
    query.BREAKDOWN,
)
