"""Updates the stored sums: overall, per month and per day."""

from typing import Any

from farthing.ledger.balance import Effect, Sums, periods
from farthing.storage.unit import Row, Unit

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
    """A handful of rows, whatever the day and however long the history; skips sums that do not change."""
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


def _rows(user_id: int, column: Sums[Any], beside: Sums[Any] | None = None) -> list[Row]:
    """One row for each key and period in which either column changes: user, key, period, changes."""
    sums = _sum_by_period(column)
    if beside is None:
        return [(user_id, *at, moved) for at, moved in sums.items() if moved]
    if not beside:
        return [(user_id, *at, moved, 0) for at, moved in sums.items() if moved]
    others = _sum_by_period(beside)
    first, second = sums.get, others.get
    return [(user_id, *at, first(at, 0), second(at, 0)) for at in {**sums, **others} if first(at) or second(at)]


def _sum_by_period(column: Sums[Any]) -> dict[Row, int]:
    """Regroups from key and day to key and period."""
    sums: dict[Row, int] = {}
    for key, moved in column.items():
        head = key[:-1]
        for period in periods(key[-1]):
            at = head + period
            sums[at] = sums.get(at, 0) + moved
    return sums
