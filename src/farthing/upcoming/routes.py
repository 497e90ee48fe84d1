"""What is to come, over HTTP?"""

from datetime import timedelta

from ..errors import refuse_field
from ..http.call import Answer, Call, Range
from ..http.route import RANGED, Route
from . import gather, wire

_USUAL = timedelta(days=30)
_DAYS_MAX = 366


def index(call: Call) -> Answer:
    days = call.range() or Range(call.today, call.today + _USUAL)
    if (days.end - days.start).days >= _DAYS_MAX:
        refuse_field("end", f"The range from start to end may not be longer than {_DAYS_MAX} days.")
    items, following = gather.between(call.db, call.user_id, days.start, days.end, call.today)
    return Answer(wire.show(items, days.start, days.end, following))


ROUTES = (
    Route(
        "GET", "/upcoming", index, "List what bills and recurrences expect; else of the next 30 days",
        gives=wire.Upcoming, parameters=RANGED,
    ),
)  # fmt: skip
