"""Completes the body of a PUT with the stored values, because clients send only the fields to change."""

from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

from msgspec import Struct

from farthing.books.currencies.choose import read_units
from farthing.kernel.money import Currency, Money, NotRepresentable, as_text, to_units
from farthing.kernel.parsed import Parsed

from .moments import Sent

T = TypeVar("T")
D = TypeVar("D", bound=Struct)


def over(parsed: Parsed[Any], name: str, stored: T) -> T | None:
    """Returns the new value of a field: the value sent, None if it was sent empty, and otherwise the stored value."""
    value: T | None = getattr(parsed.values, name)
    if value is not None or parsed.wrong(name):
        return value
    return None if name in parsed.emptied else stored


def need(parsed: Parsed[Any], name: str, stored: T | None) -> T | None:
    """Returns the value of a field that an object must have. `stored` is None for a new object."""
    if stored is not None:
        return over_required(parsed, name, stored)
    parsed.require(name)
    value: T | None = getattr(parsed.values, name)
    return value


def over_required(parsed: Parsed[Any], name: str, stored: T) -> T:
    """Does the same as `over` for a field that cannot be empty. Reports the field if it was sent empty."""
    value = over(parsed, name, stored)
    if value is not None:
        return value
    if not parsed.wrong(name):
        parsed.report(name, f"The {parsed.label(name)} may not be empty.")
    return stored


def over_day(parsed: Parsed[Any], name: str, stored: str | None, zone: str) -> date | None:
    """Does the same as `over` for a `Moment`. Returns its day in a time zone."""
    day: Sent | None = over(parsed, name, Sent(date.fromisoformat(stored)) if stored else None)
    return day.on_day(zone) if day else None


def need_day(parsed: Parsed[Any], name: str, stored: str | None, zone: str) -> date | None:
    """Does the same as `need` for a `Moment`. Returns its day in a time zone."""
    day = need(parsed, name, Sent(date.fromisoformat(stored)) if stored else None)
    return day.on_day(zone) if day else None


def over_units(parsed: Parsed[Any], name: str, stored: Money | None, currency: Currency | None) -> int | None:
    """Does the same as `over` for an amount. Returns units of a currency, which may differ from the stored one."""
    if getattr(parsed.values, name) is not None or parsed.wrong(name):
        return read_units(parsed, name, currency)
    if stored is None or currency is None or name in parsed.emptied:
        return None
    if stored.currency == currency:
        return stored.units
    try:
        return to_units(Decimal(as_text(stored.units, stored.currency.places)), currency)
    except NotRepresentable as error:
        parsed.report(name, f"The {parsed.label(name)} {error}.")
        return None


def need_units(parsed: Parsed[Any], name: str, stored: Money | None, currency: Currency | None) -> int | None:
    """Does the same as `over_units` for an amount that an object must have."""
    need(parsed, name, stored)
    return over_units(parsed, name, stored, currency)


def keep(draft: type[D], stored: object | None, **changed: Any) -> D:
    """Makes a draft of the changed fields, and of the fields of the stored object that have the same names."""
    names = [name for name in draft.__struct_fields__ if name not in changed and hasattr(stored, name)]
    return draft(**changed, **{name: getattr(stored, name) for name in names})
