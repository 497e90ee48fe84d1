"""The floor of an import: raw SQL that writes the same rows in batches, and keeps the same sums.

It has the rows ready, and looks for no duplicates, halves of transfers, rules or bills.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from ..books import Facts
from ..importing.statement import BankRow
from . import writes
from .database import Raw

BATCH = 1000
_ADD_IMPORTED = """
INSERT INTO import_rows (user_id, job_id, account_id, row_number, on_day, key, outcome, entry_id)
VALUES (:user_id, 0, :source_id, :number, :day, :key, 'new', :entry_id)
"""
_WORD = re.compile(r"\w+")
_NOW = "2025-01-02T12:00:00+00:00"
# A row of the file as the database takes it.
Payment = dict[str, Any]
_Sums = dict[tuple[Any, ...], int]


def prepare(facts: Facts, rows: Sequence[BankRow]) -> list[Payment]:
    return [
        {
            "number": number,
            "day": one.on.isoformat(),
            "description": one.description,
            "destination_id": facts.expense_ids[one.shop],
            "units": one.units,
            "key": blake2b(b"%d" % number, digest_size=12).hexdigest(),
        }
        for number, one in enumerate(rows, 2)
    ]


class RawImport:
    def __init__(self, db: Raw, facts: Facts) -> None:
        self._db = db
        self._user_id = facts.user_id
        self._source_id = facts.asset_ids[0]
        find = "SELECT currency_id FROM accounts WHERE id = :id"
        self._currency_id = db.rows(find, {"id": self._source_id})[0][0]

    def write(self, batch: Sequence[Payment]) -> None:
        """One unit of work."""
        self._db.begin(writing=True)
        own = {"user_id": self._user_id, "token_id": None, "now": _NOW}
        own["revision"] = self._db.rows(writes.TAKE, own)[0][0]
        self._db.run(writes.NOTE, own)
        at = {**own, "source_id": self._source_id, "currency_id": self._currency_id}
        rows = [{**at, **one} for one in batch]
        for row, (entry_id,) in zip(rows, self._db.many_returning(writes.ADD_ENTRY, rows), strict=True):
            row["entry_id"] = entry_id
        for statement in (writes.ADD_SPLIT, writes.ADD_PAYMENT, writes.CREATED, _ADD_IMPORTED):
            self._db.many(statement, rows)
        self._sum(batch)
        self._mention(rows)
        self._db.commit()

    def _sum(self, batch: Sequence[Payment]) -> None:
        """Adds up first: each row of a sum is written once in a batch."""
        units: _Sums = defaultdict(int)
        spent: _Sums = defaultdict(int)
        times: _Sums = defaultdict(int)
        splits: _Sums = defaultdict(int)
        for one in batch:
            day, amount = one["day"], one["units"]
            for period in (("all", ""), ("month", day[:7]), ("day", day)):
                spent[period] += amount
                times[period] += 1
                for account_id, moved in ((self._source_id, -amount), (one["destination_id"], amount)):
                    units[account_id, *period] += moved
                    splits[account_id, *period] += 1
        at = {"user_id": self._user_id, "currency_id": self._currency_id}
        by_account = [
            {
                **at,
                "account_id": account_id,
                "grain": grain,
                "period": period,
                "units": moved,
                "spent": abs(moved),
                "n": splits[key],
            }
            for key, moved in units.items()
            for account_id, grain, period in (key,)
        ]
        by_period = [
            {**at, "grain": key[0], "period": key[1], "spent": moved, "gained": -moved, "n": times[key]}
            for key, moved in spent.items()
        ]
        self._db.many(writes.ADD_UNITS, by_account)
        self._db.many(writes.ADD_ACCOUNT_SUMS, by_account)
        self._db.many(writes.ADD_NET_WORTH, by_period)
        self._db.many(writes.ADD_FLOWS, by_period)
        self._db.many(writes.ADD_COUNTS, by_period)

    def _mention(self, rows: Sequence[dict[str, Any]]) -> None:
        mentioned = [(word, row) for row in rows for word in set(_WORD.findall(row["description"].casefold()))]
        times: dict[str, int] = defaultdict(int)
        for word, _ in mentioned:
            times[word] += 1
        counted = [{"user_id": self._user_id, "word": word, "n": n} for word, n in times.items()]
        found = self._db.many_returning(writes.COUNT_WORD, counted)
        ids = {one["word"]: word_id for one, (word_id,) in zip(counted, found, strict=True)}
        self._db.many(writes.ADD_MENTION, [{**row, "word_id": ids[word]} for word, row in mentioned])
