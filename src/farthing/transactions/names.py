"""What are the accounts and labels of transactions called, and what are they counted in?

Asked for by id, for all lines at once; a reader asks only for what nobody has asked for since the last write.
"""

from collections.abc import Iterable
from typing import Any

from ..currencies import store as currencies
from ..storage.unit import Unit

_COLUMNS = {"accounts": "name, iban, kind", "bills": "name", "categories": "name", "budgets": "name"}


class Names:
    """By id; there is none without one."""

    def __init__(self, db: Unit, user_id: int) -> None:
        self._db = db
        self._user_id = user_id
        self._kept = db.memory if db.memory is not None else {}

    def of(self, table: str) -> dict[int | None, Any]:
        """Of an account its id, name, IBAN and kind; of a label its name; a currency as it is."""
        return self._kept.setdefault(table, {None: None})

    def learn(self, table: str, ids: Iterable[int | None]) -> None:
        known = self.of(table)
        missing = [one for one in set(ids) if one not in known]
        if missing:
            known.update(self._asked(table, missing).items())

    def _asked(self, table: str, ids: list[Any]) -> dict[int, Any]:
        if table == "currencies":
            return currencies.by_ids(self._db, ids)
        sql = f"SELECT id, {_COLUMNS[table]} FROM {table} WHERE user_id = :user_id AND id IN :ids"
        rows = self._db.all(sql, user_id=self._user_id, ids=ids)
        return {row[0]: row if table == "accounts" else row[1] for row in rows}
