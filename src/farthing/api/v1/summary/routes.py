"""Serves the summary of a range of days."""

from collections.abc import Collection

from farthing.http.request.call import Answer, Call, Range
from farthing.http.route import OVERVIEW, RANGE_NEEDED, Route
from farthing.overviews.summary import compute
from farthing.overviews.summary.converted import convert_figures
from farthing.overviews.summary.model import SummaryKey

from ..exchange_rates.totals import CONVERT, find_target
from . import wire


def basic(call: Call) -> Answer:
    return Answer(sum_up(call, call.required_range(), frozenset(SummaryKey)), media_type="application/json")


def sum_up(call: Call, days: Range, keys: Collection[SummaryKey]) -> list[wire.SummaryFigure]:
    found = compute.figures(call.db, call.user_id, days.start, days.end, call.today)
    figures = [one for one in found if one.key in keys]
    shown, to = [wire.show(one) for one in figures], find_target(call)
    if to:
        known = {one.currency.id: one.currency for one in figures}
        converted = convert_figures(call.db, call.user_id, figures, to, end=days.end, today=call.today)
        shown += [wire.show_converted(one, known) for one in converted]
    return shown


ROUTES = (
    Route(
        "GET", "/summary/basic", basic, "Sum up a range of days in each currency",
        gives=list[wire.SummaryFigure], parameters=(*RANGE_NEEDED, CONVERT), runs=OVERVIEW,
    ),
)  # fmt: skip
