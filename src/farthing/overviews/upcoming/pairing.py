"""Pairs bills with the recurrences that pay them, so that both can be shown as one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date

from msgspec import Struct

from farthing.books.bills.matching import Candidate, find_paid_bill, join_texts
from farthing.books.bills.model import Bill, Payment, payment_range, periods
from farthing.books.recurrences.model import Recurrence
from farthing.storage.unit import Unit

from .model import Counterpart

Day = tuple[int, date]  # of a bill or a recurrence, by its id
Landings = Callable[[Recurrence], Iterable[date]]


class Pairs(Struct, frozen=True):
    """For an expected day of a bill, the recurrence that pays it; for a firing of a recurrence, the bill it pays."""

    of_bills: Mapping[Day, Counterpart]
    of_recurrences: Mapping[Day, Counterpart]


def pair(
    recurrences: Sequence[Recurrence],
    bills: Mapping[int, Bill],
    payments: Mapping[int, list[Payment]],
    landings: Landings,
) -> Pairs:
    """`bills` are those that the recurrences pay; `landings` lists the days on which one fires, the earliest first."""
    of_bills: dict[Day, Counterpart] = {}
    of_recurrences: dict[Day, Counterpart] = {}
    for one in recurrences:
        if one.id not in bills:
            continue
        bill = bills[one.id]
        for landed, expected in _pair_days(bill, payments.get(bill.id, []), list(landings(one))):
            paying = Counterpart(kind="recurrence", id=one.id, name=one.title, on=landed)
            if of_bills.setdefault((bill.id, expected), paying) is paying:  # a day is paid once
                of_recurrences[one.id, landed] = Counterpart(kind="bill", id=bill.id, name=bill.name, on=expected)
    return Pairs(of_bills=of_bills, of_recurrences=of_recurrences)


def find_paid_bills(
    db: Unit, user_id: int, bills: Sequence[Bill], recurrences: Sequence[Recurrence]
) -> dict[int, Bill]:
    """By recurrence: the bill that its latest transaction paid, else the one that its next transaction would pay."""
    if not bills or not recurrences:
        return {}
    known = {bill.id: bill for bill in bills}
    criteria = [bill.criteria for bill in bills if bill.matches_automatically]
    latest: dict[int, int | None] = dict(db.all(_LATEST, user_id=user_id, ids=[one.id for one in recurrences]))
    chosen = {one.id: latest[one.id] or find_paid_bill(criteria, _candidate(one)) for one in recurrences}
    return {key: known[bill_id] for key, bill_id in chosen.items() if bill_id in known}


_LATEST = """
SELECT r.id, (
    SELECT e.bill_id FROM entries e WHERE e.user_id = r.user_id AND e.recurrence_id = r.id
    ORDER BY e.on_day DESC, e.id DESC LIMIT 1
)
FROM recurrences r WHERE r.user_id = :user_id AND r.id IN :ids
"""


def _candidate(one: Recurrence) -> Candidate:
    units: dict[int, int] = {}
    for split in one.splits:
        units[split.currency.id] = units.get(split.currency.id, 0) + split.units
    names = (name for split in one.splits for name in (split.description, split.source_name, split.destination_name))
    return Candidate(one.type, join_texts((one.description, *names)), units)


def _pair_days(bill: Bill, paid: list[Payment], landed: Sequence[date]) -> list[tuple[date, date]]:
    """Each unpaid day with the first firing that counts for it, as a real payment would: for the nearest day."""
    if not landed:
        return []
    within = payment_range([bill], landed[0], landed[-1])
    firings: list[Payment] = [(bill.id, on.isoformat(), 0) for on in landed]
    settled = {one.expected_date for one in periods(bill, paid, *within, landed[0]) if one.payments}
    return [
        (date.fromisoformat(one.payments[0].date), date.fromisoformat(one.expected_date))
        for one in periods(bill, firings, *within, landed[0])
        if one.payments and one.expected_date not in settled
    ]
