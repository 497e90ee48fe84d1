"""Shows budgets against what was spent."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType

from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, number
from farthing.overviews.reports.breakdown import RowKind
from farthing.overviews.reports.budgets import BudgetReport

from ..serializers.currencies import InCurrency, currency_fields
from .table import Cell
from .wire import ReportMeta


class BudgetPart(Struct, gc=False):
    """`limit` is null without a limit, `carried` if it is unknown, and `left` if both are null."""

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


def show(
    reports: Sequence[BudgetReport], currencies: Mapping[int, Currency], own_currency_id: int | None, meta: ReportMeta
) -> BudgetsReport:
    data = []
    for report in reports:
        carried_ids = {id_ for id_, parts in report.carried.items() if any(parts)}
        currency_ids = sorted(
            {*report.limits, *report.spent, *carried_ids}, key=lambda id_: (id_ != own_currency_id, id_)
        )
        data.append(
            BudgetRow(
                row=RowKind.LABEL if report.budget else RowKind.NONE,
                id=report.budget.id if report.budget else None,
                name=report.budget.name if report.budget else None,
                active=report.budget.active if report.budget else UNSET,
                amounts=[_show_amounts(report, currencies[id_], len(meta.parts)) for id_ in currency_ids],
            )
        )
    return BudgetsReport(data, meta)


def _show_amounts(of: BudgetReport, currency: Currency, parts: int) -> BudgetAmounts:
    limits = of.limits.get(currency.id) or [None] * parts
    spent = of.spent.get(currency.id) or [0] * parts
    carried = of.carried.get(currency.id) or [None] * parts
    set_limits = [units for units in limits if units is not None]
    return BudgetAmounts(
        **currency_fields(currency),
        parts=[_show_part(*units, currency) for units in zip(limits, spent, carried, strict=True)],
        total=_show_part(sum(set_limits) if set_limits else None, sum(spent), carried[0], currency),
    )


def _show_part(limit: int | None, spent: int, carried: int | None, currency: Currency) -> BudgetPart:
    places = currency.places
    return BudgetPart(
        limit=None if limit is None else number(limit, places),
        spent=number(spent, places),
        left=None if limit is None and carried is None else number((limit or 0) + (carried or 0) - spent, places),
        carried=None if carried is None else number(carried, places),
    )


COLUMNS = ("row", "id", "name", "start", "end", "currency", "limit", "spent", "left", "carried")


def tabulate(report: BudgetsReport) -> Iterator[tuple[Cell, ...]]:
    for row in report.data:
        for of in row.amounts:
            for part, amounts in zip(report.meta.parts, of.parts, strict=True):
                days = (part.start, part.end)
                figures = (amounts.limit, amounts.spent, amounts.left, amounts.carried)
                yield (row.row, row.id, row.name, *days, of.currency_code, *figures)
