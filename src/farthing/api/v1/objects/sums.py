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
            currency_id=one.currency.id,
            currency_code=one.currency.code,
            currency_symbol=one.currency.symbol,
            currency_dp=one.currency.places,
            amount=number(one.units, one.currency.places),
        )
        for one in sums
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
    found = list(read((day_in_month(first, 1), day_in_month(last, 28))))
    names = [day_in_month(month, 1).isoformat()[:7] for month in range(first, last + 1)]
    return Answer(Item(_show_months(found, names)))


def _show_months(found: list[MonthSum], names: list[str]) -> list[CurrencyMonths]:
    units = {(one.currency.id, one.month, one.is_spent): one.units for one in found}
    currencies = {one.currency.id: one.currency for one in found}
    return [
        CurrencyMonths(
            currency_id=one.id,
            currency_code=one.code,
            currency_symbol=one.symbol,
            currency_dp=one.places,
            months=[
                MonthShown(
                    month=name,
                    spent=number(units.get((one.id, name, True), 0), one.places),
                    earned=number(units.get((one.id, name, False), 0), one.places),
                )
                for name in names
            ],
        )
        for _, one in sorted(currencies.items())
    ]
