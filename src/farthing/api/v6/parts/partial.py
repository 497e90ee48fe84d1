"""Completes the body of a PUT with the stored values, because clients send only the fields to change."""

from datetime import date
from typing import Any, TypeVar, cast

from msgspec import Struct

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


def over_day(parsed: Parsed[Any], name: str, stored: date | str | None, zone: str) -> date | None:
    """Does the same as `over` for a field that holds a day."""
    value: Sent | date | str | None = over(parsed, name, stored)
    return _as_day(value, zone)


def _as_day(value: Sent | date | str | None, zone: str) -> date | None:
    if isinstance(value, Sent):
        return value.on_day(zone)
    return date.fromisoformat(value) if isinstance(value, str) else value


def over_required(parsed: Parsed[Any], name: str, stored: T) -> T:
    """Does the same as `over` for a field that cannot be empty. Reports the field if it was sent empty."""
    value = over(parsed, name, stored)
    if value is not None:
        return value
    if not parsed.wrong(name):
        parsed.report(name, f"The {parsed.label(name)} may not be empty.")
    return stored


def need(parsed: Parsed[Any], name: str, stored: T | None) -> T | None:
    """Returns the value of a field that an object must have. `stored` is None for a new object."""
    if stored is not None:
        return over_required(parsed, name, stored)
    parsed.require(name)
    value: T | None = getattr(parsed.values, name)
    return value


def need_day(parsed: Parsed[Any], name: str, stored: date | str | None, zone: str) -> date | None:
    """Does the same as `need` for a field that holds a day."""
    return _as_day(cast("Sent | date | str | None", need(parsed, name, stored)), zone)


def keep(draft: type[D], stored: object | None, **changed: Any) -> D:
    """Makes a draft of the changed fields, and of the fields of the stored object that have the same names."""
    names = [name for name in draft.__struct_fields__ if name not in changed and hasattr(stored, name)]
    return draft(**changed, **{name: getattr(stored, name) for name in names})
