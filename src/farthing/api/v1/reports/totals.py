"""Shows the totals of a list of transactions."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET, Struct, UnsetType, field

from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, number
from farthing.overviews.reports.totals import ListTotals

from ..serializers.currencies import InCurrency, currency_fields
from .table import Cell
from .wire import ConvertedInto


class TotalAmounts(InCurrency, gc=False, kw_only=True):
    """`moved` exists only for a single account: what transfers added to it, less what they took from it."""

    in_: Number = field(name="in")
    out: Number
    moved: Number | UnsetType = UNSET
    net: Number


class TotalsMeta(Struct, gc=False):
    splits: int
    transactions: int | UnsetType = UNSET
    converted: ConvertedInto | UnsetType = UNSET


class TotalsReport(Struct, gc=False):
    data: list[TotalAmounts]
    meta: TotalsMeta


def show(summed: ListTotals, currencies: Sequence[Currency], *, of_account: bool) -> TotalsReport:
    data = []
    for currency in currencies:
        total, places = summed.currencies[currency.id], currency.places
        data.append(
            TotalAmounts(
                **currency_fields(currency),
                in_=number(total.earned, places),
                out=number(total.spent, places),
                moved=number(total.moved, places) if of_account else UNSET,
                net=number(total.net, places),
            )
        )
    return TotalsReport(data, TotalsMeta(summed.splits, UNSET if summed.entries is None else summed.entries))


COLUMNS = ("currency", "in", "out", "moved", "net")


def tabulate(report: TotalsReport) -> Iterator[tuple[Cell, ...]]:
    for amounts in report.data:
        moved = None if amounts.moved is UNSET else amounts.moved
        yield (amounts.currency_code, amounts.in_, amounts.out, moved, amounts.net)
