"""Shows budgets against what was spent."""

from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType

from farthing.books.currencies import store as currencies
from farthing.http.request.call import Answer, Call
from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, number
from farthing.overviews.reports.breakdown import RowKind
from farthing.overviews.reports.budgets import BudgetReport, report_budgets

from ..serializers.currencies import InCurrency, currency_fields
from . import query
from .report import ReportMeta, answer, describe, read, route
from .table import Cell, Table


class BudgetPart(Struct, gc=False):
    """`limit` is null if no limit is set. `carried`, the amount from earlier months, is null if it is unknown.

    `left` is null if both `limit` and `carried` are null.
    """

    limit: Number | None
    spent: Number
    left: Number | None
    carried: Number | None


class BudgetAmounts(InCurrency, gc=False, kw_only=True):
    parts: list[BudgetPart]
    total: BudgetPart


class BudgetRow(Struct, gc=False, kw_only=True):
    """`row` is `label`, or `none` for amounts without a budget."""

    row: str
    id: int | None
    name: str | None
    active: bool | UnsetType = UNSET
    amounts: list[BudgetAmounts]


class BudgetsReport(Struct, gc=False):
    data: list[BudgetRow]
    meta: ReportMeta


def budgets(call: Call) -> Answer:
    values, request = read(call)
    reports = report_budgets(call.db, call.user_id, request.question, request.within)
    query.refuse_figures(request.within, len(reports))
    currencies_by_id = currencies.by_ids(
        call.db, {id_ for report in reports for id_ in (*report.limits, *report.spent, *report.carried)}
    )
    meta = describe(call, request)
    data = []
    for report in reports:
        carried_ids = {id_ for id_, parts in report.carried.items() if any(parts)}
        currency_ids = sorted(
            {*report.limits, *report.spent, *carried_ids}, key=lambda id_: (id_ != request.own_currency_id, id_)
        )
        data.append(
            BudgetRow(
                row=RowKind.LABEL if report.budget else RowKind.NONE,
                id=report.budget.id if report.budget else None,
                name=report.budget.name if report.budget else None,
                active=report.budget.active if report.budget else UNSET,
                amounts=[_show_amounts(report, currencies_by_id[id_], len(meta.parts)) for id_ in currency_ids],
            )
        )
    report_shown = BudgetsReport(data, meta)
    return answer(values, report_shown, Table(_COLUMNS, _list_rows(report_shown)), "budgets")


def _show_amounts(report: BudgetReport, currency: Currency, parts: int) -> BudgetAmounts:
    limits = report.limits.get(currency.id) or [None] * parts
    spent = report.spent.get(currency.id) or [0] * parts
    carried = report.carried.get(currency.id) or [None] * parts
    set_limits = [units for units in limits if units is not None]
    return BudgetAmounts(
        **currency_fields(currency),
        parts=[_show_part(*units, currency) for units in zip(limits, spent, carried, strict=True)],
        total=_show_part(
            sum(set_limits) if set_limits else None, sum(spent), report.find_carried_in(currency.id), currency
        ),
    )


def _show_part(limit: int | None, spent: int, carried: int | None, currency: Currency) -> BudgetPart:
    places = currency.places
    return BudgetPart(
        limit=None if limit is None else number(limit, places),
        spent=number(spent, places),
        left=None if limit is None and carried is None else number((limit or 0) + (carried or 0) - spent, places),
        carried=None if carried is None else number(carried, places),
    )


_COLUMNS = ("row", "id", "name", "start", "end", "currency", "limit", "spent", "left", "carried")


def _list_rows(report: BudgetsReport) -> Iterator[tuple[Cell, ...]]:
    for row in report.data:
        for of in row.amounts:
            for part, amounts in zip(report.meta.parts, of.parts, strict=True):
                days = (part.start, part.end)
                figures = (amounts.limit, amounts.spent, amounts.left, amounts.carried)
                yield (row.row, row.id, row.name, *days, of.currency_code, *figures)


ROUTE = route("budgets", budgets, "Report budgets against what was spent", BudgetsReport, query.BUDGETS)
