"""Converts values of another program into values that can be stored here, and reports where they change."""

from decimal import ROUND_HALF_UP, Decimal

from farthing.kernel.limits import NOTES_MAX
from farthing.kernel.money import UNITS_MAX, Currency


class Unfitting(ValueError):
    """Reports that something cannot be stored here at all. The message is a sentence that says why."""


def round_to_units(amount: Decimal, currency: Currency) -> tuple[int, bool]:
    """Rounds half up to the currency's decimal places. Also returns True if this changed the amount."""
    moved = amount.scaleb(currency.places)
    units = int(moved.to_integral_value(ROUND_HALF_UP))
    if abs(units) > UNITS_MAX:
        raise Unfitting(f"The amount {amount} {currency.code} is too large to store.")
    return units, units != moved


def as_notes(*texts: str | None) -> str | None:
    return "\n".join(text for text in texts if text)[:NOTES_MAX] or None
