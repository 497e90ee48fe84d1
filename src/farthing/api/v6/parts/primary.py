"""Adds the primary currency to objects, and their amounts converted into it.

Amounts are converted only if the user wants this (the preference `convertToPrimary`), and the fields `pc_…` are null
otherwise, and also if no rate is known.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from farthing.books.currencies import store as currencies
from farthing.books.exchange_rates.convert import DatedAmount, convert
from farthing.books.labels import model as labels
from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import CONVERT_TO_PRIMARY
from farthing.http.request.call import Call
from farthing.kernel.money import Currency

from .amounts import show_amount


class PrimaryCurrency(Struct, gc=False):
    """Holds the fields with the primary currency. Attributes of objects begin with them."""

    primary_currency_id: str
    primary_currency_name: str
    primary_currency_code: str
    primary_currency_symbol: str
    primary_currency_decimal_places: int


class OwnCurrency(PrimaryCurrency, gc=False):
    """Holds the currency of an object, which is the primary one if the object has no currency of its own."""

    object_has_currency_setting: bool
    currency_id: str
    currency_name: str
    currency_code: str
    currency_symbol: str
    currency_decimal_places: int


class Sum(Struct, gc=False):
    """Holds an amount in one currency, in lists such as `spent`."""

    currency_id: str
    currency_code: str
    currency_symbol: str
    currency_decimal_places: int
    sum: str


class Primary(Struct, frozen=True):
    """Knows the primary currency of the user, and whether amounts are converted into it."""

    call: Call
    currency: Currency
    converts: bool

    def show(self) -> dict[str, Any]:
        """Returns the fields of `PrimaryCurrency`."""
        return {f"primary_{name}": value for name, value in _show(self.currency).items()}

    def show_with(self, currency: Currency | None) -> dict[str, Any]:
        """Returns the fields of `OwnCurrency`. `currency` is None if the object has no currency of its own."""
        own = _show(currency or self.currency)
        return {"object_has_currency_setting": currency is not None, **own, **self.show()}

    def convert(self, amounts: Sequence[DatedAmount | None]) -> list[str | None]:
        """Converts amounts in the same order, with three queries for any number of them. Call it once for a page."""
        units = self._convert(amounts)
        return [None if value is None else show_amount(value, self.currency.places) for value in units]

    def make_sum(self, amount: str) -> Sum:
        """Shows a converted amount in a list such as `pc_spent`."""
        currency = self.currency
        return Sum(str(currency.id), currency.code, currency.symbol, currency.places, amount)

    def convert_sums(self, groups: Sequence[Sequence[labels.Sum]], on: str) -> list[list[Sum]]:
        """Adds up each group of sums in the primary currency, at the rates on a day.

        The result of a group is empty if the group is, if amounts are not converted, or if a rate is unknown.
        """
        converted = iter(self._convert([DatedAmount(s.currency.id, s.units, on) for sums in groups for s in sums]))
        totals = [[next(converted) for _ in sums] for sums in groups]
        return [
            [show_sum(self.currency, sum(known))] if known and len(known) == len(units) else []
            for units in totals
            for known in [[value for value in units if value is not None]]
        ]

    def _convert(self, amounts: Sequence[DatedAmount | None]) -> list[int | None]:
        wanted = [amount for amount in amounts if amount is not None] if self.converts else []
        if not wanted:
            return [None] * len(amounts)
        converted = iter(convert(self.call.db, self.call.user_id, wanted, self.currency.id))
        return [None if amount is None else next(converted).units for amount in amounts]


def load_primary(call: Call) -> Primary:
    currency = currencies.get_by_code(call.db, call.caller.currency_code)
    assert currency is not None, "the primary currency of a user cannot be deleted"
    wish = preferences.get_named(call.db, call.user_id, CONVERT_TO_PRIMARY)
    return Primary(call, currency.currency, converts=wish is not None and wish.data is True)


def show_sum(currency: Currency, units: int) -> Sum:
    return Sum(str(currency.id), currency.code, currency.symbol, currency.places, show_amount(units, currency.places))


def show_sums(sums: Iterable[labels.Sum]) -> list[Sum]:
    return [show_sum(total.currency, total.units) for total in sums]


def _show(currency: Currency) -> dict[str, Any]:
    return {
        "currency_id": str(currency.id),
        "currency_name": currency.name,
        "currency_code": currency.code,
        "currency_symbol": currency.symbol,
        "currency_decimal_places": currency.places,
    }
