"""Checks changes to currencies, removes unused currencies, and enables currencies for a user."""

from collections.abc import Collection, Mapping

from msgspec import Struct

from farthing.kernel.errors import Problem, refuse
from farthing.storage.unit import Unit

from ...currencies import model, store
from ...currencies.model import StoredCurrency
from ...exchange_rates import store as exchange_rates
from ...preferences import store as preferences
from ...preferences.model import CURRENCIES_ENABLED


def taken_problems(
    db: Unit, *, name: str | None, code: str | None, symbol: str | None, except_id: int
) -> list[Problem]:
    return [
        Problem(column, f"The {column} is already used by another currency.")
        for column, value in (("name", name), ("code", code), ("symbol", symbol))
        if store.is_taken(db, column=column, value=value, except_id=except_id)
    ]


def change_problems(db: Unit, stored: StoredCurrency, *, code: str | None, places: int | None) -> list[Problem]:
    """Checks whether the code and the decimal places may change.

    Looks for uses of the currency only if the code or the decimal places would change.
    """
    if (code, places) == (stored.currency.code, stored.currency.places):
        return []
    return model.change_problems(stored, store.all_uses(db, stored.currency), code=code, places=places)


def remove(db: Unit, stored: StoredCurrency) -> None:
    refuse(model.removal_problems(stored, store.uses(db, stored.currency)))
    store.remove(db, stored.currency.id)


class EnabledCurrencies(Struct, frozen=True):
    """Tells which currencies a user has enabled. `needed` are those in use, which are always enabled."""

    chosen: Mapping[str, bool]
    needed: frozenset[str]

    def has(self, code: str) -> bool:
        return code in self.needed or self.chosen.get(code, False)


def find_enabled(db: Unit, user_id: int, primary_code: str) -> EnabledCurrencies:
    """Finds the enabled currencies. The primary currency and those of the user's accounts are always enabled."""
    preference = preferences.get_named(db, user_id, CURRENCIES_ENABLED)
    chosen = preference.data if preference and isinstance(preference.data, dict) else {}
    held = {currency.code for currency in exchange_rates.list_held_currencies(db, user_id)}
    return EnabledCurrencies(chosen=chosen, needed=frozenset(held | {primary_code}))


def forget(db: Unit, user_id: int, codes: Collection[str], now: str) -> None:
    """Forgets that the user has enabled these currencies."""
    preference = preferences.get_named(db, user_id, CURRENCIES_ENABLED)
    if preference and isinstance(preference.data, dict) and not preference.data.keys().isdisjoint(codes):
        left = {code: on for code, on in preference.data.items() if code not in codes}
        preferences.change(db, user_id, preference.id, left, now)


def enable(db: Unit, user_id: int, code: str, now: str, *, enabled: bool) -> None:
    preference = preferences.get_named(db, user_id, CURRENCIES_ENABLED)
    if preference is None:
        preferences.add(db, user_id, CURRENCIES_ENABLED, {code: enabled}, now)
        return
    chosen = preference.data if isinstance(preference.data, dict) else {}
    preferences.change(db, user_id, preference.id, {**chosen, code: enabled}, now)
