"""The sums that were spent and earned under a label of transactions."""

from msgspec import Struct

from farthing.kernel.errors import Problem
from farthing.kernel.money import Currency
from farthing.kernel.parsed import label as worded
from farthing.ledger.entry import Label


class Sum(Struct, frozen=True):
    currency: Currency
    units: int


class Sums(Struct, frozen=True):
    """The sums spent and earned under a label, by currency and without transfers, and the number of splits."""

    spent: tuple[Sum, ...] = ()
    earned: tuple[Sum, ...] = ()
    splits: int = 0


def taken_problem(label: Label, field: str) -> Problem:
    return Problem(field, f"The {worded(field)} has already been taken by another of your {label}.")
