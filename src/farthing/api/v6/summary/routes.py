"""Serves the summary of a range of days."""

from msgspec import Struct

from farthing.books.available_budgets import store as available_budgets
from farthing.books.currencies import store as currencies
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE_OVERVIEW, RANGE_NEEDED, Parameter, Route
from farthing.kernel.errors import refuse_field
from farthing.kernel.shown import Number, number
from farthing.overviews.summary import compute
from farthing.overviews.summary.compute import RangeFigure
from farthing.overviews.summary.spelling import ICONS, make_title, spell, spell_parts


class SummaryEntry(Struct, gc=False):
    """`monetary_value` is negative for expenses. `value_parsed` is the formatted amount."""

    key: str
    title: str
    monetary_value: Number
    currency_id: str
    currency_code: str
    currency_symbol: str
    currency_decimal_places: int
    no_available_budgets: bool
    value_parsed: str
    local_icon: str
    sub_title: str


def basic(call: Call) -> Answer:
    days, code = call.required_range(), call.query.get("currency_code", "").upper()
    if code and currencies.by_code(call.db, code) is None:
        refuse_field("currency_code", "The selected currency code is invalid.")
    figures = compute.figures(call.db, call.user_id, days.start, days.end, call.today)
    lacks_budgets = not available_budgets.sum_inside(call.db, call.user_id, days.start, days.end)
    entries = [_show(figure, lacks_budgets=lacks_budgets) for figure in figures if code in ("", figure.currency.code)]
    return Answer({entry.key: entry for entry in entries}, media_type="application/json")


def _show(figure: RangeFigure, *, lacks_budgets: bool) -> SummaryEntry:
    currency = figure.currency
    return SummaryEntry(
        key=f"{figure.key}-in-{currency.code}",
        title=make_title(figure.key, currency),
        monetary_value=number(figure.units, currency.places),
        currency_id=str(currency.id),
        currency_code=currency.code,
        currency_symbol=currency.symbol,
        currency_decimal_places=currency.places,
        no_available_budgets=lacks_budgets,
        value_parsed=spell(figure.units, currency),
        local_icon=ICONS[figure.key],
        sub_title=spell_parts(figure),
    )


_CODE = Parameter("currency_code", {"type": "string"}, "Only the figures in this currency; defaults to all.")
ROUTES = (
    Route(
        "GET", "/summary/basic", basic, "Sum up a range of days in each currency",
        gives=dict[str, SummaryEntry], parameters=(*RANGE_NEEDED, _CODE), runs=LARGE_OVERVIEW,
    ),
)  # fmt: skip
