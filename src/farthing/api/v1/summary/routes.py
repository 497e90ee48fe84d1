"""Serves the summary of a range of days."""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType

from farthing.http.request.call import Answer, Call, Range
from farthing.http.route import OVERVIEW, RANGE_NEEDED, Route
from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, ShownDay, number
from farthing.overviews.summary import compute
from farthing.overviews.summary.compute import ConvertedFigure, RangeFigure, SummaryKey, convert_figures
from farthing.overviews.summary.spelling import ICONS, make_title, spell, spell_parts

from ..exchange_rates.totals import CONVERT, find_target


class SummaryFigure(Struct, gc=False):
    """`monetary_value` is negative for expenses. `value_parsed` is the formatted amount.

    Only converted figures have `rate_date` and `missing`: the day of the oldest rate used, and the codes of the
    currencies without a rate.
    """

    key: str
    title: str
    monetary_value: Number
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_decimal_places: int
    value_parsed: str
    local_icon: str
    sub_title: str
    rate_date: ShownDay | UnsetType | None = UNSET
    missing: list[str] | UnsetType = UNSET


def _show_figure(figure: RangeFigure) -> SummaryFigure:
    figure_shown = _make_figure(figure.key, "in", "", figure.units, figure.currency)
    figure_shown.sub_title = spell_parts(figure)
    return figure_shown


def _show_converted(figure: ConvertedFigure, currencies: Mapping[int, Currency]) -> SummaryFigure:
    figure_shown = _make_figure(figure.key, "converted-to", ", converted", figure.total.units, figure.currency)
    figure_shown.rate_date = figure.total.rates_on
    figure_shown.missing = [currencies[currency_id].code for currency_id in figure.total.missing_ids]
    return figure_shown


def _make_figure(key: SummaryKey, relation: str, remark: str, units: int, currency: Currency) -> SummaryFigure:
    return SummaryFigure(
        key=f"{key}-{relation}-{currency.code}",
        title=make_title(key, currency, remark),
        monetary_value=number(units, currency.places),
        currency_id=currency.id,
        currency_code=currency.code,
        currency_symbol=currency.symbol,
        currency_decimal_places=currency.places,
        value_parsed=spell(units, currency),
        local_icon=ICONS[key],
        sub_title="",
    )


def basic(call: Call) -> Answer:
    days = call.required_range()
    figures = compute.figures(call.db, call.user_id, days.start, days.end, call.today)
    return Answer(_show_figures(call, days, figures), media_type="application/json")


def sum_flows(call: Call, days: Range) -> list[SummaryFigure]:
    """Shows only what was spent, what was earned, and the difference."""
    return _show_figures(call, days, compute.flow_figures(call.db, call.user_id, days.start, days.end))


def _show_figures(call: Call, days: Range, figures: Sequence[RangeFigure]) -> list[SummaryFigure]:
    figures_shown, to = [_show_figure(figure) for figure in figures], find_target(call)
    if to:
        currencies_by_id = {figure.currency.id: figure.currency for figure in figures}
        converted = convert_figures(call.db, call.user_id, figures, to, end=days.end, today=call.today)
        figures_shown += [_show_converted(figure, currencies_by_id) for figure in converted]
    return figures_shown


ROUTES = (
    Route(
        "GET", "/summary/basic", basic, "Sum up a range of days in each currency",
        gives=list[SummaryFigure], parameters=(*RANGE_NEEDED, CONVERT), runs=OVERVIEW,
    ),
)  # fmt: skip
