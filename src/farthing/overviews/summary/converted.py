"""Converts the figures of a summary into one currency."""

from collections.abc import Sequence
from datetime import date

from farthing.books.exchange_rates.convert import DatedAmount, convert, total
from farthing.kernel.money import Currency
from farthing.storage.unit import Unit

from .model import ConvertedFigure, RangeFigure, SummaryKey


def convert_figures(
    db: Unit, user_id: int, figures: Sequence[RangeFigure], to: Currency, *, end: date, today: date
) -> list[ConvertedFigure]:
    """At the rates of the last day of the range; the net worth at those of its own day, today at the latest."""
    amounts = [
        DatedAmount(
            currency_id=one.currency.id,
            units=one.units,
            on=(min(end, today) if one.key is SummaryKey.NET_WORTH else end).isoformat(),
        )
        for one in figures
    ]
    converted = list(zip(figures, convert(db, user_id, amounts, to.id), strict=True))
    return [
        ConvertedFigure(key=key, currency=to, total=total(one for figure, one in converted if figure.key is key))
        for key in dict.fromkeys(one.key for one in figures)
    ]
