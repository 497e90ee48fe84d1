"""The figures that summarize a range of days."""

from enum import StrEnum

from msgspec import Struct

from farthing.books.exchange_rates.convert import ConvertedTotal
from farthing.kernel.money import Currency


class SummaryKey(StrEnum):
    """In display order."""

    BALANCE = "balance"
    SPENT = "spent"
    EARNED = "earned"
    BILLS_PAID = "bills-paid"
    BILLS_UNPAID = "bills-unpaid"
    LEFT_TO_SPEND = "left-to-spend"
    NET_WORTH = "net-worth"


class RangeFigure(Struct, frozen=True):
    """`parts` are the amounts it is made of, or is divided into, where that is of interest."""

    key: SummaryKey
    currency: Currency
    units: int
    parts: tuple[int, ...] = ()


class ConvertedFigure(Struct, frozen=True):
    """The figures of one key in all currencies, as one."""

    key: SummaryKey
    currency: Currency
    total: ConvertedTotal
