"""Finds the currency that a request body names, and converts amounts into units of that currency."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from farthing.kernel.money import Currency, NotRepresentable, to_units
from farthing.kernel.parsed import Parsed
from farthing.storage.unit import Unit

from . import store


def read_units(parsed: Parsed[Any], name: str, currency: Currency | None) -> int | None:
    """Converts the field's amount into units. Reports too many decimal places or digits, and how many are allowed."""
    amount: Decimal | None = getattr(parsed.values, name)
    if amount is None or currency is None:
        return None
    try:
        return to_units(amount, currency)
    except NotRepresentable as error:
        parsed.report(name, f"The {parsed.label(name)} {error}.")
        return None


def choose(
    db: Unit, parsed: Parsed[Any], *, id_field: str = "currency_id", code_field: str = "currency_code"
) -> Currency | None:
    """Finds the currency by id or code. Both may be omitted; if both are sent, both must exist, and the id is used."""
    by_id = _look_up(parsed, id_field, lambda value: store.by_id(db, value))
    by_code = _look_up(parsed, code_field, lambda value: store.by_code(db, value.upper()))
    return by_id or by_code


def choose_or_primary(
    db: Unit, parsed: Parsed[Any], primary_code: str, fields: tuple[str, str] = ("currency_id", "currency_code")
) -> Currency | None:
    """Returns the requested currency, or else the user's primary currency.

    The primary currency can be missing: an undo can restore a preference for a currency that the owner has deleted.
    """
    if not parsed.absent(*fields):
        return choose(db, parsed, id_field=fields[0], code_field=fields[1])
    own = store.by_code(db, primary_code)
    if own is None:
        parsed.require_either(*fields)
    return own


def _look_up(parsed: Parsed[Any], name: str, find: Callable[[Any], Currency | None]) -> Currency | None:
    value = getattr(parsed.values, name)
    if value is None:
        return None
    currency = find(value)
    if currency is None:
        parsed.report(name, f"The selected {parsed.label(name)} is invalid: there is no such currency.")
    return currency
