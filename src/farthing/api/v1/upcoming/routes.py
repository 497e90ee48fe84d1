"""Serves upcoming bills and recurrences."""

from datetime import timedelta

from msgspec import UNSET, Struct, UnsetType

from farthing.books.bills.model import PaymentState, ProbableShown
from farthing.http.request.call import Answer, Call, Range
from farthing.http.route import RANGED, Parameter, Route
from farthing.kernel.errors import refuse_field
from farthing.kernel.shown import Number, ShownDay, number, show_as
from farthing.overviews.upcoming import gather
from farthing.overviews.upcoming.gather import ExpectedItem

from ..serializers.currencies import InCurrency, currency_fields


class ExpectedShown(InCurrency, gc=False, kw_only=True):
    """Shows the smallest and the largest expected amount. For a recurrence, both are the same."""

    amount_min: Number
    amount_max: Number


class CounterpartShown(Struct, gc=False):
    """Identifies the recurrence that pays a bill, or the bill that a recurrence pays. `date` is the day of payment."""

    kind: str
    id: str
    name: str
    date: ShownDay


class UpcomingItem(Struct, gc=False):
    """`kind` is `bill` or `recurrence`. `state` is `upcoming`, `due`, `overdue`, or, for a bill, `paid` or `probable`.

    `reason` says why the date differs from the plan: `hand`, `weekend` or `holiday`. An item and its `counterpart` are
    the same payment.
    """

    kind: str
    id: str
    name: str
    date: ShownDay
    planned_date: ShownDay
    state: str
    reason: str | None
    transaction_type: str
    amounts: list[ExpectedShown]
    counterpart: CounterpartShown | None
    probable: ProbableShown | UnsetType = UNSET


class UpcomingMeta(Struct, gc=False):
    """`next_start` is the day to continue from if the range is too long for one answer, otherwise null."""

    start: ShownDay
    end: ShownDay
    next_start: ShownDay | None


class Upcoming(Struct, gc=False):
    data: list[UpcomingItem]
    meta: UpcomingMeta


def show_item(item: ExpectedItem) -> UpcomingItem:
    amounts = [
        ExpectedShown(
            **currency_fields(amount.currency),
            amount_min=number(amount.lowest_units, amount.currency.places),
            amount_max=number(amount.highest_units, amount.currency.places),
        )
        for amount in item.amounts
    ]
    other = item.counterpart
    return show_as(
        UpcomingItem,
        item,
        id=str(item.id),
        date=item.on.isoformat(),
        planned_date=item.planned_on.isoformat(),
        amounts=amounts,
        counterpart=show_as(CounterpartShown, other, id=str(other.id), date=other.on.isoformat()) if other else None,
        probable=item.probable or UNSET,
    )


_USUAL = timedelta(days=30)
_DAYS_MAX = 366


def index(call: Call) -> Answer:
    days = call.whole_range() or Range(call.today, call.today + _USUAL)
    if (days.end - days.start).days >= _DAYS_MAX:
        refuse_field("end", f"The range from start to end may not be longer than {_DAYS_MAX} days.")
    items, following = gather.find_between(call.db, call.user_id, days.start, days.end, call.today, _state(call))
    next_start = following.isoformat() if following else None
    meta = UpcomingMeta(start=days.start.isoformat(), end=days.end.isoformat(), next_start=next_start)
    return Answer(Upcoming([show_item(item) for item in items], meta))


def _state(call: Call) -> PaymentState | None:
    word = call.query.get("state", "")
    if word and word not in _STATES:
        refuse_field("state", f"The state must be one of: {', '.join(_STATES)}.")
    return PaymentState(word) if word else None


_STATES = tuple(PaymentState)
_STATE = Parameter("state", {"type": "string", "enum": list(_STATES)}, "Lists only payments in this state.")
ROUTES = (
    Route(
        "GET", "/upcoming", index,
        "List the expected payments of bills and recurrences, by default for the next 30 days",
        gives=Upcoming, parameters=(*RANGED, _STATE),
    ),
)  # fmt: skip
