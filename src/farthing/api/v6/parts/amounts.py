"""Reads and shows amounts. Version 6 writes them as text, with the decimals of their currency."""

from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Any

from farthing.kernel import fields
from farthing.kernel.fields import FieldParser
from farthing.kernel.money import as_text

# Clients that calculate with binary floats send 12.340000000000002 when they mean 12.34.
_DUST = Decimal("1e-9")
_PLACES = Decimal("1e-8")


def _without_dust(value: object) -> object:
    """Removes the rounding error of a binary float from a JSON number. Amounts sent as text are exact."""
    if not isinstance(value, Decimal) or not value.is_finite() or abs(value) > 10**15:
        return value
    rounded = value.quantize(_PLACES)
    return rounded if abs(value - rounded) <= _DUST else value


def _made_from(annotated: Any) -> FieldParser:
    (parser,) = annotated.__metadata__
    return FieldParser(lambda value: parser.read(_without_dust(value)), parser.schema)


Amount = Annotated[Decimal, _made_from(fields.Amount)]
PositiveAmount = Annotated[Decimal, _made_from(fields.PositiveAmount)]


@lru_cache(maxsize=8192)
def show_amount(units: int, places: int) -> str:
    return as_text(units, places)
