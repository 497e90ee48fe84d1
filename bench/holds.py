"""`python -m bench.holds`: for how long a write of one user keeps all others from writing on SQLite.

Deletes an account with everything on it, undoes that, and deletes it again by undoing the undo; then merges, and undoes
the merge. The processor time of each unit of work is what another write waits at least.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, thread_time

from farthing.books.accounts import store as accounts
from farthing.books.categories import store as categories
from farthing.books.lifecycle import accounts as account_lifecycle
from farthing.books.lifecycle import labels as label_lifecycle
from farthing.books.transactions import store as transactions
from farthing.books.transactions.model import Relabelling
from farthing.care.changes import store as changes
from farthing.care.changes.undo import undo
from farthing.care.doctor import examine
from farthing.identity import users
from farthing.ledger.entry import Party
from farthing.ledger.kinds import Type
from farthing.storage.drivers.sqlite import SqliteDatabase
from farthing.storage.unit import Database, Unit

from . import books
from .books import CREATED_AT, Facts, Household

SIZES = (4_000, 20_000, 100_000)
# The part of the transactions that has the merged category, and of the withdrawals that pay the merged payee.
_MERGED = 10


class OneAccount(Household):
    """Every transaction is on the first account; half of the withdrawals pay the first payee."""

    def _sides(self, type_: Type) -> tuple[Party, Party]:
        source, destination = super()._sides(type_)
        if type_ == Type.DEPOSIT:
            return source, self._assets[0]
        if type_ == Type.TRANSFER:
            return self._assets[0], self._assets[1]
        return self._assets[0], self._expenses[0] if self._random.random() < 0.5 else destination


@dataclass(frozen=True)
class Hold:
    """What one unit of work took: seconds of the processor, and of the clock."""

    doing: str
    transactions: int
    cpu_s: float
    wall_s: float


class Holder:
    def __init__(self, database: Database, facts: Facts) -> None:
        self._database = database
        self._facts = facts

    def measure(self) -> Iterator[Hold]:
        user_id, (mine, *_), (shop, other, *_) = self._facts.user_id, self._facts.asset_ids, self._facts.expense_ids

        def close(db: Unit) -> None:
            account = accounts.get(db, user_id, mine)
            assert account
            account_lifecycle.remove(db, user_id, account, CREATED_AT)

        def merge_payees(db: Unit) -> None:
            one, into = accounts.get(db, user_id, shop), accounts.get(db, user_id, other)
            assert one
            assert into
            account_lifecycle.merge(db, user_id, one, into, CREATED_AT)

        def merge_categories(db: Unit) -> None:
            one, into = categories.get(db, user_id, 3), categories.get(db, user_id, 4)
            assert one
            assert into
            label_lifecycle.merge_category(db, user_id, one, into, CREATED_AT)

        def relabel(db: Unit) -> None:
            rows = db.all(
                "SELECT id, entry_id FROM splits WHERE user_id = :user_id AND type = 1 AND position = 0",
                user_id=user_id,
            )
            split_ids, entry_ids = [row[0] for row in rows], [row[1] for row in rows]
            given = Relabelling(entry_ids=entry_ids, split_ids=split_ids, labels={"category_id": 5}, tags={})
            transactions.relabel(db, user_id, given, CREATED_AT)

        for doing, work in (
            ("relabel", relabel),
            ("merge payees", merge_payees),
            ("merge categories", merge_categories),
            ("delete", close),
        ):
            yield self._hold(doing, work)
            yield self._hold(f"undo: {doing}", self._take_back)
            yield self._hold(f"redo: {doing}", self._take_back)
            yield self._hold(f"undo again: {doing}", self._take_back)

    def _hold(self, doing: str, work: Callable[[Unit], None]) -> Hold:
        with self._database.writing() as db:
            users.take(db, self._facts.user_id, token_id=None, now=CREATED_AT, doing="accounts.remove")
            cpu, wall = thread_time(), perf_counter()
            work(db)
            db.flush()
            took = thread_time() - cpu, perf_counter() - wall
        return Hold(doing, self._facts.transactions, *took)

    def _take_back(self, db: Unit) -> None:
        _, [_, newest, *_] = changes.page(db, self._facts.user_id, limit=2, offset=0)
        undo(db, self._facts.user_id, newest)


def main(sizes: tuple[int, ...]) -> None:
    for size in sizes:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "books.sqlite3"
            facts = books.make(path, size, lambda _done: None, OneAccount)
            database = SqliteDatabase(path)
            for hold in Holder(database, facts).measure():
                print(f"{hold.transactions:7} {hold.doing:28} CPU {hold.cpu_s:7.3f} s  clock {hold.wall_s:7.3f} s")
            findings = list(examine(database)) if size <= books.EXAMINED_MAX else []
            assert not findings, findings[:5]
            database.close()


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
