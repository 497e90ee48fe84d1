"""Defines the figures that summarize a range of days."""

from enum import StrEnum

from msgspec import Struct

from farthing.books.exchange_rates.convert import ConvertedTotal
from farthing.kernel.money import Currency


class SummaryKey(StrEnum):
    """The keys, in display order."""

    BALANCE = "balance"
    SPENT = "spent"
    EARNED = "earned"
    BILLS_PAID = "bills-paid"
    BILLS_UNPAID = "bills-unpaid"
    LEFT_TO_SPEND = "left-to-spend"
    NET_WORTH = "net-worth"


class RangeFigure(Struct, frozen=True):
    """`parts` are the amounts that make up the figure, or the amount per day that is left to spend."""

    key: SummaryKey
    currency: Currency
    units: int
    parts: tuple[int, ...] = ()


class ConvertedFigure(Struct, frozen=True):
    """The figures of one key, converted from all currencies into one."""

    key: SummaryKey
    currency: Currency
    total: ConvertedTotal
