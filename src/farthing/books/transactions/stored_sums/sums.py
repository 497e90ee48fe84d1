"""Updates the stored sums: overall, per month and per day."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from farthing.ledger.balance import Effect, Sums, periods
from farthing.ledger.kinds import ASSETS, LIABILITIES
from farthing.storage.drivers import dialects
from farthing.storage.unit import Overflow, Row, Unit

_encode = msgspec.json.Encoder().encode
_ADD_UNITS = """
INSERT INTO balances (user_id, account_id, currency_id, grain, period, units, reconciled)
VALUES (:user_id, :account_id, :currency_id, :grain, :period, :units, :reconciled)
ON CONFLICT (user_id, account_id, currency_id, grain, period)
DO UPDATE SET units = balances.units + excluded.units, reconciled = balances.reconciled + excluded.reconciled
"""
# The accounts in the net worth. For an IN list, SQLite would make an index each time.
_OWN = " OR ".join(f"a.kind = '{kind.value}'" for kind in sorted(ASSETS | LIABILITIES))
COUNTS = f"a.include_net_worth = 1 AND ({_OWN})"
# Reads from the accounts which of them count, so that no query is needed before.
_ADD_NET_WORTH = f"""
WITH counting AS (SELECT a.user_id FROM accounts a WHERE a.user_id = :user_id AND a.id = :account_id AND {COUNTS})
INSERT INTO net_worth (user_id, currency_id, grain, period, units)
SELECT user_id, :currency_id, :grain, :period, :units FROM counting WHERE 1 = 1
ON CONFLICT (user_id, currency_id, grain, period) DO UPDATE SET units = net_worth.units + excluded.units
"""
# PostgreSQL gets all rows at once, because each statement costs as much as several rows.
_ADD_NET_WORTH_AT_ONCE = f"""
INSERT INTO net_worth (user_id, currency_id, grain, period, units)
SELECT a.user_id, moved.currency_id, moved.grain, moved.period, SUM(moved.units)
FROM json_populate_recordset(NULL::balances, :moved) AS moved
JOIN accounts a ON a.user_id = :user_id AND a.id = moved.account_id AND {COUNTS}
GROUP BY a.user_id, moved.currency_id, moved.grain, moved.period
ON CONFLICT (user_id, currency_id, grain, period) DO UPDATE SET units = net_worth.units + excluded.units
"""
_MOVE_NET_WORTH = f"""
INSERT INTO net_worth (user_id, currency_id, grain, period, units)
SELECT b.user_id, b.currency_id, b.grain, b.period, {{times}} * SUM(b.units)
FROM accounts a JOIN balances b ON b.user_id = a.user_id AND b.account_id = a.id
WHERE a.user_id = :user_id AND a.id IN :account_ids AND {COUNTS}
GROUP BY b.user_id, b.currency_id, b.grain, b.period
ON CONFLICT (user_id, currency_id, grain, period) DO UPDATE SET units = net_worth.units + excluded.units
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
_ADD_LABELLED = """
INSERT INTO sums_of_{label} (user_id, label_id, type, currency_id, grain, period, units, splits)
VALUES (:user_id, :label_id, :type, :currency_id, :grain, :period, :units, :splits)
ON CONFLICT (user_id, label_id, grain, period, type, currency_id)
DO UPDATE SET units = sums_of_{label}.units + excluded.units, splits = sums_of_{label}.splits + excluded.splits
"""


def apply(db: Unit, user_id: int, effect: Effect) -> None:
    """Adds an effect to the sums: a handful of rows, however long the history. Skips sums that do not change."""
    units = _rows(user_id, effect.units, effect.reconciled)
    _add_net_worth(db, user_id, [row[1:-1] for row in units if row[1] in effect.own and row[-2]])
    for statement, rows in (
        (_ADD_UNITS, units),
        (_ADD_FLOWS, _rows(user_id, effect.flows)),
        (_ADD_COUNTS, _rows(user_id, effect.entries, effect.splits)),
        *(
            (_ADD_LABELLED.format(label=label), _rows(user_id, counted.units, counted.splits))
            for label, counted in effect.labels.items()
        ),
    ):
        if rows:
            db.many(statement, rows)


def _add_net_worth(db: Unit, user_id: int, rows: list[Row]) -> None:
    """Adds rows of account, currency, grain, period and units."""
    if not rows:
        return
    if not dialects.is_remote(db):
        db.many(_ADD_NET_WORTH, [(user_id, *row) for row in rows])
        return
    names = ("account_id", "currency_id", "grain", "period", "units")
    try:
        moved = _encode([dict(zip(names, row, strict=True)) for row in rows]).decode()
    except OverflowError as error:
        raise Overflow(str(error)) from error
    db.run(_ADD_NET_WORTH_AT_ONCE, user_id=user_id, moved=moved)


def move_net_worth(db: Unit, user_id: int, account_ids: Sequence[int], times: Literal[1, -1]) -> None:
    """Adds the balances of those accounts that count now, or subtracts them."""
    if account_ids:
        db.run(_MOVE_NET_WORTH.format(times=times), user_id=user_id, account_ids=list(account_ids))


def _rows(user_id: int, column: Sums[Any], beside: Sums[Any] | None = None) -> list[Row]:
    """Returns a row for each key and period in which either column changes: user, key, period, changes."""
    if beside is None:
        return [(user_id, *at, moved) for at, moved in _sum_by_period(column).items() if moved]
    if not beside:
        return [(user_id, *at, moved, 0) for at, moved in _sum_by_period(column).items() if moved]
    sums: dict[Row, tuple[int, int]] = {}
    for key in {**column, **beside}:
        head, first, second = key[:-1], column.get(key, 0), beside.get(key, 0)
        for period in periods(key[-1]):
            at = head + period
            before = sums.get(at)
            sums[at] = (before[0] + first, before[1] + second) if before else (first, second)
    return [(user_id, *at, *moved) for at, moved in sums.items() if any(moved)]


def _sum_by_period(column: Sums[Any]) -> dict[Row, int]:
    """Regroups from key and day to key and period."""
    sums: dict[Row, int] = {}
    for key, moved in column.items():
        head = key[:-1]
        for period in periods(key[-1]):
            at = head + period
            sums[at] = sums.get(at, 0) + moved
    return sums
