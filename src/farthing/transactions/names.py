"""What are the accounts and labels of transactions called, and what are they counted in?

Asked for by id, for all lines at once; a reader asks only for what nobody has asked for since the last write.
"""

from collections.abc import Set
from typing import Any

from ..currencies import store as currencies
from ..storage.unit import Remembered, Unit
from .known import spelled
from .model import Known, Side


def met(known: Known) -> Remembered:
    """For who has looked these up and will write nothing more."""
    sides = {one.id: Side(one.id, one.name, one.iban, one.kind.value) for one in known.accounts.values()}
    return {"accounts": {None: None, **sides}, "currencies": {None: None, **known.currencies}}


class Names:
    """By id; there is none without one."""

    def __init__(self, db: Unit, user_id: int) -> None:
        self._db = db
        self._user_id = user_id
        self._kept = db.memory if db.memory is not None else {}

    def of(self, table: str) -> dict[int | None, Any]:
        """An account as a side, of a label its name, a currency as it is."""
        return self._kept.setdefault(table, {None: None})

    def learn(self, table: str, ids: Set[int | None]) -> None:
        known = self.of(table)
        if missing := ids - known.keys():
            known.update(self._asked(table, missing).items())

    def _asked(self, table: str, ids: Set[Any]) -> dict[int, Any]:
        match table:
            case "accounts":
                return self._sides(ids)
            case "currencies":
                return currencies.by_ids(self._db, ids)
        return spelled(self._db, self._user_id, table, ids)

    def _sides(self, ids: Set[int]) -> dict[int, Side]:
        rows = self._db.all(
            "SELECT id, name, iban, kind FROM accounts WHERE user_id = :user_id AND id IN :ids",
            user_id=self._user_id,
            ids=sorted(ids),
        )
        return {row[0]: Side._make(row) for row in rows}
