"""How does the API name a currency, and an amount of it?"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any

from msgspec import Struct
from pydantic import BaseModel

from ..errors import Problem
from ..fields import Flag, Name, Parsed, Reads, Refused, label, parse, required, text, whole
from ..money import PLACES_MAX, Currency, NotRepresentable, to_units
from ..shown import Instant
from .model import Draft, Kept

# With a letter in it: by digits alone a currency is meant by its id.
_CODE = re.compile("(?=.*[A-Z])[A-Z0-9]{3}")
_as_text = text(255).read


def code_meant(given: str) -> str | None:
    """In any case; None for what cannot be a code."""
    code = given.upper()
    return code if given.isascii() and _CODE.fullmatch(code) else None


def _code(value: object) -> str:
    code = code_meant(str(_as_text(value)))
    if code is None:
        raise Refused("The {label} must be three letters or digits, at least one of them a letter.")
    return code


class CurrencyBody(BaseModel):
    name: Name | None = None
    code: Annotated[str, Reads(_code, {"type": "string", "pattern": "^[A-Za-z0-9]{3}$"})] | None = None
    symbol: Annotated[str, text(5)] | None = None
    decimal_places: Annotated[int, whole(minimum=0, maximum=PLACES_MAX)] | None = None
    default: Flag | None = None


class CurrencyAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    name: str
    code: str
    symbol: str
    decimal_places: int
    default: bool


def read(raw: Mapping[str, object]) -> Parsed[CurrencyBody]:
    return parse(CurrencyBody, raw)


def problems(parsed: Parsed[CurrencyBody]) -> list[Problem]:
    return required(parsed, "name", "code", "symbol", "decimal_places")


def draft(values: CurrencyBody) -> Draft:
    """Of values without problems."""
    assert values.code is not None
    assert values.name is not None
    assert values.symbol is not None
    assert values.decimal_places is not None
    return Draft(values.code, values.name, values.symbol, values.decimal_places)


def show(kept: Kept, *, default: bool) -> CurrencyAttributes:
    currency = kept.currency
    return CurrencyAttributes(
        kept.updated_at, kept.created_at, currency.name, currency.code, currency.symbol, currency.places, default
    )


def units(parsed: Parsed[Any], name: str, currency: Currency | None, problems: list[Problem]) -> int | None:
    """The field's amount in whole units; too many decimals or digits become a problem that names the limit."""
    amount: Decimal | None = getattr(parsed.values, name)
    if amount is None or currency is None:
        return None
    try:
        return to_units(amount, currency)
    except NotRepresentable as error:
        key = parsed.key(name)
        problems.append(Problem(key, f"The {label(key)} {error}."))
        return None
