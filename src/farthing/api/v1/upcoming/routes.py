"""Serves upcoming bills and recurrences."""

from datetime import timedelta

from farthing.books.bills.model import PaymentState
from farthing.http.request.call import Answer, Call, Range
from farthing.http.route import RANGED, Parameter, Route
from farthing.kernel.errors import refuse_field
from farthing.overviews.upcoming import gather

from . import wire

_USUAL = timedelta(days=30)
_DAYS_MAX = 366


def index(call: Call) -> Answer:
    days = call.whole_range() or Range(call.today, call.today + _USUAL)
    if (days.end - days.start).days >= _DAYS_MAX:
        refuse_field("end", f"The range from start to end may not be longer than {_DAYS_MAX} days.")
    items, following = gather.find_between(call.db, call.user_id, days.start, days.end, call.today, _state(call))
    return Answer(wire.show(items, days.start, days.end, following))


def _state(call: Call) -> PaymentState | None:
    word = call.query.get("state", "")
    if word and word not in _STATES:
        refuse_field("state", f"The state must be one of: {', '.join(_STATES)}.")
    return PaymentState(word) if word else None


_STATES = tuple(PaymentState)
_STATE = Parameter("state", {"type": "string", "enum": list(_STATES)}, "Lists only those in this state.")
ROUTES = (
    Route(
        "GET", "/upcoming", index, "List expected payments of bills and recurrences, by default of the next 30 days",
        gives=wire.Upcoming, parameters=(*RANGED, _STATE),
    ),
)  # fmt: skip
