"""Serves the summary of a range of days."""

from collections.abc import Collection

from farthing.http.request.call import Answer, Call, Range
from farthing.http.route import OVERVIEW, RANGE_NEEDED, Route
from farthing.overviews.summary import compute
from farthing.overviews.summary.compute import SummaryKey, convert_figures

from ..exchange_rates.totals import CONVERT, find_target
from . import wire


def basic(call: Call) -> Answer:
    return Answer(sum_up(call, call.required_range(), frozenset(SummaryKey)), media_type="application/json")


def sum_up(call: Call, days: Range, keys: Collection[SummaryKey]) -> list[wire.SummaryFigure]:
    every_figure = compute.figures(call.db, call.user_id, days.start, days.end, call.today)
    figures = [figure for figure in every_figure if figure.key in keys]
    figures_shown, to = [wire.show(figure) for figure in figures], find_target(call)
    if to:
        currencies_by_id = {figure.currency.id: figure.currency for figure in figures}
        converted = convert_figures(call.db, call.user_id, figures, to, end=days.end, today=call.today)
        figures_shown += [wire.show_converted(figure, currencies_by_id) for figure in converted]
    return figures_shown


ROUTES = (
    Route(
        "GET", "/summary/basic", basic, "Sum up a range of days in each currency",
        gives=list[wire.SummaryFigure], parameters=(*RANGE_NEEDED, CONVERT), runs=OVERVIEW,
    ),
)  # fmt: skip
