"""Shows what was spent and earned with a label or a payee, in total or month by month."""

from collections.abc import Callable, Iterable
from datetime import date

from msgspec import Struct

from farthing.books.labels.model import Sum
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call
from farthing.kernel.shown import Number, number
from farthing.overviews.label_months.store import MonthSum
from farthing.schedule.months import day_in_month, month_number

from .currencies import InCurrency, currency_fields

_MONTHS_USUAL = 12


class SumShown(InCurrency, gc=False, kw_only=True):
    """Holds an amount in one currency."""

    amount: Number


def show_sums(sums: Iterable[Sum]) -> list[SumShown]:
    return [
        SumShown(**currency_fields(total.currency), amount=number(total.units, total.currency.places)) for total in sums
    ]


class MonthShown(Struct, gc=False):
    month: str
    spent: Number
    earned: Number


class CurrencyMonths(InCurrency, gc=False, kw_only=True):
    """Lists every month from the first to the last, in one currency."""

    months: list[MonthShown]


MonthsDocument = Item[list[CurrencyMonths]]


def answer_months(call: Call, read: Callable[[tuple[date, date]], Iterable[MonthSum]]) -> Answer:
    """Shows the whole months that overlap `start` to `end`, by default the last twelve."""
    chosen = call.whole_range()
    this_month = month_number(call.today)
    first = month_number(chosen.start) if chosen else this_month - _MONTHS_USUAL + 1
    last = month_number(chosen.end) if chosen else this_month
    month_sums = list(read((day_in_month(first, 1), day_in_month(last, 28))))
    names = [day_in_month(month, 1).isoformat()[:7] for month in range(first, last + 1)]
    return Answer(Item(_show_months(month_sums, names)))


def _show_months(month_sums: list[MonthSum], names: list[str]) -> list[CurrencyMonths]:
    units = {(month_sum.currency.id, month_sum.month, month_sum.is_spent): month_sum.units for month_sum in month_sums}
    currencies = {month_sum.currency.id: month_sum.currency for month_sum in month_sums}
    return [
        CurrencyMonths(
            **currency_fields(currency),
            months=[
                MonthShown(
                    month=name,
                    spent=number(units.get((currency.id, name, True), 0), currency.places),
                    earned=number(units.get((currency.id, name, False), 0), currency.places),
                )
                for name in names
            ],
        )
        for _, currency in sorted(currencies.items())
    ]
