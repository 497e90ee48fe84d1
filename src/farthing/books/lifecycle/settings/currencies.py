"""Checks changes of currencies, and removes currencies that are not used."""

from farthing.kernel.errors import Problem, refuse
from farthing.storage.unit import Unit

from ...currencies import model, store
from ...currencies.model import StoredCurrency


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
