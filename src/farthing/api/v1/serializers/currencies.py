"""Shows currencies, by themselves and as related objects."""

from collections.abc import Callable, Sequence
from typing import Any, TypedDict

from msgspec import UNSET, Struct, UnsetType

from farthing.books.currencies import store as currencies
from farthing.books.currencies.model import StoredCurrency
from farthing.http.answer.document import Thing, thing
from farthing.http.answer.includes import Include, Related
from farthing.http.request.call import Call
from farthing.kernel.money import Currency
from farthing.kernel.shown import Dated


def transaction_currency(currency_id: Callable[[Any], int]) -> Include:
    """Includes the currency of each object by default, with one query for a page."""

    def load(call: Call, objects: Sequence[Any]) -> list[Related]:
        stored = currencies.all_of(call.db, {currency_id(owner) for owner in objects})
        things = {currency.currency.id: _currency_thing(call, currency) for currency in stored}
        return [things[currency_id(owner)] for owner in objects]

    return Include("transaction_currency", load, default=True)


def _currency_thing(call: Call, stored: StoredCurrency) -> Thing[Any]:
    attributes = show(stored, default=False)
    return thing(
        call.base, "transaction_currencies", stored.currency.id, attributes, uri=f"/currencies/{stored.currency.id}"
    )


class InCurrency(Struct, gc=False, kw_only=True):
    """Identifies the currency of the amounts in the same object."""

    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int


class CurrencyFields(TypedDict):
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int


def currency_fields(currency: Currency) -> CurrencyFields:
    return {
        "currency_id": currency.id,
        "currency_code": currency.code,
        "currency_symbol": currency.symbol,
        "currency_dp": currency.places,
    }


class CurrencyAttributes(Dated, gc=False):
    """`enabled` says whether the user uses the currency. It is missing if the currency is included with others."""

    name: str
    code: str
    symbol: str
    decimal_places: int
    default: bool
    enabled: bool | UnsetType = UNSET


def show(stored: StoredCurrency, *, default: bool, enabled: bool | UnsetType = UNSET) -> CurrencyAttributes:
    currency = stored.currency
    return CurrencyAttributes(
        updated_at=stored.updated_at,
        created_at=stored.created_at,
        name=currency.name,
        code=currency.code,
        symbol=currency.symbol,
        decimal_places=currency.places,
        default=default,
        enabled=enabled,
    )
