"""Looks up the names of accounts, labels and currencies for transactions: one query per table for all lines."""

from collections.abc import Iterable, Mapping, Set

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.storage.unit import Unit

from ..currencies import store as currencies
from .model import LabelName, Side


class LineNames(Struct, frozen=True):
    """Names by id, for the ids that some lines refer to."""

    accounts: Mapping[int, Side]
    currencies: Mapping[int, Currency]
    bills: Mapping[int, LabelName]
    categories: Mapping[int, LabelName]
    budgets: Mapping[int, LabelName]


def sides(db: Unit, user_id: int, ids: Set[int]) -> dict[int, Side]:
    rows = db.all(
        "SELECT id, name, iban, kind FROM accounts WHERE user_id = :user_id AND id IN :ids",
        user_id=user_id,
        ids=sorted(ids),
    )
    return {id_: Side(id=id_, name=name, iban=iban, kind=kind) for id_, name, iban, kind in rows}


def currencies_of(db: Unit, ids: Iterable[int | None]) -> dict[int, Currency]:
    return currencies.by_ids(db, {one for one in ids if one is not None})


def label_names(db: Unit, user_id: int, table: str, ids: Iterable[int | None]) -> dict[int, LabelName]:
    """For bills, categories, budgets or tags."""
    wanted = {one for one in ids if one is not None}
    if not wanted:
        return {}
    rows = db.all(
        f"SELECT id, name FROM {table} WHERE user_id = :user_id AND id IN :ids", user_id=user_id, ids=sorted(wanted)
    )
    return {id_: LabelName(id=id_, name=name) for id_, name in rows}
