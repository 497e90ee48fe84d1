"""Shows upcoming bills and recurrences."""

from collections.abc import Sequence
from datetime import date

from msgspec import Struct

from farthing.kernel.shown import Day, Number, number
from farthing.overviews.upcoming.model import Counterpart, ExpectedItem


class ExpectedShown(Struct, gc=False):
    """Of a recurrence both amounts are the same."""

    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    amount_min: Number
    amount_max: Number


class CounterpartShown(Struct, gc=False):
    """Of a bill, the recurrence that pays it on `date`; of a recurrence, the bill that it pays, expected on `date`."""

    kind: str
    id: str
    name: str
    date: Day


class UpcomingItem(Struct, gc=False):
    """`kind` is `bill` or `recurrence`, `id` is its id; `state` is `upcoming`, `due`, `overdue`, or of bills `paid`.

    `reason` says why it does not land as planned: `hand`, `weekend` or `holiday`. With a `counterpart`, both are one
    payment.
    """

    kind: str
    id: str
    name: str
    date: Day
    planned_date: Day
    state: str
    reason: str | None
    transaction_type: str
    amounts: list[ExpectedShown]
    counterpart: CounterpartShown | None


class UpcomingMeta(Struct, gc=False):
    """`next_start` is the day to go on from, when the range holds more than one answer does."""

    start: Day
    end: Day
    next_start: Day | None


class Upcoming(Struct, gc=False):
    data: list[UpcomingItem]
    meta: UpcomingMeta


def show(items: Sequence[ExpectedItem], start: date, end: date, following: date | None) -> Upcoming:
    meta = UpcomingMeta(
        start=start.isoformat(), end=end.isoformat(), next_start=following.isoformat() if following else None
    )
    return Upcoming([show_item(item) for item in items], meta)


def show_item(item: ExpectedItem) -> UpcomingItem:
    amounts = [
        ExpectedShown(
            currency_id=amount.currency.id,
            currency_code=amount.currency.code,
            currency_symbol=amount.currency.symbol,
            currency_dp=amount.currency.places,
            amount_min=number(amount.lowest_units, amount.currency.places),
            amount_max=number(amount.highest_units, amount.currency.places),
        )
        for amount in item.amounts
    ]
    return UpcomingItem(
        kind=item.kind,
        id=str(item.id),
        name=item.name,
        date=item.on.isoformat(),
        planned_date=item.planned_on.isoformat(),
        state=item.state,
        reason=item.reason,
        transaction_type=item.transaction_type,
        amounts=amounts,
        counterpart=_show_counterpart(item.counterpart) if item.counterpart else None,
    )


def _show_counterpart(counterpart: Counterpart) -> CounterpartShown:
    return CounterpartShown(
        kind=counterpart.kind, id=str(counterpart.id), name=counterpart.name, date=counterpart.on.isoformat()
    )
