"""Shows currencies, by themselves and as related objects."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from farthing.books.currencies import store as currencies
from farthing.books.currencies.model import StoredCurrency
from farthing.http.answer.document import Thing, thing
from farthing.http.answer.includes import Include, Related
from farthing.http.request.call import Call
from farthing.kernel.shown import Instant


def transaction_currency(currency_id: Callable[[Any], int]) -> Include:
    """The currency of an object, included by default; one query for a page."""

    def load(call: Call, objects: Sequence[Any]) -> list[Related]:
        kept = currencies.all_of(call.db, {currency_id(one) for one in objects})
        shown = {one.currency.id: _currency_thing(call, one) for one in kept}
        return [shown[currency_id(one)] for one in objects]

    return Include("transaction_currency", load, default=True)


def _currency_thing(call: Call, kept: StoredCurrency) -> Thing[Any]:
    attributes = show(kept, default=False)
    return thing(
        call.base, "transaction_currencies", kept.currency.id, attributes, uri=f"/currencies/{kept.currency.id}"
    )


class CurrencyAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    name: str
    code: str
    symbol: str
    decimal_places: int
    default: bool


def show(kept: StoredCurrency, *, default: bool) -> CurrencyAttributes:
    currency = kept.currency
    return CurrencyAttributes(
        updated_at=kept.updated_at,
        created_at=kept.created_at,
        name=currency.name,
        code=currency.code,
        symbol=currency.symbol,
        decimal_places=currency.places,
        default=default,
    )
