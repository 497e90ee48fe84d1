"""Serves the summary of a range of days."""

from farthing.http.request.call import Answer, Call
from farthing.http.route import RANGE_NEEDED, Route
from farthing.overviews.summary import reckon

from . import wire


def basic(call: Call) -> Answer:
    days = call.required_range()
    figures = reckon.figures(call.db, call.user_id, days.start, days.end, call.today)
    return Answer([wire.show(one) for one in figures], media_type="application/json")


ROUTES = (
    Route(
        "GET", "/summary/basic", basic, "Sum up a range of days in each currency",
        gives=list[wire.SummaryFigure], parameters=RANGE_NEEDED,
    ),
)  # fmt: skip
