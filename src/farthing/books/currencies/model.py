"""Defines the currencies of an installation, and decides which of their fields may change."""

from msgspec import Struct

from farthing.kernel.errors import Problem
from farthing.kernel.money import Currency


class CurrencyDraft(Struct, frozen=True):
    code: str
    name: str
    symbol: str
    places: int


class StoredCurrency(Struct, frozen=True):
    """Describes a currency with all its fields. `custom` is false for built-in currencies."""

    currency: Currency
    custom: bool
    created_at: str
    updated_at: str


class CurrencyUses(Struct, frozen=True):
    """Says how a currency is used.

    `booked` means that amounts are stored in it, `preferred` that it is a user's default currency, and `remembered`
    that an undo could bring back amounts in it.
    """

    booked: bool
    preferred: bool
    remembered: bool = False


def change_problems(
    stored: StoredCurrency, uses: CurrencyUses, *, code: str | None, places: int | None
) -> list[Problem]:
    """Refuses to change the code if preferences name it, or the decimal places if amounts are stored.

    For built-in currencies, refuses to change either. None means that the field was not sent.
    """
    problems = []
    if code not in (None, stored.currency.code) and (sentence := _code_is_fixed(stored, uses)):
        problems.append(Problem("code", sentence))
    if places not in (None, stored.currency.places) and (sentence := _places_are_fixed(stored, uses)):
        problems.append(Problem("decimal_places", sentence))
    return problems


def _code_is_fixed(stored: StoredCurrency, uses: CurrencyUses) -> str | None:
    if not stored.custom:
        return f"The code cannot be changed: {stored.currency.code} is a built-in currency."
    if uses.preferred:
        return f"The code cannot be changed while {stored.currency.code} is a user's default currency."
    return None


def _places_are_fixed(stored: StoredCurrency, uses: CurrencyUses) -> str | None:
    if not stored.custom:
        return f"The decimal places cannot be changed: {stored.currency.code} is a built-in currency."
    if uses.booked:
        return f"The decimal places cannot be changed: amounts are stored in {stored.currency.code}."
    if uses.remembered:
        return f"The decimal places cannot be changed: an undo could bring back amounts in {stored.currency.code}."
    return None


def removal_problems(stored: StoredCurrency, uses: CurrencyUses) -> list[Problem]:
    code = stored.currency.code
    if not stored.custom:
        return [Problem("id", f"The currency cannot be deleted: {code} is a built-in currency.")]
    problems = []
    if uses.preferred:
        problems.append(Problem("id", f"The currency cannot be deleted: {code} is a user's default currency."))
    if uses.booked:
        problems.append(Problem("id", f"The currency cannot be deleted: {code} is in use."))
    return problems
