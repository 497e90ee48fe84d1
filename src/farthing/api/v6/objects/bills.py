"""Shows bills."""

from collections.abc import Sequence
from datetime import date

from msgspec import Struct

from farthing.books.bills.expect import read_outlooks
from farthing.books.bills.model import Bill, Outlook, Payment
from farthing.books.currencies import store as currencies
from farthing.books.exchange_rates.convert import DatedAmount
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.http.resources.lists import read_within
from farthing.kernel.money import Currency
from farthing.kernel.shown import Instant

from ..parts.amounts import show_amount
from ..parts.documents import make_thing
from ..parts.moments import show_day
from ..parts.primary import OwnCurrency, Primary, load_primary


class PaymentShown(Struct, gc=False):
    """Shows a transaction that paid a bill. `subscription_id` is the id of the bill."""

    transaction_group_id: str
    transaction_journal_id: str
    date: Instant
    subscription_id: str
    amount: str
    currency_id: str
    currency_code: str
    currency_symbol: str
    currency_decimal_places: int


class BillAttributes(OwnCurrency, gc=False, kw_only=True):
    """`paid_dates` and `pay_dates` are empty without a range.

    `amount_avg` is halfway between `amount_min` and `amount_max`.
    """

    created_at: Instant
    updated_at: Instant
    name: str
    amount_min: str
    pc_amount_min: str | None
    amount_max: str
    pc_amount_max: str | None
    amount_avg: str
    pc_amount_avg: str | None
    date: Instant
    end_date: Instant | None
    extension_date: Instant | None
    repeat_freq: str
    skip: int
    active: bool
    order: int
    notes: str | None
    object_group_id: str | None
    object_group_order: int | None
    object_group_title: str | None
    paid_dates: list[PaymentShown]
    pay_dates: list[Instant]
    next_expected_match: Instant | None
    next_expected_match_diff: str | None


BillThing = Thing[BillAttributes]
_Amounts = tuple[str | None, str | None, str | None]


def make_bills(call: Call, bills: Sequence[Bill]) -> list[BillThing]:
    """Shows a page of bills, with a fixed number of queries. Reads the range from the query."""
    outlooks = read_outlooks(call.db, call.user_id, bills, read_within(call), call.today)
    paid_in = {payment.currency_id for outlook in outlooks.values() for payment in outlook.payments}
    used = currencies.by_ids(call.db, paid_in) if paid_in else {}
    primary, on = load_primary(call), call.today.isoformat()
    amounts = [DatedAmount(bill.currency.id, units, on) for bill in bills for units in _units(bill)]
    converted = primary.convert(amounts)
    things = []
    for place, bill in enumerate(bills):
        low, middle, high = converted[3 * place : 3 * place + 3]
        paid = [_show_payment(call, payment, used[payment.currency_id]) for payment in outlooks[bill.id].payments]
        shown = _show(call, bill, outlooks[bill.id], paid, (low, middle, high), primary)
        things.append(make_thing(call, "bills", bill.id, shown))
    return things


def _units(bill: Bill) -> tuple[int, int, int]:
    return bill.lowest_units, (bill.lowest_units + bill.highest_units) // 2, bill.highest_units


def _show_payment(call: Call, payment: Payment, currency: Currency) -> PaymentShown:
    return PaymentShown(
        transaction_group_id=str(payment.entry_id),
        transaction_journal_id=str(payment.split_id),
        date=show_day(payment.on, call.caller.timezone),
        subscription_id=str(payment.bill_id),
        amount=show_amount(payment.units, currency.places),
        currency_id=str(currency.id),
        currency_code=currency.code,
        currency_symbol=currency.symbol,
        currency_decimal_places=currency.places,
    )


def _show(
    call: Call, bill: Bill, outlook: Outlook, paid: list[PaymentShown], converted: _Amounts, primary: Primary
) -> BillAttributes:
    zone = call.caller.timezone
    low, middle, high = (show_amount(units, bill.currency.places) for units in _units(bill))
    return BillAttributes(
        created_at=bill.created_at,
        updated_at=bill.updated_at,
        name=bill.name,
        amount_min=low,
        pc_amount_min=converted[0],
        amount_max=high,
        pc_amount_max=converted[2],
        amount_avg=middle,
        pc_amount_avg=converted[1],
        date=show_day(bill.first_on.isoformat(), zone),
        end_date=show_day(bill.end_on.isoformat(), zone) if bill.end_on else None,
        extension_date=show_day(bill.extension_on.isoformat(), zone) if bill.extension_on else None,
        repeat_freq=bill.frequency,
        skip=bill.skip,
        active=bill.active,
        order=bill.order or 0,
        notes=bill.notes,
        object_group_id=str(bill.object_group_id) if bill.object_group_id else None,
        object_group_order=bill.object_group_order,
        object_group_title=bill.object_group_title,
        paid_dates=paid,
        pay_dates=[show_day(period.expected_date, zone) for period in outlook.periods],
        next_expected_match=show_day(outlook.next_on, zone) if outlook.next_on else None,
        next_expected_match_diff=_count_days(outlook.next_on, call.today) if outlook.next_on else None,
        **primary.show_with(bill.currency),
    )


def _count_days(on: str, today: date) -> str:
    days = (date.fromisoformat(on) - today).days
    if days in _NEAR:
        return _NEAR[days]
    return f"in {days} days" if days > 0 else f"{-days} days ago"


_NEAR = {-1: "yesterday", 0: "today", 1: "tomorrow"}
