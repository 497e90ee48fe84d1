"""Which figures sum up a range of days?"""

from enum import StrEnum
from typing import NamedTuple

from ..money import Currency


class Key(StrEnum):
    """In the order in which they are told."""

    BALANCE = "balance"
    SPENT = "spent"
    EARNED = "earned"
    BILLS_PAID = "bills-paid"
    BILLS_UNPAID = "bills-unpaid"
    LEFT_TO_SPEND = "left-to-spend"
    NET_WORTH = "net-worth"


class Figure(NamedTuple):
    """`parts` are the amounts that it comes from, or goes into, where that is worth telling."""

    key: Key
    currency: Currency
    units: int
    parts: tuple[int, ...] = ()
