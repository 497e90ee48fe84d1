"""How do the kept sums follow the books? An effect by days becomes rows for all time, for months and for days."""

from itertools import chain
from operator import add
from typing import Any

from ..ledger.balance import Effect, Sums, periods
from ..money import UNITS_MAX
from ..storage.unit import Overflow, Row, Unit

_ADD_UNITS = """
INSERT INTO balances (user_id, account_id, currency_id, grain, period, units, reconciled)
VALUES (:user_id, :account_id, :currency_id, :grain, :period, :units, :reconciled)
ON CONFLICT (user_id, account_id, currency_id, grain, period)
DO UPDATE SET units = balances.units + excluded.units, reconciled = balances.reconciled + excluded.reconciled
"""
_ADD_FLOWS = """
INSERT INTO flows (user_id, type, currency_id, grain, period, units)
VALUES (:user_id, :type, :currency_id, :grain, :period, :units)
ON CONFLICT (user_id, type, currency_id, grain, period) DO UPDATE SET units = flows.units + excluded.units
"""
_ADD_COUNTS = """
INSERT INTO counts (user_id, type, grain, period, entries, splits)
VALUES (:user_id, :type, :grain, :period, :entries, :splits)
ON CONFLICT (user_id, type, grain, period)
DO UPDATE SET entries = counts.entries + excluded.entries, splits = counts.splits + excluded.splits
"""
_ADD_ACCOUNT_COUNTS = """
INSERT INTO account_counts (user_id, account_id, type, grain, period, splits)
VALUES (:user_id, :account_id, :type, :grain, :period, :splits)
ON CONFLICT (user_id, account_id, type, grain, period)
DO UPDATE SET splits = account_counts.splits + excluded.splits
"""
_ADD_LABELLED = """
INSERT INTO sums_of_{label} (user_id, label_id, type, currency_id, grain, period, units, splits)
VALUES (:user_id, :label_id, :type, :currency_id, :grain, :period, :units, :splits)
ON CONFLICT (user_id, label_id, grain, period, type, currency_id)
DO UPDATE SET units = sums_of_{label}.units + excluded.units, splits = sums_of_{label}.splits + excluded.splits
"""


def apply(db: Unit, user_id: int, effect: Effect) -> None:
    """A handful of rows, whatever the day and however long the history; sums that do not move are left alone."""
    for statement, rows in (
        (_ADD_UNITS, _rows(user_id, effect.units, effect.reconciled)),
        (_ADD_FLOWS, _rows(user_id, effect.flows)),
        (_ADD_COUNTS, _rows(user_id, effect.entries, effect.splits)),
        (_ADD_ACCOUNT_COUNTS, _rows(user_id, effect.account_splits)),
        *(
            (_ADD_LABELLED.format(label=label), _rows(user_id, counted.units, counted.splits))
            for label, counted in effect.labels.items()
        ),
    ):
        if rows:
            db.many(statement, rows)


def _rows(user_id: int, *columns: Sums[Any]) -> list[Row]:
    """One row for each key and period that any of the columns moves: the user, the key, the period, what moved."""
    sums: dict[Row, list[int]] = {}
    for key in dict.fromkeys(chain(*columns)):
        head, moved = key[:-1], [column.get(key, 0) for column in columns]
        for period in periods(key[-1]):
            at = head + period
            sums[at] = [*map(add, sums[at], moved)] if at in sums else moved
    if max(map(abs, chain(*sums.values())), default=0) > UNITS_MAX:
        raise Overflow("a sum of these entries alone leaves 64 bits")
    return [(user_id, *at, *moved) for at, moved in sums.items() if any(moved)]
