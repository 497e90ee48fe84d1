"""Shows the figures of a summary."""

from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType

from farthing.kernel.money import Currency, as_text
from farthing.kernel.shown import Day, Number, number
from farthing.overviews.summary.model import ConvertedFigure, RangeFigure, SummaryKey


class SummaryFigure(Struct, gc=False):
    """`monetary_value` of what was spent is negative; `value_parsed` is for people to read.

    Only figures that are converted have `rate_date`, the day of the oldest rate that was used, and `missing`, the codes
    of the currencies without a rate.
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
    rate_date: Day | UnsetType | None = UNSET
    missing: list[str] | UnsetType = UNSET


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


def show_converted(figure: ConvertedFigure, known: Mapping[int, Currency]) -> SummaryFigure:
    currency, total = figure.currency, figure.total
    title, icon = _SHOWN[figure.key]
    return SummaryFigure(
        key=f"{figure.key}-converted-to-{currency.code}",
        title=f"{title}, converted ({currency.symbol})",
        monetary_value=number(total.units, currency.places),
        currency_id=currency.id,
        currency_code=currency.code,
        currency_symbol=currency.symbol,
        currency_decimal_places=currency.places,
        value_parsed=_spell(total.units, currency),
        local_icon=icon,
        sub_title="",
        rate_date=total.rates_on,
        missing=[known[one].code for one in total.missing_ids],
    )


def _below(figure: RangeFigure) -> str:
    amounts = " + ".join(_spell(units, figure.currency) for units in figure.parts)
    return f"{amounts} per day" if amounts and figure.key == SummaryKey.LEFT_TO_SPEND else amounts


def _spell(units: int, currency: Currency) -> str:
    return f"{currency.symbol} {as_text(units, currency.places)}"
