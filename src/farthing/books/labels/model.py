"""Defines the sums that were spent and earned under a label."""

from msgspec import Struct

from farthing.kernel.money import Currency


class Sum(Struct, frozen=True):
    currency: Currency
    units: int


class Sums(Struct, frozen=True):
    """Holds the sums spent and earned under a label, by currency and without transfers, and the number of splits."""

    spent: tuple[Sum, ...] = ()
    earned: tuple[Sum, ...] = ()
    splits: int = 0
