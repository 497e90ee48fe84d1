"""Computes the summary of a range from stored sums and from the payments of bills."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from enum import StrEnum

from msgspec import Struct

from farthing.books.bills import store as bills
from farthing.books.bills.expect import read_payments_around
from farthing.books.bills.model import periods
from farthing.books.currencies import store as currencies
from farthing.books.exchange_rates.convert import ConvertedTotal, DatedAmount, convert, total
from farthing.kernel.money import Currency
from farthing.ledger.kinds import Type
from farthing.schedule.periods import Period
from farthing.storage.unit import Unit

from ..budget_months.left_to_spend import LeftToSpend, find_left_to_spend
from ..charts import store as charts
from ..charts.model import ChartRange
from ..net_worth import by_day


class SummaryKey(StrEnum):
    """The keys of the summary, in the order in which its figures are displayed."""

    BALANCE = "balance"
    SPENT = "spent"
    EARNED = "earned"
    BILLS_PAID = "bills-paid"
    BILLS_UNPAID = "bills-unpaid"
    LEFT_TO_SPEND = "left-to-spend"
    NET_WORTH = "net-worth"


class RangeFigure(Struct, frozen=True):
    """`parts` are the amounts that make up a balance. For the money left to spend, they hold the amount per day."""

    key: SummaryKey
    currency: Currency
    units: int
    parts: tuple[int, ...] = ()


class ConvertedFigure(Struct, frozen=True):
    """The figures of one key, converted from all currencies into one."""

    key: SummaryKey
    currency: Currency
    total: ConvertedTotal


def figures(db: Unit, user_id: int, start: date, end: date, today: date) -> list[RangeFigure]:
    """Lists figures by key, then by currency; omits currencies without an amount."""
    paid, unpaid = _bills(db, user_id, start, end, today)
    left = find_left_to_spend(db, user_id, start, end)
    closings = by_day.net_worth(db, user_id, ChartRange(Period.DAY, min(end, today), min(end, today)))
    worth = {currency_id: units for currency_id, (units,) in closings.items()}
    by_id = currencies.by_ids(db, {*paid, *unpaid, *left, *worth})
    rows: list[_Row] = [
        *((SummaryKey.BILLS_PAID, id_, units, ()) for id_, units in paid.items()),
        *((SummaryKey.BILLS_UNPAID, id_, units, ()) for id_, units in unpaid.items()),
        *_list_left_to_spend(left, today),
        *((SummaryKey.NET_WORTH, id_, units, ()) for id_, units in worth.items()),
    ]
    return [*flow_figures(db, user_id, start, end), *_in_order(rows, by_id)]


def flow_figures(db: Unit, user_id: int, start: date, end: date) -> list[RangeFigure]:
    """Lists what was spent, what was earned, and the difference."""
    spent, earned = _flows(db, user_id, start, end)
    rows: list[_Row] = [
        *((SummaryKey.BALANCE, id_, earned[id_] - spent[id_], (-spent[id_], earned[id_])) for id_ in {*spent, *earned}),
        *((SummaryKey.SPENT, id_, -units, ()) for id_, units in spent.items()),
        *((SummaryKey.EARNED, id_, units, ()) for id_, units in earned.items()),
    ]
    return _in_order(rows, currencies.by_ids(db, {*spent, *earned}))


_Row = tuple[SummaryKey, int, int, tuple[int, ...]]


def _in_order(rows: Iterable[_Row], by_id: Mapping[int, Currency]) -> list[RangeFigure]:
    order = {key: index for index, key in enumerate(SummaryKey)}
    return [
        RangeFigure(key=key, currency=by_id[id_], units=units, parts=parts)
        for key, id_, units, parts in sorted(rows, key=lambda row: (order[row[0]], row[1]))
    ]


def _list_left_to_spend(
    left: Mapping[int, LeftToSpend], today: date
) -> Iterator[tuple[SummaryKey, int, int, tuple[int, ...]]]:
    """Yields the amounts left to spend, in total and per remaining day."""
    for currency_id, of_currency in left.items():
        daily = of_currency.find_daily(today)
        yield SummaryKey.LEFT_TO_SPEND, currency_id, of_currency.left, () if daily is None else (daily,)


def _flows(db: Unit, user_id: int, start: date, end: date) -> tuple[Counter[int], Counter[int]]:
    """Sums spending and income. Reads them by year, because longer periods need fewer rows."""
    flows = charts.flows(db, user_id, ChartRange(Period.YEAR, start, end))
    spent = Counter({currency_id: sum(of_type[Type.WITHDRAWAL]) for currency_id, of_type in flows.items()})
    earned = Counter({currency_id: sum(of_type[Type.DEPOSIT]) for currency_id, of_type in flows.items()})
    return spent, earned


def _bills(db: Unit, user_id: int, start: date, end: date, today: date) -> tuple[Counter[int], Counter[int]]:
    """Sums payments in the range, and unpaid bills. For an unpaid bill, assumes the middle of its range of amounts."""
    all_bills = bills.all_of(db, user_id)
    payments = read_payments_around(db, user_id, all_bills, start, end)
    first, last = start.isoformat(), end.isoformat()
    paid: Counter[int] = Counter()
    unpaid: Counter[int] = Counter()
    for bill in all_bills:
        of_bill = payments.get(bill.id, [])
        paid[bill.currency.id] += 0  # the currency is listed even if nothing was paid
        for payment in of_bill:
            paid[payment.currency_id] += payment.units if first <= payment.on <= last else 0
        if bill.active:
            open_ = sum(not period.payments for period in periods(bill, of_bill, start, end, today))
            unpaid[bill.currency.id] += open_ * ((bill.lowest_units + bill.highest_units) // 2)
    return paid, unpaid


def convert_figures(
    db: Unit, user_id: int, figures: Sequence[RangeFigure], to: Currency, *, end: date, today: date
) -> list[ConvertedFigure]:
    """Converts at the rates on the last day of the range; for net worth, at today's rates if the range ends later."""
    days = [min(end, today) if figure.key is SummaryKey.NET_WORTH else end for figure in figures]
    amounts = [
        DatedAmount(currency_id=figure.currency.id, units=figure.units, on=day.isoformat())
        for figure, day in zip(figures, days, strict=True)
    ]
    converted = list(zip(figures, convert(db, user_id, amounts, to.id), strict=True))
    return [
        ConvertedFigure(key=key, currency=to, total=total(amount for figure, amount in converted if figure.key is key))
        for key in dict.fromkeys(figure.key for figure in figures)
    ]
