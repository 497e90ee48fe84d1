"""What is a label? A name that transactions carry, with what was spent and earned under it."""

from dataclasses import dataclass

from ..errors import Problem
from ..fields import label as worded
from ..ledger.entry import Label
from ..money import Currency


@dataclass(frozen=True)
class Sum:
    currency: Currency
    units: int


@dataclass(frozen=True)
class Sums:
    """What a label was given in a range: by currency, moving one's own money aside; and in how many splits."""

    spent: tuple[Sum, ...] = ()
    earned: tuple[Sum, ...] = ()
    splits: int = 0


def taken_problem(label: Label, field: str) -> Problem:
    return Problem(field, f"The {worded(field)} has already been taken by another of your {label}.")
