"""How does the API name the figures of a summary?"""

from msgspec import Struct

from ..money import Currency, as_text
from ..shown import Number, number
from .model import Figure, Key


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


_SHOWN: dict[Key, tuple[str, str]] = {
    Key.BALANCE: ("Balance", "balance-scale"),
    Key.SPENT: ("Spent", "balance-scale"),
    Key.EARNED: ("Earned", "balance-scale"),
    Key.BILLS_PAID: ("Bills paid", "check"),
    Key.BILLS_UNPAID: ("Bills to pay", "calendar-o"),
    Key.LEFT_TO_SPEND: ("Left to spend", "money"),
    Key.NET_WORTH: ("Net worth", "line-chart"),
}


def show(figure: Figure) -> SummaryFigure:
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
        value_parsed=_spelled(figure.units, currency),
        local_icon=icon,
        sub_title=_below(figure),
    )


def _below(figure: Figure) -> str:
    amounts = " + ".join(_spelled(units, figure.currency) for units in figure.parts)
    return f"{amounts} per day" if amounts and figure.key == Key.LEFT_TO_SPEND else amounts


def _spelled(units: int, currency: Currency) -> str:
    return f"{currency.symbol} {as_text(units, currency.places)}"
