"""Lists what bills and recurrences expect in a range; a few queries for any number of them."""

import heapq
from collections import Counter
from collections.abc import Iterator
from datetime import date

from farthing.books.bills import store as bills
from farthing.books.bills.expect import read_payments_around
from farthing.books.bills.model import Bill, Payment, PaymentState, periods, unpaid_state
from farthing.books.recurrences import store as recurrences
from farthing.books.recurrences.days import BY_HAND, reason
from farthing.books.recurrences.model import Recurrence
from farthing.books.recurrences.next_bill import find_next_bills
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from .model import Expected, ExpectedItem
from .pairing import Pairs, pair

# Items per answer, plus the rest of the last day; clients continue from where it ended.
ITEMS_MAX = 1000
_NO_PAIRS = Pairs(of_bills={}, of_recurrences={})


def find_between(
    db: Unit, user_id: int, start: date, end: date, today: date, state: PaymentState | None = None
) -> tuple[list[ExpectedItem], date | None]:
    """Ordered by day, optionally only one state; and the day to continue from if the answer was cut."""
    found: list[ExpectedItem] = []
    known = [bill for bill in bills.all_of(db, user_id) if bill.active]
    due = recurrences.find_due(db, user_id, end)
    payments = read_payments_around(db, user_id, known, start, end)
    bill_of = {bill.id: bill for bill in known}
    next_bills = find_next_bills(db, user_id, due, today) if known else {}
    paid = {key: bill_of[bill_id] for key, bill_id in next_bills.items() if bill_id in bill_of}
    pairs = pair(due, paid, payments, lambda one: (item.on for item in _list_pending(one, start, end, today)))
    streams = [
        *(_list_bill_days(bill, payments.get(bill.id, []), start, end, today, pairs) for bill in known),
        *(_list_pending(one, start, end, today, pairs) for one in due),
    ]
    for item in heapq.merge(*streams, key=lambda one: one.order):
        if state and item.state != state:
            continue
        if len(found) >= ITEMS_MAX and item.on > found[-1].on:
            return found, item.on
        found.append(item)
    return found, None


def _list_bill_days(
    bill: Bill, payments: list[Payment], start: date, end: date, today: date, pairs: Pairs
) -> Iterator[ExpectedItem]:
    amounts = (Expected(currency=bill.currency, lowest_units=bill.lowest_units, highest_units=bill.highest_units),)
    for period in periods(bill, payments, start, end, today):
        day, state = date.fromisoformat(period.expected_date), period.state
        yield ExpectedItem(
            on=day,
            kind="bill",
            id=bill.id,
            planned_on=day,
            name=bill.name,
            state=state,
            reason=None,
            transaction_type=Type.WITHDRAWAL.label,
            amounts=amounts,
            counterpart=None if state == PaymentState.PAID else pairs.of_bills.get((bill.id, day)),
        )


def _list_pending(
    one: Recurrence, start: date, end: date, today: date, pairs: Pairs = _NO_PAIRS
) -> Iterator[ExpectedItem]:
    """What has not fired yet. With a limited number left, the count starts at the first that is due."""
    amounts = _amounts(one)
    for number, occurrence in enumerate(one.agenda.list_pending(start if one.left is None else None)):
        landed, planned = occurrence.landed_on, occurrence.planned_on
        assert landed is not None, "only what lands is pending"
        if landed > end or number == one.left:
            return
        if landed >= start:
            why = BY_HAND if planned in one.exceptions else reason(occurrence)
            state = unpaid_state(landed.isoformat(), today.isoformat())
            yield ExpectedItem(
                on=landed,
                kind="recurrence",
                id=one.id,
                planned_on=planned,
                name=one.title,
                state=state,
                reason=why,
                transaction_type=one.type.label,
                amounts=amounts,
                counterpart=pairs.of_recurrences.get((one.id, landed)),
            )


def _amounts(one: Recurrence) -> tuple[Expected, ...]:
    """The total of all splits, in each currency."""
    units = Counter[int]()
    currencies = {split.currency.id: split.currency for split in one.splits}
    for split in one.splits:
        units[split.currency.id] += split.units
    return tuple(
        Expected(currency=currencies[key], lowest_units=amount, highest_units=amount)
        for key, amount in sorted(units.items())
    )
