"""Defines the field types of answers, and formats their values."""

from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Raw, Struct

from .money import as_number

# Amounts are JSON numbers written digit by digit from the stored integer, so they are exact and have no exponent.
Number = Annotated[Raw, Meta(extra_json_schema={"type": "number"})]
ShownDay = Annotated[str, Meta(extra_json_schema={"format": "date"})]
Instant = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class Dated(Struct, gc=False):
    """Holds the two times that come first in the attributes of most objects."""

    updated_at: Instant
    created_at: Instant


_ZERO = Raw(b"0")


@lru_cache(maxsize=8192)
def number(units: int, places: int) -> Raw:
    """Formats an amount as a JSON number.

    Results are cached, because pages repeat the same amounts and formatting takes ten times as long as a lookup.
    """
    return Raw(as_number(units, places).encode()) if units else _ZERO


def exact(decimal: str | None) -> Raw | None:
    """Shows a decimal that is stored as text as a JSON number."""
    return Raw(decimal.encode()) if decimal else None


def rate(value: Decimal) -> str:
    """Formats a percentage as plain text: `3.5`, never `3.50` or `1E+1`."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


S = TypeVar("S", bound=Struct)


def show_as(answer: type[S], stored: object, **others: Any) -> S:
    """Builds an answer from the fields of `stored` with the same names. `others` adds or replaces fields."""
    names = answer.__struct_fields__
    return answer(**{name: getattr(stored, name) for name in names if name not in others}, **others)
