"""What are the accounts and labels of transactions called, and what are they counted in?

Asked for by id, for all lines at once; a reader asks only for what nobody has asked for since the last write.
"""

from collections.abc import Iterable, Mapping, Set
from typing import Any

from ..currencies import store as currencies
from ..storage.unit import Remembered, Unit
from .known import ACCOUNTS, spelled
from .model import Known, Side

# An account as a side, of a label its name, a currency as it is; there is none without an id.
ById = dict[Any, Any]


def met(facts: Known, recalled: Remembered | None) -> Remembered:
    """For who has looked these up, has written transactions, and will write nothing more.

    To write a transaction changes no account or label that there is: what was known before is so still.
    """
    kept = recalled if recalled is not None else {}
    remembered = {table: kept.get(table) or {None: None} for table in _STEADY}
    remembered["currencies"].update(facts.currencies)
    looked_up, sides = remembered[ACCOUNTS], remembered["accounts"]
    for one in facts.accounts.values():
        if one.id not in looked_up:
            looked_up[one.id] = one
            sides[one.id] = Side(one.id, one.name, one.iban, str(one.kind))
    return remembered


_STEADY = ("accounts", ACCOUNTS, "currencies", "categories", "budgets", "bills")


def known(db: Unit, tables: Iterable[str]) -> list[ById]:
    """What is remembered of each of these."""
    kept = db.memory if db.memory is not None else {}
    return [kept.setdefault(table, {None: None}) for table in tables]


def learn(db: Unit, user_id: int, table: str, found: ById, ids: Set[int | None]) -> None:
    if missing := ids - found.keys():
        found.update(_asked(db, user_id, table, missing))


def _asked(db: Unit, user_id: int, table: str, ids: Set[Any]) -> Mapping[int, Any]:
    match table:
        case "accounts":
            return _sides(db, user_id, ids)
        case "currencies":
            return currencies.by_ids(db, ids)
    return spelled(db, user_id, table, ids)


def _sides(db: Unit, user_id: int, ids: Set[int]) -> dict[int, Side]:
    rows = db.all(
        "SELECT id, name, iban, kind FROM accounts WHERE user_id = :user_id AND id IN :ids",
        user_id=user_id,
        ids=sorted(ids),
    )
    return {row[0]: Side._make(row) for row in rows}
