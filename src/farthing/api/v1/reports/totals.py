"""Shows the totals of a list of transactions."""

from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType, field

from farthing.books.currencies import store as currencies
from farthing.books.transactions.model import types_named
from farthing.http.request.call import Answer, Call
from farthing.kernel.shown import Number, number
from farthing.overviews.reports.totals import add_up, convert

from ..serializers.currencies import InCurrency, currency_fields
from . import query
from .report import ConvertedInto, answer, in_order, route, show_converter
from .table import Cell, Table


class TotalAmounts(InCurrency, gc=False, kw_only=True):
    """`moved` is present only if the transactions are those of one account.

    It is the net amount that transfers and the like moved into the account.
    """

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


def totals(call: Call) -> Answer:
    parsed = query.read(call)
    parsed.finish()
    question = query.read_question(call, types_named(call.query.get("type") or "all"))
    summed = add_up(call.db, call.user_id, question)
    own = question.into.to if question.into else currencies.by_code(call.db, call.caller.currency_code)
    if question.into:
        summed = convert(question.into, summed, min(question.filters.days.end, call.today.isoformat()))
    data = []
    for currency in in_order(call, summed.currencies, own.id if own else None):
        total, places = summed.currencies[currency.id], currency.places
        data.append(
            TotalAmounts(
                **currency_fields(currency),
                in_=number(total.earned, places),
                out=number(total.spent, places),
                moved=number(total.moved, places) if question.filters.account_id is not None else UNSET,
                net=number(total.net, places),
            )
        )
    entries = UNSET if summed.entries is None else summed.entries
    report = TotalsReport(data, TotalsMeta(summed.splits, entries, show_converter(call, question.into)))
    return answer(parsed.values, report, Table(_COLUMNS, _list_rows(report)), "totals")


_COLUMNS = ("currency", "in", "out", "moved", "net")


def _list_rows(report: TotalsReport) -> Iterator[tuple[Cell, ...]]:
    for amounts in report.data:
        moved = None if amounts.moved is UNSET else amounts.moved
        yield (amounts.currency_code, amounts.in_, amounts.out, moved, amounts.net)


ROUTE = route("totals", totals, "Add up a filtered list of transactions", TotalsReport, query.TOTALS)
