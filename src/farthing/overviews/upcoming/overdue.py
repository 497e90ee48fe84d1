"""Counts the payments that are overdue without listing them."""

from collections.abc import Sequence
from datetime import date

from msgspec import Struct

from farthing.books.bills import store as bills
from farthing.books.bills.model import Bill, Payment, payment_range, periods
from farthing.storage.unit import Unit


class OverdueCount(Struct, frozen=True):
    """Counts the expected days of bills that were never paid, and names the latest."""

    many: int
    latest_on: str | None


def count_overdue(db: Unit, user_id: int, start: date, end: date) -> OverdueCount:
    """Expects a past range. Reads only the days of payments, which the database joins to one text per bill."""
    active = [bill for bill in bills.all_of(db, user_id) if bill.active]
    if not active:
        return OverdueCount(many=0, latest_on=None)
    since, _ = payment_range(active, start, end)
    paid = bills.read_paid_days(db, user_id, [bill.id for bill in active], since)
    unpaid = [day for bill in active for day in _list_unpaid(bill, paid.get(bill.id, ""), start, end)]
    return OverdueCount(many=len(unpaid), latest_on=max(unpaid, default=None))


def _list_unpaid(bill: Bill, paid_on: str, start: date, end: date) -> Sequence[str]:
    payments = [Payment(bill.id, day) for day in sorted(paid_on.split(","))] if paid_on else []
    return [period.expected_date for period in periods(bill, payments, start, end, end) if not period.payments]
