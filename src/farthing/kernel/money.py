"""Represents amounts of money as whole numbers of the currency's smallest unit, never as floats."""

from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact, InvalidOperation

from msgspec import Struct

UNITS_MAX = 2**63 - 1
PLACES_MAX = 12


class Currency(Struct, frozen=True):
    id: int
    code: str
    name: str
    symbol: str
    places: int


class Money(Struct, frozen=True):
    units: int
    currency: Currency

    def __neg__(self) -> "Money":
        return Money(units=-self.units, currency=self.currency)


class NotRepresentable(ValueError):
    """The amount has more decimal places than the currency, or is too large. The message says which of the two."""


def to_units(amount: Decimal, currency: Currency) -> int:
    """Converts an amount to units without rounding. Raises NotRepresentable if that is not possible.

    Trailing zeros do not count as decimal places.
    """
    moved = amount.scaleb(currency.places, _EXACT)
    units = int(moved)
    if units != moved:
        raise NotRepresentable(f"may have at most {currency.places} decimal places in {currency.code}")
    if abs(units) > UNITS_MAX:
        beyond, most = ("greater", UNITS_MAX) if units > 0 else ("less", -UNITS_MAX)
        raise NotRepresentable(f"may not be {beyond} than {as_text(most, currency.places)} in {currency.code}")
    return units


# Handles numbers of any length; raises instead of rounding.
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact, InvalidOperation])


def as_text(units: int, places: int) -> str:
    """Returns plain decimal text with exactly the currency's decimal places: `-102.10`."""
    if not places:
        return str(units)
    digits = str(units).zfill(places + 1 + (units < 0))
    return f"{digits[:-places]}.{digits[-places:]}"


def as_number(units: int, places: int) -> str:
    """Returns the shortest decimal text that is a valid JSON number, without an exponent: `1500`, `102.1`."""
    text = as_text(units, places)
    return text.rstrip("0").rstrip(".") if places else text
