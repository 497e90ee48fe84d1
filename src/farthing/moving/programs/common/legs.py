"""Defines the parts of a double entry: postings, and moves from a source to a destination."""

from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace


class LegRole(StrEnum):
    """Names the role of an account in one posting. `IN` only gives money, `OUT` only takes it."""

    OWN = "own"
    IN = "in"
    OUT = "out"
    EQUITY = "equity"


class PairPosting(Struct, frozen=True, kw_only=True):
    """`quantity` is what the account gets, signed; `weight` what it counts in the entry's balance, None for itself."""

    account: str
    role: LegRole
    quantity: Decimal
    commodity: str
    weight: Fraction | None = None
    weight_commodity: str | None = None


class Leg(Struct, frozen=True):
    """Moves money between accounts. `of` is the index of the posting with the category; `left` and `arrived` are above
    zero.
    """

    source: str
    source_role: LegRole
    destination: str
    destination_role: LegRole
    left: Decimal
    left_commodity: str
    arrived: Decimal
    arrived_commodity: str
    of: int


class Pairing(Struct, frozen=True, kw_only=True):
    """`adjusted`: what found no counterpart, by posting; it was booked against the adjustment account.

    `unbooked`: nothing of the ledger's would change (equity to equity, an account to itself, income closed to equity).
    """

    legs: tuple[Leg, ...]
    adjusted: tuple[tuple[int, Decimal], ...] = ()
    unbooked: bool = False


def merge(legs: Iterable[Leg]) -> tuple[Leg, ...]:
    """Legs of the same posting between the same accounts become one."""
    merged: dict[tuple[str, str, str, str, int], Leg] = {}
    for leg in legs:
        key = (leg.source, leg.destination, leg.left_commodity, leg.arrived_commodity, leg.of)
        if first := merged.get(key):
            leg = replace(first, left=first.left + leg.left, arrived=first.arrived + leg.arrived)
        merged[key] = leg
    return tuple(merged.values())
