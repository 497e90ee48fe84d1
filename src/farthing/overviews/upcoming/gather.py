"""Lists the expected payments of bills and recurrences in a range, with a few queries for any number of them."""

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

# Items per answer, plus the rest of the last day; clients continue from the day that the answer names.
ITEMS_MAX = 1000
_NO_PAIRS = Pairs(of_bills={}, of_recurrences={})


def find_between(
    db: Unit, user_id: int, start: date, end: date, today: date, state: PaymentState | None = None
) -> tuple[list[ExpectedItem], date | None]:
    """Lists items by day, optionally of one state only, and gives the day to continue from if the list was cut."""
    items: list[ExpectedItem] = []
    active = [bill for bill in bills.all_of(db, user_id) if bill.active]
    due = recurrences.find_due(db, user_id, end)
    payments = read_payments_around(db, user_id, active, start, end)
    bill_of = {bill.id: bill for bill in active}
    next_bills = find_next_bills(db, user_id, due, today) if active else {}
    paid = {key: bill_of[bill_id] for key, bill_id in next_bills.items() if bill_id in bill_of}
    pairs = pair(
        due, paid, payments, lambda recurrence: (item.on for item in _list_pending(recurrence, start, end, today))
    )
    streams = [
        *(_list_bill_days(bill, payments.get(bill.id, []), start, end, today, pairs) for bill in active),
        *(_list_pending(recurrence, start, end, today, pairs) for recurrence in due),
    ]
    for item in heapq.merge(*streams, key=lambda item: item.order):
        if state and item.state != state:
            continue
        if len(items) >= ITEMS_MAX and item.on > items[-1].on:
            return items, item.on
        items.append(item)
    return items, None


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
    recurrence: Recurrence, start: date, end: date, today: date, pairs: Pairs = _NO_PAIRS
) -> Iterator[ExpectedItem]:
    """Lists firings still to come. A limited number of repetitions is counted from the first one that is due."""
    amounts = _amounts(recurrence)
    for number, occurrence in enumerate(recurrence.agenda.list_pending(start if recurrence.left is None else None)):
        landed, planned = occurrence.landed_on, occurrence.planned_on
        assert landed is not None, "only what lands is pending"
        if landed > end or number == recurrence.left:
            return
        if landed >= start:
            why = BY_HAND if planned in recurrence.exceptions else reason(occurrence)
            state = unpaid_state(landed.isoformat(), today.isoformat())
            yield ExpectedItem(
                on=landed,
                kind="recurrence",
                id=recurrence.id,
                planned_on=planned,
                name=recurrence.title,
                state=state,
                reason=why,
                transaction_type=recurrence.type.label,
                amounts=amounts,
                counterpart=pairs.of_recurrences.get((recurrence.id, landed)),
            )


def _amounts(recurrence: Recurrence) -> tuple[Expected, ...]:
    """The total of all splits, in each currency."""
    units = Counter[int]()
    currencies = {split.currency.id: split.currency for split in recurrence.splits}
    for split in recurrence.splits:
        units[split.currency.id] += split.units
    return tuple(
        Expected(currency=currencies[key], lowest_units=amount, highest_units=amount)
        for key, amount in sorted(units.items())
    )
