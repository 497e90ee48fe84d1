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
    """Maps expected days of bills to recurrences that pay them, and firings of recurrences to bills they pay."""

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
    for recurrence in recurrences:
        if recurrence.id not in bills:
            continue
        bill = bills[recurrence.id]
        for landed, expected in _pair_days(bill, payments.get(bill.id, []), list(landings(recurrence))):
            paying = Counterpart(kind="recurrence", id=recurrence.id, name=recurrence.title, on=landed)
            if of_bills.setdefault((bill.id, expected), paying) is paying:  # a day is paid once
                of_recurrences[recurrence.id, landed] = Counterpart(
                    kind="bill", id=bill.id, name=bill.name, on=expected
                )
    return Pairs(of_bills=of_bills, of_recurrences=of_recurrences)


def _pair_days(bill: Bill, paid: list[Payment], landed: Sequence[date]) -> list[tuple[date, date]]:
    """Pairs each unpaid day with the first firing nearest to it, as real payments are assigned."""
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
