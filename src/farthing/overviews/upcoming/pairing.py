"""Pairs bills with the recurrences that pay them, so that both can be shown as one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date

from msgspec import Struct

from farthing.books.bills.model import Bill, Payment, payment_range, periods
from farthing.books.recurrences.model import Recurrence

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


def _pair_days(bill: Bill, paid: list[Payment], landed: Sequence[date]) -> list[tuple[date, date]]:
    """Each unpaid day with the first firing that counts for it, as a real payment would: for the nearest day."""
    if not landed:
        return []
    within = payment_range([bill], landed[0], landed[-1])
    firings = [Payment(bill.id, on.isoformat()) for on in landed]
    settled = {one.expected_date for one in periods(bill, paid, *within, landed[0]) if one.payments}
    return [
        (date.fromisoformat(one.payments[0].date), date.fromisoformat(one.expected_date))
        for one in periods(bill, firings, *within, landed[0])
        if one.payments and one.expected_date not in settled
    ]
