"""Lists the expected payments of bills and recurrences in a range of days, with a small, fixed number of queries."""

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct

from farthing.books.bills import store as bills
from farthing.books.bills.expect import read_payments_around
from farthing.books.bills.model import (
    Bill,
    Payment,
    PaymentState,
    PeriodShown,
    ProbableShown,
    payment_range,
    periods,
    unpaid_state,
)
from farthing.books.bills.probable import mark_probable
from farthing.books.recurrences import store as recurrences
from farthing.books.recurrences.days import BY_HAND, reason
from farthing.books.recurrences.fire import find_next_bills
from farthing.books.recurrences.model import Recurrence
from farthing.kernel.money import Currency
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit


class Expected(Struct, frozen=True):
    """The expected amount as a range, because it may not be known exactly."""

    currency: Currency
    lowest_units: int
    highest_units: int


class Counterpart(Struct, frozen=True):
    """The recurrence that pays a bill, or the bill that a recurrence pays, on the day `on`."""

    kind: str
    id: int
    name: str
    on: date

    @property
    def day(self) -> tuple[int, date]:
        return self.id, self.on


class ExpectedItem(Struct, frozen=True):
    """`reason` says why the payment is expected on another day than planned."""

    on: date
    kind: str
    id: int
    planned_on: date
    name: str
    state: str
    reason: str | None
    transaction_type: str
    amounts: tuple[Expected, ...]
    counterpart: Counterpart | None = None
    probable: ProbableShown | None = None

    @property
    def order(self) -> tuple[date, str, int, date]:
        return self.on, self.kind, self.id, self.planned_on


Day = tuple[int, date]  # of a bill or a recurrence, by its id
Landings = Callable[[Recurrence], Iterable[date]]


class Pairs(Struct, frozen=True):
    """Maps expected days of bills to recurrences that pay them, and firing days of recurrences to bills they pay."""

    of_bills: Mapping[Day, Counterpart]
    of_recurrences: Mapping[Day, Counterpart]


def pair(
    recurrences: Sequence[Recurrence],
    bills: Mapping[int, Bill],
    payments: Mapping[int, list[Payment]],
    landings: Landings,
) -> Pairs:
    """Pairs recurrences with the bills that they pay. `bills` maps the ids of recurrences to bills, and `landings`
    returns the firing days of a recurrence.
    """
    of_bills: dict[Day, Counterpart] = {}
    of_recurrences: dict[Day, Counterpart] = {}
    for recurrence in recurrences:
        if recurrence.id not in bills:
            continue
        bill = bills[recurrence.id]
        for landed, expected in _pair_days(bill, payments.get(bill.id, []), list(landings(recurrence))):
            paying = Counterpart(kind="recurrence", id=recurrence.id, name=recurrence.title, on=landed)
            if (
                of_bills.setdefault((bill.id, expected), paying) is paying
            ):  # only one recurrence pays the same day of a bill
                of_recurrences[recurrence.id, landed] = Counterpart(
                    kind="bill", id=bill.id, name=bill.name, on=expected
                )
    return Pairs(of_bills=of_bills, of_recurrences=of_recurrences)


def _pair_days(bill: Bill, paid: list[Payment], landed: Sequence[date]) -> list[tuple[date, date]]:
    """Pairs firing days with unpaid expected days of a bill, in the same way as payments are assigned to such days."""
    if not landed:
        return []
    within = payment_range([bill], landed[0], landed[-1])
    firings = [Payment(bill.id, on.isoformat()) for on in landed]
    settled = {period.expected_date for period in periods(bill, paid, *within, landed[0]) if period.payments}
    return [
        (date.fromisoformat(period.payments[0].date), date.fromisoformat(period.expected_date))
        for period in periods(bill, firings, *within, landed[0])
        if period.payments and period.expected_date not in settled
    ]


# An answer has at most this many items, plus any further items of its last day. It also returns the day from which
# clients continue.
ITEMS_MAX = 1000
_NO_PAIRS = Pairs(of_bills={}, of_recurrences={})


def find_between(
    db: Unit, user_id: int, start: date, end: date, today: date, state: PaymentState | None = None
) -> tuple[list[ExpectedItem], date | None]:
    """Lists all items, or those in one state, by day. Also returns the day to continue from if there are more."""
    items: list[ExpectedItem] = []
    active = [bill for bill in bills.all_of(db, user_id) if bill.active]
    due = recurrences.find_due(db, user_id, end)
    payments = read_payments_around(db, user_id, active, start, end)
    bill_of = {bill.id: bill for bill in active}
    next_bills = find_next_bills(db, user_id, due, today) if active else {}
    paid = {key: bill_of[bill_id] for key, bill_id in next_bills.items() if bill_id in bill_of}
    landings = {recurrence.id: _list_pending(recurrence, start, end, today) for recurrence in due}
    pairs = pair(due, paid, payments, lambda recurrence: (item.on for item in landings[recurrence.id]))
    expected = {bill.id: periods(bill, payments.get(bill.id, []), start, end, today) for bill in active}
    expected = mark_probable(db, user_id, active, expected, today)
    streams = [
        *(_list_bill_days(bill, expected[bill.id], pairs) for bill in active),
        *(_list_pending(recurrence, start, end, today, pairs) for recurrence in due),
    ]
    for item in heapq.merge(*streams, key=lambda item: item.order):
        if state and item.state != state:
            continue
        if len(items) >= ITEMS_MAX and item.on > items[-1].on:
            return items, item.on
        items.append(item)
    return items, None


_SETTLED = (PaymentState.PAID, PaymentState.PROBABLE)


def _list_bill_days(bill: Bill, expected: Sequence[PeriodShown], pairs: Pairs) -> Iterator[ExpectedItem]:
    amounts = (Expected(currency=bill.currency, lowest_units=bill.lowest_units, highest_units=bill.highest_units),)
    for period in expected:
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
            counterpart=None if state in _SETTLED else pairs.of_bills.get((bill.id, day)),
            probable=period.probable or None,
        )


def _list_pending(
    recurrence: Recurrence, start: date, end: date, today: date, pairs: Pairs = _NO_PAIRS
) -> Iterator[ExpectedItem]:
    """Lists the pending occurrences from `start` to `end`. If only a limited number are left, those before `start`
    count towards that number.
    """
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
    units = Counter[int]()
    currencies = {split.currency.id: split.currency for split in recurrence.splits}
    for split in recurrence.splits:
        units[split.currency.id] += split.units
    return tuple(
        Expected(currency=currencies[key], lowest_units=amount, highest_units=amount)
        for key, amount in sorted(units.items())
    )


class OverdueCount(Struct, frozen=True):
    """The number of expected days on which bills were not paid, and the latest of these days."""

    many: int
    latest_on: str | None


def count_overdue(db: Unit, user_id: int, start: date, end: date) -> OverdueCount:
    """Counts unpaid days of bills in a past range. The database returns the payment days of a bill as one text."""
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
