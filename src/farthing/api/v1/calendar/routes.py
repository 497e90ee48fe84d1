"""Serves upcoming payments as a calendar that calendar apps subscribe to.

Such an app knows only an address, so the token is part of it. It has to be one that may do nothing else.
"""

from datetime import timedelta
from urllib.parse import urlsplit

from msgspec import Raw

from farthing.http.request.call import Answer, Call
from farthing.http.route import Parameter, Route, Text
from farthing.overviews.calendar import icalendar
from farthing.overviews.upcoming import gather

_PAST, _COMING = timedelta(days=31), timedelta(days=365)
_SCOPE = "bills:read"


def show(call: Call) -> Answer:
    """Shows what is overdue from the last month, and the coming year. Of a year with more than a thousand payments, it
    shows the first thousand.
    """
    items, _ = gather.find_between(call.db, call.user_id, call.today - _PAST, call.today + _COMING, call.today)
    calendar = icalendar.write(
        items,
        name="Farthing",
        host=urlsplit(call.root).hostname or "farthing",
        language=call.caller.language,
        root=call.root,
        now=call.now,
    )
    return Answer(Raw(calendar), media_type=f"{icalendar.MEDIA_TYPE}; charset=utf-8")


_TOKEN = Parameter(
    "token",
    {"type": "string"},
    f"A token whose only scope is `{_SCOPE}`. It may also be sent in the header, as usual.",
)
ROUTES = (
    Route(
        "GET", "/calendar.ics", show, "Show upcoming payments as a calendar to subscribe to",
        gives=Text(icalendar.MEDIA_TYPE, address_scope=_SCOPE), parameters=(_TOKEN,),
    ),
)  # fmt: skip
