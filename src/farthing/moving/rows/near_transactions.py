"""Finds stored transactions that a row may match: those entered by hand, and other halves of transfers."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import date, timedelta

from msgspec import Struct, structs

from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from .settle import SettledRow

# How far apart the days of a row and of its transaction may be, because of weekends and banks that book later.
NEAR = timedelta(days=4)
# How far apart the two halves of a transfer may be if one of them names the account of the other.
NEAR_NAMED = timedelta(days=10)
_BOOKED = [int(Type.WITHDRAWAL), int(Type.DEPOSIT), int(Type.TRANSFER)]


class NearEntry(Struct, frozen=True, kw_only=True):
    """Represents a transaction with the same amount as a row, on a day near the row's. If the transaction has several
    splits, their amounts are added up, and the accounts are those of the first split. `imported_for` holds the accounts
    whose files contained the transaction. It is empty for a transaction that was entered by hand or made by a
    recurrence.
    """

    entry_id: int
    split_id: int
    type: Type
    on: date
    units: int
    currency_id: int
    foreign_units: int | None = None
    foreign_currency_id: int | None = None
    reconciled: bool
    source_id: int
    destination_id: int
    text: str
    source_name: str
    destination_name: str
    imported_for: frozenset[int] = frozenset()
    is_split: bool = False

    @property
    def amount(self) -> tuple[int, int]:
        return self.currency_id, self.units

    @property
    def foreign_amount(self) -> tuple[int | None, int | None]:
        return self.foreign_currency_id, self.foreign_units


_SIDES = """
    s.source_id, s.destination_id, e.description AS text, f.name AS source_name, t.name AS destination_name
"""
_JOINED = """
JOIN entries e ON e.user_id = s.user_id AND e.id = s.entry_id
JOIN accounts f ON f.user_id = s.user_id AND f.id = s.source_id
JOIN accounts t ON t.user_id = s.user_id AND t.id = s.destination_id
"""
_NEAR_ENTRIES = f"""
SELECT s.entry_id, s.id AS split_id, s.type, s.on_day AS "on", s.units, s.currency_id, s.foreign_units,
    s.foreign_currency_id, s.reconciled, {_SIDES}
FROM splits s {_JOINED}
WHERE s.user_id = :user_id AND s.{{units}} IN :units AND s.on_day BETWEEN :first AND :last AND s.type IN :types
    AND s.position = 0 AND NOT EXISTS (
        SELECT 1 FROM splits o WHERE o.user_id = s.user_id AND o.entry_id = s.entry_id AND o.position = 1
    )
ORDER BY s.entry_id
"""
_NEAR = {units: _NEAR_ENTRIES.format(units=units) for units in ("units", "foreign_units")}
# Compares the sum of a transaction's splits, because a bank's file has one row for all of them.
_NEAR_SUMS = f"""
SELECT s.entry_id, s.id AS split_id, s.type, s.on_day AS "on", total.units, s.currency_id,
    total.reconciled, 1 AS is_split, {_SIDES}
FROM (
    SELECT p.entry_id, CAST(SUM(p.units) AS BIGINT) AS units, MAX(p.reconciled) AS reconciled FROM splits p
    WHERE p.user_id = :user_id AND p.type IN :types AND p.entry_id IN (
        SELECT o.entry_id FROM splits o
        WHERE o.user_id = :user_id AND o.position = 1 AND o.on_day BETWEEN :first AND :last
    )
    GROUP BY p.entry_id HAVING SUM(p.units) IN :units AND MIN(p.currency_id) = MAX(p.currency_id)
) total
JOIN splits s ON s.user_id = :user_id AND s.entry_id = total.entry_id AND s.position = 0 {_JOINED}
"""


def find_near(db: Unit, user_id: int, rows: Sequence[SettledRow]) -> list[NearEntry]:
    """Finds the transactions that these rows may match, by amount and day, in four queries."""
    if not rows:
        return []
    days = [settled.row.on for settled in rows]
    amounts = [money for settled in rows for money in (settled.money, settled.foreign) if money]
    values = {
        "user_id": user_id,
        "units": sorted({money.units for money in amounts}),
        "first": (min(days) - NEAR_NAMED).isoformat(),
        "last": (max(days) + NEAR_NAMED).isoformat(),
        "types": _BOOKED,
    }
    statements = (_NEAR["units"], _NEAR["foreign_units"], _NEAR_SUMS)
    near = {entry.entry_id: entry for sql in statements for entry in db.structs(NearEntry, sql, **values)}
    imported = _imported_for(db, user_id, near)
    return [
        structs.replace(entry, imported_for=imported[entry.entry_id]) if entry.entry_id in imported else entry
        for _, entry in sorted(near.items())
    ]


def _imported_for(db: Unit, user_id: int, entry_ids: Collection[int]) -> dict[int, frozenset[int]]:
    if not entry_ids:
        return {}
    sql = """
    SELECT entry_id, account_id FROM import_rows
    WHERE user_id = :user_id AND entry_id IN :ids AND account_id <> 0
    """
    rows = db.all(sql, user_id=user_id, ids=sorted(entry_ids))
    by_entry: dict[int, set[int]] = defaultdict(set)
    for entry_id, account_id in rows:
        by_entry[entry_id].add(account_id)
    return {entry_id: frozenset(accounts) for entry_id, accounts in by_entry.items()}
