"""Reads the bodies of currencies."""

import re
from typing import Annotated

from farthing.books.currencies.model import CurrencyDraft
from farthing.kernel.fields import FieldParser, Flag, Name, Refused, RequestBody, text, whole
from farthing.kernel.money import PLACES_MAX
from farthing.kernel.parsed import Parsed, ensure

# Has at least one letter, because digits alone are an id.
_CODE = re.compile("(?=.*[A-Z])[A-Z0-9]{3}")
_as_text = text(255).read


def code_meant(word: str) -> str | None:
    """Returns the code in capitals, or None if the word cannot be a code."""
    code = word.upper()
    return code if word.isascii() and _CODE.fullmatch(code) else None


def _code(value: object) -> str:
    code = code_meant(str(_as_text(value)))
    if code is None:
        raise Refused("The {label} must be three letters or digits, at least one of them a letter.")
    return code


REQUIRED = ("name", "code", "symbol", "decimal_places")


class CurrencyBody(RequestBody):
    name: Name | None = None
    code: Annotated[str, FieldParser(_code, {"type": "string", "pattern": "^[A-Za-z0-9]{3}$"})] | None = None
    symbol: Annotated[str, text(5)] | None = None
    decimal_places: Annotated[int, whole(minimum=0, maximum=PLACES_MAX)] | None = None
    default: Flag | None = None


def draft(parsed: Parsed[CurrencyBody]) -> CurrencyDraft:
    parsed.finish()
    values = parsed.values
    return CurrencyDraft(
        code=ensure(values.code),
        name=ensure(values.name),
        symbol=ensure(values.symbol),
        places=ensure(values.decimal_places),
    )
