"""Shows what was spent and earned under a label, or with a payee: in all, or month by month."""

from collections.abc import Callable, Iterable
from datetime import date

from msgspec import Struct

from farthing.books.labels.model import Sum
from farthing.http.answer.document import Item
from farthing.http.request.call import Answer, Call
from farthing.kernel.shown import Number, number
from farthing.overviews.label_months.store import MonthSum
from farthing.schedule.months import day_in_month, month_number

_MONTHS_USUAL = 12


class SumShown(Struct, gc=False):
    """An amount in one currency."""

    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    amount: Number


def show_sums(sums: Iterable[Sum]) -> list[SumShown]:
    return [
        SumShown(
            currency_id=total.currency.id,
            currency_code=total.currency.code,
            currency_symbol=total.currency.symbol,
            currency_dp=total.currency.places,
            amount=number(total.units, total.currency.places),
        )
        for total in sums
    ]


class MonthShown(Struct, gc=False):
    month: str
    spent: Number
    earned: Number


class CurrencyMonths(Struct, gc=False):
    """Of one currency: every month from the first to the last."""

    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    months: list[MonthShown]


MonthsDocument = Item[list[CurrencyMonths]]


def answer_months(call: Call, read: Callable[[tuple[date, date]], Iterable[MonthSum]]) -> Answer:
    """The whole months that `start` to `end` touches; without them, the last twelve."""
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
            currency_id=currency.id,
            currency_code=currency.code,
            currency_symbol=currency.symbol,
            currency_dp=currency.places,
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
