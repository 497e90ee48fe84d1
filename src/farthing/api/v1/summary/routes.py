"""Serves the summary of a range of days."""

from farthing.http.request.call import Answer, Call
from farthing.http.route import RANGE_NEEDED, Route
from farthing.overviews.summary import reckon
from farthing.overviews.summary.converted import convert_figures

from ..objects.conversions import CONVERT, find_target
from . import wire


def basic(call: Call) -> Answer:
    days = call.required_range()
    figures = reckon.figures(call.db, call.user_id, days.start, days.end, call.today)
    shown, to = [wire.show(one) for one in figures], find_target(call)
    if to:
        known = {one.currency.id: one.currency for one in figures}
        converted = convert_figures(call.db, call.user_id, figures, to, end=days.end, today=call.today)
        shown += [wire.show_converted(one, known) for one in converted]
    return Answer(shown, media_type="application/json")


ROUTES = (
    Route(
        "GET", "/summary/basic", basic, "Sum up a range of days in each currency",
        gives=list[wire.SummaryFigure], parameters=(*RANGE_NEEDED, CONVERT),
    ),
)  # fmt: skip
