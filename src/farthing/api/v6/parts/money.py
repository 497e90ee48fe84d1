"""Finds the currency of amounts. A PUT that omits it keeps the stored one."""

from typing import Any

from farthing.books.currencies.choose import choose_or_primary
from farthing.http.request.call import Call
from farthing.kernel.money import Currency
from farthing.kernel.parsed import Parsed


def read_currency(call: Call, parsed: Parsed[Any], stored: Currency | None, prefix: str = "") -> Currency | None:
    """Returns the requested currency, or else the stored one, or else the primary one.

    `prefix` is what precedes `currency_id` and `currency_code` in the names of the fields.
    """
    fields = f"{prefix}currency_id", f"{prefix}currency_code"
    if stored and parsed.absent(*fields):
        return stored
    return choose_or_primary(call.db, parsed, call.caller.currency_code, fields)
