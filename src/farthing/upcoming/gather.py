"""What do all bills and recurrences of a user expect in a range? A few queries, however many there are."""

import heapq
from collections import Counter
from collections.abc import Iterator
from datetime import date

from ..bills import store as bills
from ..bills.expect import paid_around
from ..bills.model import Bill, Payment, State, periods, unpaid
from ..ledger.kinds import Type
from ..recurrences import store as recurrences
from ..recurrences.days import BY_HAND, reason
from ..recurrences.model import Recurrence
from ..storage.unit import Unit
from .model import Expected, Item

# So many are told in one answer, and the rest of the last day; whoever wants more asks again from where it ended.
ITEMS_MAX = 1000


def between(
    db: Unit, user_id: int, start: date, end: date, today: date, state: State | None = None
) -> tuple[list[Item], date | None]:
    """By day, all or those in a state; and the day to go on from, when there are more than one answer may hold."""
    found: list[Item] = []
    streams = [*_of_bills(db, user_id, start, end, today), *_of_recurrences(db, user_id, start, end, today)]
    for item in heapq.merge(*streams, key=lambda one: one.order):
        if state and item.state != state:
            continue
        if len(found) >= ITEMS_MAX and item.on > found[-1].on:
            return found, item.on
        found.append(item)
    return found, None


def _of_bills(db: Unit, user_id: int, start: date, end: date, today: date) -> list[Iterator[Item]]:
    known = [bill for bill in bills.all_of(db, user_id) if bill.active]
    payments = paid_around(db, user_id, known, start, end)
    return [_expected(bill, payments.get(bill.id, []), start, end, today) for bill in known]


def _expected(bill: Bill, payments: list[Payment], start: date, end: date, today: date) -> Iterator[Item]:
    amounts = (Expected(bill.currency, bill.lowest_units, bill.highest_units),)
    for period in periods(bill, payments, start, end, today):
        day, state = date.fromisoformat(period.expected_date), period.state
        yield Item(day, "bill", bill.id, day, bill.name, state, None, Type.WITHDRAWAL.label, amounts)


def _of_recurrences(db: Unit, user_id: int, start: date, end: date, today: date) -> list[Iterator[Item]]:
    return [_awaited(one, start, end, today) for one in recurrences.due(db, user_id, end)]


def _awaited(one: Recurrence, start: date, end: date, today: date) -> Iterator[Item]:
    """What has not fired yet. Where only some may still fire, they are counted from the first of them on."""
    amounts = _amounts(one)
    for number, occurrence in enumerate(one.agenda.awaited(start if one.left is None else None)):
        landed, planned = occurrence.landed_on, occurrence.planned_on
        assert landed is not None, "only what lands is awaited"
        if landed > end or number == one.left:
            return
        if landed >= start:
            why = BY_HAND if planned in one.exceptions else reason(occurrence)
            state = unpaid(landed.isoformat(), today.isoformat())
            yield Item(landed, "recurrence", one.id, planned, one.title, state, why, one.type.label, amounts)


def _amounts(one: Recurrence) -> tuple[Expected, ...]:
    """Of all splits together, in each currency."""
    units = Counter[int]()
    currencies = {split.currency.id: split.currency for split in one.splits}
    for split in one.splits:
        units[split.currency.id] += split.units
    return tuple(Expected(currencies[key], amount, amount) for key, amount in sorted(units.items()))
