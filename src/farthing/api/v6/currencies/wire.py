"""Reads and shows currencies."""

import re
from collections.abc import Sequence
from typing import Annotated

from msgspec import Struct

from farthing.books.currencies.model import StoredCurrency
from farthing.books.lifecycle.settings import currencies as lifecycle
from farthing.books.lifecycle.settings.currencies import EnabledCurrencies
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.kernel.fields import FieldParser, Flag, Name, Refused, RequestBody, text, whole
from farthing.kernel.money import PLACES_MAX
from farthing.kernel.shown import Instant

from ..parts.documents import make_thing

# A code has at least one letter, because digits alone are an id.
_CODE = re.compile("(?=.*[A-Z])[A-Z0-9]{3}")
_as_text = text(255).read


def _read_code(value: object) -> str:
    code = str(_as_text(value)).upper()
    if not (code.isascii() and _CODE.fullmatch(code)):
        raise Refused("The {label} must be three letters or digits, at least one of them a letter.")
    return code


class CurrencyBody(RequestBody):
    code: Annotated[str, FieldParser(_read_code, {"type": "string", "pattern": "^[A-Za-z0-9]{3}$"})] | None = None
    name: Name | None = None
    symbol: Annotated[str, text(5)] | None = None
    decimal_places: Annotated[int, whole(minimum=0, maximum=PLACES_MAX)] | None = None
    primary: Flag | None = None
    enabled: Flag | None = None


class CurrencyAttributes(Struct, gc=False):
    created_at: Instant
    updated_at: Instant
    enabled: bool
    primary: bool
    code: str
    name: str
    symbol: str
    decimal_places: int


CurrencyThing = Thing[CurrencyAttributes]


def make_currencies(
    call: Call, currencies: Sequence[StoredCurrency], primary: str | None = None
) -> list[CurrencyThing]:
    """Shows currencies. `primary` is the code of the primary currency, if the request has changed it."""
    code = primary or call.caller.currency_code
    enabled = lifecycle.find_enabled(call.db, call.user_id, code)
    return [_make_currency(call, stored, code, enabled) for stored in currencies]


def _make_currency(call: Call, stored: StoredCurrency, primary: str, enabled: EnabledCurrencies) -> CurrencyThing:
    currency = stored.currency
    attributes = CurrencyAttributes(
        created_at=stored.created_at,
        updated_at=stored.updated_at,
        enabled=enabled.has(currency.code),
        primary=currency.code == primary,
        code=currency.code,
        name=currency.name,
        symbol=currency.symbol,
        decimal_places=currency.places,
    )
    return make_thing(call, "currencies", currency.id, attributes, at=f"/currencies/{currency.code}")
