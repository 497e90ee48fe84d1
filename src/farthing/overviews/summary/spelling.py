"""Names the figures of a summary, and writes their amounts for people."""

from farthing.kernel.money import Currency, as_text

from .compute import RangeFigure, SummaryKey

_TITLES: dict[SummaryKey, str] = {
    SummaryKey.BALANCE: "Balance",
    SummaryKey.SPENT: "Spent",
    SummaryKey.EARNED: "Earned",
    SummaryKey.BILLS_PAID: "Bills paid",
    SummaryKey.BILLS_UNPAID: "Bills to pay",
    SummaryKey.LEFT_TO_SPEND: "Left to spend",
    SummaryKey.NET_WORTH: "Net worth",
}
# The names of icons that clients know.
ICONS: dict[SummaryKey, str] = {
    SummaryKey.BALANCE: "balance-scale",
    SummaryKey.SPENT: "balance-scale",
    SummaryKey.EARNED: "balance-scale",
    SummaryKey.BILLS_PAID: "check",
    SummaryKey.BILLS_UNPAID: "calendar-o",
    SummaryKey.LEFT_TO_SPEND: "money",
    SummaryKey.NET_WORTH: "line-chart",
}


def make_title(key: SummaryKey, currency: Currency, remark: str = "") -> str:
    return f"{_TITLES[key]}{remark} ({currency.symbol})"


def spell_parts(figure: RangeFigure) -> str:
    amounts = " + ".join(spell(units, figure.currency) for units in figure.parts)
    return f"{amounts} per day" if amounts and figure.key == SummaryKey.LEFT_TO_SPEND else amounts


def spell(units: int, currency: Currency) -> str:
    return f"{currency.symbol} {as_text(units, currency.places)}"
