"""Updates the stored sums: overall, per month and per day."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

import msgspec

from farthing.ledger.balance import Effect, LabelSums, Sums, periods
from farthing.ledger.entry import SUMMED
from farthing.ledger.kinds import ASSETS, LIABILITIES
from farthing.storage.drivers import dialects
from farthing.storage.unit import Overflow, Row, Unit

_encode = msgspec.json.Encoder().encode
# The keys and the amounts of each table of sums, which has a row for each user, key and period.
_OF_LABEL = ("label_id", "type", "currency_id"), ("units", "splits", "entries")
TABLES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "balances": (("account_id", "currency_id"), ("units", "reconciled")),
    "net_worth": (("currency_id",), ("units",)),
    "flows": (("type", "currency_id"), ("units",)),
    "counts": (("type",), ("entries", "splits")),
    **{f"sums_of_{label}": _OF_LABEL for label in SUMMED},
}


def add_rows(table: str, rows: str) -> str:
    """Builds SQL that adds rows to sums. A row has the user, the keys, the grain, the period and the amounts."""
    keys, amounts = (", ".join(names) for names in TABLES[table])
    added = ", ".join(f"{name} = {table}.{name} + excluded.{name}" for name in TABLES[table][1])
    return f"""
    INSERT INTO {table} (user_id, {keys}, grain, period, {amounts}) {rows}
    ON CONFLICT (user_id, {keys}, grain, period) DO UPDATE SET {added}
    """


@cache
def _add_values(table: str) -> str:
    keys, amounts = TABLES[table]
    columns = ("user_id", *keys, "grain", "period", *amounts)
    return add_rows(table, f"VALUES ({', '.join(f':{column}' for column in columns)})")


# Selects the accounts in the net worth. Avoids an IN list, for which SQLite would build an index each time.
OWN = " OR ".join(f"a.kind = '{kind.value}'" for kind in sorted(ASSETS | LIABILITIES))
COUNTS = f"a.include_net_worth = 1 AND ({OWN})"
# Checks within the statement whether the account is part of the net worth, so that no query is needed before.
_ADD_NET_WORTH = add_rows(
    "net_worth",
    f"""
    WITH counting AS (SELECT a.user_id FROM accounts a WHERE a.user_id = :user_id AND a.id = :account_id AND {COUNTS})
    SELECT user_id, :currency_id, :grain, :period, :units FROM counting WHERE 1 = 1
    """,
)
# PostgreSQL gets all rows at once, because each statement costs as much as several rows.
_ADD_NET_WORTH_AT_ONCE = add_rows(
    "net_worth",
    f"""
    SELECT a.user_id, moved.currency_id, moved.grain, moved.period, SUM(moved.units)
    FROM json_populate_recordset(NULL::balances, :moved) AS moved
    JOIN accounts a ON a.user_id = :user_id AND a.id = moved.account_id AND {COUNTS}
    GROUP BY a.user_id, moved.currency_id, moved.grain, moved.period
    """,
)
_MOVE_NET_WORTH = add_rows(
    "net_worth",
    f"""
    SELECT b.user_id, b.currency_id, b.grain, b.period, {{times}} * SUM(b.units)
    FROM accounts a JOIN balances b ON b.user_id = a.user_id AND b.account_id = a.id
    WHERE a.user_id = :user_id AND a.id IN :account_ids AND {COUNTS}
    GROUP BY b.user_id, b.currency_id, b.grain, b.period
    """,
)


def apply(db: Unit, user_id: int, effect: Effect) -> None:
    """Adds an effect to the stored sums, skipping unchanged ones. Writes few rows, however long the history is."""
    units = _rows(user_id, effect.units, effect.reconciled)
    _add_net_worth(db, user_id, [row[1:-1] for row in units if row[1] in effect.own and row[-2]])
    for table, rows in (
        ("balances", units),
        ("flows", _rows(user_id, effect.flows)),
        ("counts", _rows(user_id, effect.entries, effect.splits)),
        *((f"sums_of_{label}", _label_rows(user_id, of)) for label, of in effect.labels.items()),
    ):
        if rows:
            db.many(_add_values(table), rows)


def _add_net_worth(db: Unit, user_id: int, rows: list[Row]) -> None:
    """Updates the net worth. Each row has an account, a currency, a grain, a period and units."""
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
    """Adds the balances of accounts to the net worth, or subtracts them. Skips accounts that are not part of it."""
    if account_ids:
        db.run(_MOVE_NET_WORTH.format(times=times), user_id=user_id, account_ids=list(account_ids))


def _rows(user_id: int, column: Sums[Any], beside: Sums[Any] | None = None) -> list[Row]:
    """Returns rows of user, key, period and changes: one for each key and period in which a column changes."""
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


def _label_rows(user_id: int, of: LabelSums) -> list[Row]:
    """Does the same for the three columns of labels. Every entry has a split, so no key is only in `entries`."""
    sums: dict[Row, tuple[int, int, int]] = {}
    for key in {**of.units, **of.splits}:
        head, units, splits, entries = key[:-1], of.units.get(key, 0), of.splits.get(key, 0), of.entries.get(key, 0)
        for period in periods(key[-1]):
            at = head + period
            before = sums.get(at)
            moved = (before[0] + units, before[1] + splits, before[2] + entries) if before else (units, splits, entries)
            sums[at] = moved
    return [(user_id, *at, *moved) for at, moved in sums.items() if any(moved)]


def _sum_by_period(column: Sums[Any]) -> dict[Row, int]:
    """Turns sums by key and day into sums by key and period."""
    sums: dict[Row, int] = {}
    for key, moved in column.items():
        head = key[:-1]
        for period in periods(key[-1]):
            at = head + period
            sums[at] = sums.get(at, 0) + moved
    return sums
