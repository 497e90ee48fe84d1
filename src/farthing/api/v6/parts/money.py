"""Reads amounts with their currencies. A PUT that omits them keeps the stored ones."""

from decimal import Decimal
from typing import Any

from farthing.books.currencies.choose import choose_or_primary, convert_to_units
from farthing.http.request.call import Call
from farthing.kernel.money import Currency, as_text
from farthing.kernel.parsed import Parsed

from .partial import need


def read_currency(call: Call, parsed: Parsed[Any], stored: Currency | None, prefix: str = "") -> Currency | None:
    """Returns the requested currency, or else the stored one, or else the primary one.

    `prefix` is what precedes `currency_id` and `currency_code` in the names of the fields.
    """
    fields = f"{prefix}currency_id", f"{prefix}currency_code"
    if stored and parsed.absent(*fields):
        return stored
    return choose_or_primary(call.db, parsed, call.caller.currency_code, fields)


def need_units(
    parsed: Parsed[Any], name: str, currency: Currency | None, stored: int | None, stored_in: Currency | None
) -> int | None:
    """Returns a required amount in units of its currency. If omitted, the stored amount keeps its decimal value."""
    kept = None if stored is None or stored_in is None else Decimal(as_text(stored, stored_in.places))
    return convert_to_units(parsed, name, need(parsed, name, kept), currency)
