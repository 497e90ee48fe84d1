"""Fits what another program holds into what ours can hold, and says where that changes it; pure."""

from decimal import ROUND_HALF_UP, Decimal

from farthing.kernel.limits import NOTES_MAX
from farthing.kernel.money import UNITS_MAX, Currency


class Unfitting(ValueError):
    """Reports what cannot be booked here at all; the message is a sentence."""


def round_to_units(amount: Decimal, currency: Currency) -> tuple[int, bool]:
    """Rounds half up to the currency's decimal places. Returns also whether that changed the amount."""
    moved = amount.scaleb(currency.places)
    units = int(moved.to_integral_value(ROUND_HALF_UP))
    if abs(units) > UNITS_MAX:
        raise Unfitting(f"The amount {amount} {currency.code} is more than can be held.")
    return units, units != moved


def as_notes(*texts: str | None) -> str | None:
    return "\n".join(text for text in texts if text)[:NOTES_MAX] or None
