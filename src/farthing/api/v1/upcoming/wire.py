"""Shows upcoming bills and recurrences."""

from collections.abc import Sequence
from datetime import date

from msgspec import Struct

from farthing.kernel.shown import Day, Number, number, show_as
from farthing.overviews.upcoming.gather import Counterpart, ExpectedItem

from ..objects.currencies import InCurrency, currency_fields


class ExpectedShown(InCurrency, gc=False, kw_only=True):
    """The amounts of a recurrence are equal."""

    amount_min: Number
    amount_max: Number


class CounterpartShown(Struct, gc=False):
    """Names the recurrence that pays a bill on `date`, or the bill that a recurrence pays, expected on `date`."""

    kind: str
    id: str
    name: str
    date: Day


class UpcomingItem(Struct, gc=False):
    """`kind` is `bill` or `recurrence`. `state` is `upcoming`, `due`, `overdue`, or `paid`, which only bills are.

    `reason` says why the date differs from the plan: `hand`, `weekend` or `holiday`. With a `counterpart`, both are one
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
    """`next_start` is the day to continue from, if the range is too long for one answer."""

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
            **currency_fields(amount.currency),
            amount_min=number(amount.lowest_units, amount.currency.places),
            amount_max=number(amount.highest_units, amount.currency.places),
        )
        for amount in item.amounts
    ]
    return show_as(
        UpcomingItem,
        item,
        id=str(item.id),
        date=item.on.isoformat(),
        planned_date=item.planned_on.isoformat(),
        amounts=amounts,
        counterpart=_show_counterpart(item.counterpart) if item.counterpart else None,
    )


def _show_counterpart(counterpart: Counterpart) -> CounterpartShown:
    return show_as(CounterpartShown, counterpart, id=str(counterpart.id), date=counterpart.on.isoformat())
