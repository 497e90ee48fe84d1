"""What are the accounts and labels of transactions called, and what are they counted in?

Asked for by id, for all lines at once; a reader asks only for what nobody has asked for since the last write.
"""

from collections.abc import Mapping, Set

from ..currencies import store as in_store
from ..money import Currency
from ..storage.memory import recall
from ..storage.unit import Row, Unit


def accounts(db: Unit, user_id: int, ids: Set[int | None]) -> Mapping[int | None, Row]:
    """Id, name, IBAN and kind."""

    def ask(missing: list[int]) -> dict[int, Row]:
        sql = "SELECT id, name, iban, kind FROM accounts WHERE user_id = :user_id AND id IN :ids"
        return {row[0]: row for row in db.all(sql, user_id=user_id, ids=missing)}

    return recall(db, "accounts", ids, ask)


def labels(db: Unit, user_id: int, table: str, ids: Set[int | None]) -> Mapping[int | None, str | None]:
    def ask(missing: list[int]) -> dict[int, str]:
        sql = f"SELECT id, name FROM {table} WHERE user_id = :user_id AND id IN :ids"
        return dict(db.all(sql, user_id=user_id, ids=missing))

    return recall(db, table, ids, ask)


def currencies(db: Unit, ids: Set[int | None]) -> Mapping[int | None, Currency]:
    return recall(db, "currencies", ids, lambda missing: in_store.by_ids(db, missing))
