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
    """Uses the rates of the last day of the range; for the net worth, those of today if that is earlier."""
    amounts = [
        DatedAmount(
            currency_id=figure.currency.id,
            units=figure.units,
            on=(min(end, today) if figure.key is SummaryKey.NET_WORTH else end).isoformat(),
        )
        for figure in figures
    ]
    converted = list(zip(figures, convert(db, user_id, amounts, to.id), strict=True))
    return [
        ConvertedFigure(key=key, currency=to, total=total(amount for figure, amount in converted if figure.key is key))
        for key in dict.fromkeys(figure.key for figure in figures)
    ]
