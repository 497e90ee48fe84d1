"""The types of fields in answers, and how values are formatted in them."""

from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Raw, Struct

from .money import as_number

# Amounts are sent as text built from the integer: exact, no float, no exponent.
Number = Annotated[Raw, Meta(extra_json_schema={"type": "number"})]
ShownDay = Annotated[str, Meta(extra_json_schema={"format": "date"})]
Instant = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class Dated(Struct, gc=False):
    """Begins the attributes of most objects."""

    updated_at: Instant
    created_at: Instant


_ZERO = Raw(b"0")


@lru_cache(maxsize=8192)
def number(units: int, places: int) -> Raw:
    """Caches texts, because pages repeat the same amounts and formatting takes ten times as long as a lookup."""
    return Raw(as_number(units, places).encode()) if units else _ZERO


def rate(value: Decimal) -> str:
    """A percentage as plain text: `3.5`, never `3.50` or `1E+1`."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


S = TypeVar("S", bound=Struct)


def show_as(answer: type[S], stored: object, **others: Any) -> S:
    """Copies the fields that an object has under the same names; `others` are those that it has not."""
    names = answer.__struct_fields__
    return answer(**{name: getattr(stored, name) for name in names if name not in others}, **others)
