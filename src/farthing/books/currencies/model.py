"""The currencies of an installation, and what about them may change."""

from msgspec import Struct

from farthing.kernel.errors import Problem
from farthing.kernel.money import Currency


class CurrencyDraft(Struct, frozen=True):
    code: str
    name: str
    symbol: str
    places: int


class StoredCurrency(Struct, frozen=True):
    """A currency with the fields that only its own resource shows; built-in ones are not custom."""

    currency: Currency
    custom: bool
    created_at: str
    updated_at: str


class CurrencyUses(Struct, frozen=True):
    """`booked`: amounts are stored in it.

    `preferred`: it is somebody's default, by its code. `remembered`: an undo could bring amounts in it back.
    """

    booked: bool
    preferred: bool
    remembered: bool = False


def change_problems(kept: StoredCurrency, uses: CurrencyUses, *, code: str | None, places: int | None) -> list[Problem]:
    """The code must stay if preferences refer to it, the places if amounts are stored in it; None means not sent."""
    found = []
    if code not in (None, kept.currency.code) and (sentence := _code_is_fixed(kept, uses)):
        found.append(Problem("code", sentence))
    if places not in (None, kept.currency.places) and (sentence := _places_are_fixed(kept, uses)):
        found.append(Problem("decimal_places", sentence))
    return found


def _code_is_fixed(kept: StoredCurrency, uses: CurrencyUses) -> str | None:
    if not kept.custom:
        return f"The code cannot be changed: {kept.currency.code} is a built-in currency."
    if uses.preferred:
        return f"The code cannot be changed while {kept.currency.code} is somebody's default currency."
    return None


def _places_are_fixed(kept: StoredCurrency, uses: CurrencyUses) -> str | None:
    if not kept.custom:
        return f"The decimal places cannot be changed: {kept.currency.code} is a built-in currency."
    if uses.booked:
        return f"The decimal places cannot be changed: amounts are kept in {kept.currency.code}."
    if uses.remembered:
        return f"The decimal places cannot be changed: an undo could bring back amounts in {kept.currency.code}."
    return None


def removal_problems(kept: StoredCurrency, uses: CurrencyUses) -> list[Problem]:
    code = kept.currency.code
    if not kept.custom:
        return [Problem("id", f"A built-in currency cannot be deleted, and {code} is one.")]
    found = []
    if uses.preferred:
        found.append(Problem("id", f"The currency cannot be deleted: {code} is somebody's default currency."))
    if uses.booked:
        found.append(Problem("id", f"The currency cannot be deleted: {code} is in use."))
    return found
