"""Completes the body of a PUT with the stored values, because clients send only the fields to change."""

from typing import Any, TypeVar

from farthing.kernel.parsed import Parsed

T = TypeVar("T")


def over(parsed: Parsed[Any], name: str, stored: T) -> T | None:
    """Returns the new value of a field: the value sent, None if it was sent empty, and otherwise the stored value."""
    value: T | None = getattr(parsed.values, name)
    if value is not None or parsed.wrong(name):
        return value
    return None if name in parsed.emptied else stored


def over_required(parsed: Parsed[Any], name: str, stored: T) -> T:
    """Does the same as `over` for a field that cannot be empty. Reports the field if it was sent empty."""
    value = over(parsed, name, stored)
    if value is not None:
        return value
    if not parsed.wrong(name):
        parsed.report(name, f"The {parsed.label(name)} may not be empty.")
    return stored
