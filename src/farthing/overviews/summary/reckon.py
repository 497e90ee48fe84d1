"""Computes the summary of a range from stored sums and from the payments of bills."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date

from farthing.books.available_budgets import store as available_budgets
from farthing.books.available_budgets.model import AvailableSum
from farthing.books.bills import store as bills
from farthing.books.bills.expect import read_payments_around
from farthing.books.bills.model import periods
from farthing.books.currencies import store as currencies
from farthing.ledger.kinds import Type
from farthing.schedule.periods import Period
from farthing.storage.unit import Unit

from ..charts import store as charts
from ..charts.model import ChartRange
from ..net_worth import by_currency
from .model import RangeFigure, SummaryKey

Units = Mapping[int, int]  # by currency


def figures(db: Unit, user_id: int, start: date, end: date, today: date) -> list[RangeFigure]:
    """Ordered by key, then by currency; only currencies with something to show."""
    spent, earned = _flows(db, user_id, start, end)
    paid, unpaid = _bills(db, user_id, start, end, today)
    available = available_budgets.sum_inside(db, user_id, start, end)
    worth = _net_worth(db, user_id, min(end, today))
    known = currencies.by_ids(db, {*spent, *earned, *paid, *unpaid, *available, *worth})
    found = [
        *((SummaryKey.BALANCE, one, earned[one] - spent[one], (-spent[one], earned[one])) for one in {*spent, *earned}),
        *((SummaryKey.SPENT, one, -units, ()) for one, units in spent.items()),
        *((SummaryKey.EARNED, one, units, ()) for one, units in earned.items()),
        *((SummaryKey.BILLS_PAID, one, units, ()) for one, units in paid.items()),
        *((SummaryKey.BILLS_UNPAID, one, units, ()) for one, units in unpaid.items()),
        *_left(available, today),
        *((SummaryKey.NET_WORTH, one, units, ()) for one, units in worth.items()),
    ]
    order = {key: place for place, key in enumerate(SummaryKey)}
    found.sort(key=lambda one: (order[one[0]], one[1]))
    return [RangeFigure(key=key, currency=known[one], units=units, parts=parts) for key, one, units, parts in found]


def _left(available: Mapping[int, AvailableSum], today: date) -> Iterator[tuple[SummaryKey, int, int, tuple[int, ...]]]:
    """Also divides it by the days that are left of the available budgets."""
    for currency_id, one in available.items():
        days = one.count_days_from(today)
        yield SummaryKey.LEFT_TO_SPEND, currency_id, one.left, (one.left // days,) if one.left > 0 and days else ()


def _flows(db: Unit, user_id: int, start: date, end: date) -> tuple[Counter[int], Counter[int]]:
    """Read by year and added up: the coarsest period has the fewest rows."""
    flows = charts.flows(db, user_id, ChartRange(Period.YEAR, start, end))
    spent, earned = (
        Counter({currency_id: sum(of_type[type_]) for currency_id, of_type in flows.items()})
        for type_ in (Type.WITHDRAWAL, Type.DEPOSIT)
    )
    return spent, earned


def _net_worth(db: Unit, user_id: int, day: date) -> Units:
    closings = by_currency.read(db, user_id, ChartRange(Period.DAY, day, day))
    return {currency_id: units for currency_id, (units,) in closings.items()}


def _bills(db: Unit, user_id: int, start: date, end: date, today: date) -> tuple[Counter[int], Counter[int]]:
    """What was paid in the range, and what is still unpaid, estimated as the middle of each bill's range."""
    known = bills.all_of(db, user_id)
    payments = read_payments_around(db, user_id, known, start, end)
    first, last = start.isoformat(), end.isoformat()
    paid: Counter[int] = Counter()
    unpaid: Counter[int] = Counter()
    for bill in known:
        of_bill = payments.get(bill.id, [])
        paid[bill.currency.id] += 0  # shown, even if nothing was paid
        for one in of_bill:
            paid[one.currency_id] += one.units if first <= one.on <= last else 0
        if bill.active:
            open_ = sum(not period.payments for period in periods(bill, of_bill, start, end, today))
            unpaid[bill.currency.id] += open_ * ((bill.lowest_units + bill.highest_units) // 2)
    return paid, unpaid
