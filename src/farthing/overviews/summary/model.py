"""The figures that sum up a range of days."""

from enum import StrEnum

from msgspec import Struct

from farthing.kernel.money import Currency


class SummaryKey(StrEnum):
    """In the order in which they are told."""

    BALANCE = "balance"
    SPENT = "spent"
    EARNED = "earned"
    BILLS_PAID = "bills-paid"
    BILLS_UNPAID = "bills-unpaid"
    LEFT_TO_SPEND = "left-to-spend"
    NET_WORTH = "net-worth"


class RangeFigure(Struct, frozen=True):
    """`parts` are the amounts that it comes from, or goes into, where that is worth telling."""

    key: SummaryKey
    currency: Currency
    units: int
    parts: tuple[int, ...] = ()
