"""What is a currency of this installation?"""

from dataclasses import dataclass

from ..money import Currency


@dataclass(frozen=True)
class Draft:
    code: str
    name: str
    symbol: str
    places: int


@dataclass(frozen=True)
class Kept:
    """A currency with what only its own resource shows."""

    currency: Currency
    custom: bool
    created_at: str
    updated_at: str
