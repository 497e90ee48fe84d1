"""Finds the expected days, the payments and the next unpaid day of any number of bills, with a few queries."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from operator import attrgetter

from msgspec.structs import replace

from farthing.storage.unit import Unit

from . import store
from .model import Bill, Outlook, Payment, next_unpaid, payment_range, periods
from .probable import mark_probable

Days = tuple[date, date]
_A_DAY = timedelta(days=1)
_LAST = date.max - _A_DAY


def read_outlooks(
    db: Unit, user_id: int, bills: Sequence[Bill], within: Days | None, today: date
) -> dict[int, Outlook]:
    """Returns the outlook of each bill for a range. Without a range, finds only the next unpaid day from today on.

    Reads only payments around the range. If all expected days in the range are paid, also reads the days of later
    payments, to find the next unpaid day.
    """
    if not bills:
        return {}
    outlooks = {bill.id: _NOTHING for bill in bills}
    if within:
        outlooks = _read_outlooks_within(db, user_id, bills, *within, today)
    after = min(within[1], _LAST) + _A_DAY if within else today
    unsettled = [bill for bill in bills if bill.active and outlooks[bill.id].next_on is None]
    since, _ = payment_range(bills, after, after)
    paid_on = store.read_paid_days(db, user_id, [bill.id for bill in unsettled], since)
    for bill in unsettled:
        next_on = next_unpaid(bill.rhythm, paid_on.get(bill.id, ""), after)
        outlooks[bill.id] = replace(outlooks[bill.id], next_on=next_on)
    return outlooks


_NOTHING = Outlook(periods=(), paid_on=[], next_on=None)


def _read_outlooks_within(
    db: Unit, user_id: int, bills: Sequence[Bill], start: date, end: date, today: date
) -> dict[int, Outlook]:
    first, last = start.isoformat(), end.isoformat()
    payments = read_payments_around(db, user_id, bills, start, end)
    outlooks = {}
    expected = {bill.id: periods(bill, payments.get(bill.id, []), start, end, today) for bill in bills}
    expected = mark_probable(db, user_id, bills, expected, today)
    for bill in bills:
        paid, shown_periods = payments.get(bill.id, []), expected[bill.id]
        days = (on for (on, _), _ in groupby(paid, key=attrgetter("on", "entry_id")))  # one for each transaction
        paid_on = [on for on in days if first <= on <= last]
        unpaid = (period.expected_date for period in shown_periods if not period.payments)
        next_on = next(unpaid, None) if bill.active else None
        inside = [payment for payment in paid if first <= payment.on <= last]
        outlooks[bill.id] = Outlook(periods=shown_periods, paid_on=paid_on, next_on=next_on, payments=inside)
    return outlooks


def read_payments_around(
    db: Unit, user_id: int, bills: Sequence[Bill], start: date, end: date
) -> Mapping[int, list[Payment]]:
    """Reads, by bill, all payments that may belong to an expected day in a range.

    Bills share a query only if their periods have a similar length, because a bill that is due every other year needs
    the payments of several years.
    """
    alike: dict[int, list[Bill]] = defaultdict(list)
    for bill in bills:
        alike[bill.rhythm.longest.days.bit_length()].append(bill)
    payments: dict[int, list[Payment]] = {}
    for some in alike.values():
        payments |= store.payments(db, user_id, [bill.id for bill in some], *payment_range(some, start, end))
    return payments
