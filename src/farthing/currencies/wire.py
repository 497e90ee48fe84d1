"""How does the API name a currency, and an amount of it?"""

from decimal import Decimal
from typing import Annotated, Any

from msgspec import Struct
from pydantic import BaseModel

from ..errors import Problem
from ..fields import Flag, Parsed, label, text, whole
from ..money import PLACES_MAX, Currency, NotRepresentable, to_units
from .model import Kept


class CurrencyBody(BaseModel):
    name: Annotated[str, text(255)] | None = None
    code: Annotated[str, text(3)] | None = None
    symbol: Annotated[str, text(5)] | None = None
    decimal_places: Annotated[int, whole(minimum=0, maximum=PLACES_MAX)] | None = None
    default: Flag | None = None


class CurrencyAttributes(Struct):
    updated_at: str
    created_at: str
    name: str
    code: str
    symbol: str
    decimal_places: int
    default: bool


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
