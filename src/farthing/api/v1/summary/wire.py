"""Shows the figures of a summary."""

from msgspec import Struct

from farthing.kernel.money import Currency, as_text
from farthing.kernel.shown import Number, number
from farthing.overviews.summary.model import RangeFigure, SummaryKey


class SummaryFigure(Struct, gc=False):
    """`monetary_value` of what was spent is negative; `value_parsed` is for people to read."""

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


_SHOWN: dict[SummaryKey, tuple[str, str]] = {
    SummaryKey.BALANCE: ("Balance", "balance-scale"),
    SummaryKey.SPENT: ("Spent", "balance-scale"),
    SummaryKey.EARNED: ("Earned", "balance-scale"),
    SummaryKey.BILLS_PAID: ("Bills paid", "check"),
    SummaryKey.BILLS_UNPAID: ("Bills to pay", "calendar-o"),
    SummaryKey.LEFT_TO_SPEND: ("Left to spend", "money"),
    SummaryKey.NET_WORTH: ("Net worth", "line-chart"),
}


def show(figure: RangeFigure) -> SummaryFigure:
    currency = figure.currency
    title, icon = _SHOWN[figure.key]
    return SummaryFigure(
        key=f"{figure.key}-in-{currency.code}",
        title=f"{title} ({currency.symbol})",
        monetary_value=number(figure.units, currency.places),
        currency_id=currency.id,
        currency_code=currency.code,
        currency_symbol=currency.symbol,
        currency_decimal_places=currency.places,
        value_parsed=_spell(figure.units, currency),
        local_icon=icon,
        sub_title=_below(figure),
    )


def _below(figure: RangeFigure) -> str:
    amounts = " + ".join(_spell(units, figure.currency) for units in figure.parts)
    return f"{amounts} per day" if amounts and figure.key == SummaryKey.LEFT_TO_SPEND else amounts


def _spell(units: int, currency: Currency) -> str:
    return f"{currency.symbol} {as_text(units, currency.places)}"
