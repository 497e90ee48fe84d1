"""Adds many stored entries to the sums and indexes kept for them, or subtracts them, by statements on sets of rows.

`store` handles few entries one by one, which is quicker, and amounts whose intermediate sums may exceed 64 bits.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from farthing.ledger.kinds import Type
from farthing.storage.unit import Dialect, Unit

from . import mentions
from .sums import COUNTS

Times = Literal[1, -1]
_TIMES: tuple[Times, ...] = (1, -1)
_DIALECTS: tuple[Dialect, ...] = ("sqlite", "postgresql")
# If the upper halves of the amounts sum up to less than this, no intermediate sum can exceed 64 bits.
_SAFE_HALVES = 2**29
_SAFE_UNITS = 2**61
# For more than one in so many of a user's entries, reading all their rows is cheaper than finding single ones.
_LARGE_PART = 20
# Fewer entries than this are done one by one.
ENTRIES_MIN = 50
# So many are processed at once, to bound the memory they take.
BATCH_MAX = 5000
# So many are summed at once, which takes little memory: then a sum that many batches have in common is written once.
SUMMED_MAX = 20_000

_WITHDRAWAL, _DEPOSIT, _OPENING = int(Type.WITHDRAWAL), int(Type.DEPOSIT), int(Type.OPENING_BALANCE)
# The splits of a batch as they are booked. SQLite reads them once, into a temporary table; PostgreSQL reads them for
# each statement, so that no statement has to wait for another.
_CHOOSE = f"""
SELECT entry_id, position, type, refund, on_day, category_id, budget_id, source_id, destination_id,
    CASE source_foreign WHEN 1 THEN foreign_currency_id ELSE currency_id END AS left_currency_id,
    CASE source_foreign WHEN 1 THEN foreign_units ELSE units END AS left_units,
    CASE destination_foreign WHEN 1 THEN foreign_currency_id ELSE currency_id END AS arrived_currency_id,
    CASE destination_foreign WHEN 1 THEN foreign_units ELSE units END AS arrived_units,
    CASE WHEN reconciled = 1 OR type = {_OPENING} THEN 1 ELSE 0 END AS settled
FROM splits WHERE user_id = :user_id AND entry_id IN :ids
"""
_FLOW_CURRENCY = f"CASE type WHEN {_DEPOSIT} THEN arrived_currency_id ELSE left_currency_id END AS flow_currency_id"
# A refund is counted among deposits, and its amount taken off withdrawals; a transfer is counted, in the currency that
# left, but neither spent nor earned.
_FLOWED = f"""
(
    SELECT entry_id, on_day, category_id, budget_id, source_id, destination_id, type AS flow_type, {_FLOW_CURRENCY},
        CASE type WHEN {_WITHDRAWAL} THEN left_units WHEN {_DEPOSIT} THEN (1 - refund) * arrived_units ELSE 0 END
            AS flow_units, 1 AS counted
    FROM chosen
    UNION ALL SELECT entry_id, on_day, category_id, budget_id, source_id, destination_id, {_WITHDRAWAL},
        arrived_currency_id, -arrived_units, 0 FROM chosen WHERE refund = 1
) AS flowed
"""
_EXCHANGES = "WHERE left_currency_id <> arrived_currency_id"
_EXCHANGE = "CAST(:exchange_id AS BIGINT)"
_POSTED = f"""
(
    SELECT source_id AS account_id, left_currency_id AS currency_id, on_day, -left_units AS units, settled FROM chosen
    UNION ALL SELECT destination_id, arrived_currency_id, on_day, arrived_units, settled FROM chosen
    UNION ALL SELECT {_EXCHANGE}, left_currency_id, on_day, left_units, settled FROM chosen {_EXCHANGES}
    UNION ALL SELECT {_EXCHANGE}, arrived_currency_id, on_day, -arrived_units, settled FROM chosen {_EXCHANGES}
) AS posted
"""
_STAYING = f"{_POSTED} WHERE NOT account_id IN :gone"
_COUNTING = f"{_POSTED} JOIN accounts a ON a.user_id = :user_id AND a.id = posted.account_id AND {COUNTS}"
_TOUCHED = f"""
(
    SELECT source_id AS account_id, flow_type, flow_currency_id, on_day, flow_units, counted FROM {_FLOWED}
    UNION ALL SELECT destination_id, flow_type, flow_currency_id, on_day, flow_units, counted FROM {_FLOWED}
) AS touched WHERE NOT account_id IN :gone
"""
_TAGGED = f"""
{_FLOWED} JOIN entry_tags ON entry_tags.user_id = :user_id AND entry_tags.entry_id = flowed.entry_id
"""


class _Kept(Struct, frozen=True):
    """A table of sums: by what, which sums, and the rows that they are made of."""

    table: str
    keys: dict[str, str]
    sums: dict[str, str]
    rows: str = "chosen"
    day: str = "on_day"


def _of_label(table: str, label_id: str, rows: str, day: str = "on_day") -> _Kept:
    return _Kept(
        table,
        {"label_id": label_id, "type": "flow_type", "currency_id": "flow_currency_id"},
        {"units": "SUM(flow_units)", "splits": "SUM(counted)"},
        rows,
        day,
    )


_KEPT = (
    _Kept(
        "balances",
        {"account_id": "account_id", "currency_id": "currency_id"},
        {"units": "SUM(units)", "reconciled": "SUM(units * settled)"},
        _STAYING,
    ),
    _Kept("net_worth", {"currency_id": "posted.currency_id"}, {"units": "SUM(units)"}, _COUNTING),
    _Kept("flows", {"type": "flow_type", "currency_id": "flow_currency_id"}, {"units": "SUM(flow_units)"}, _FLOWED),
    _Kept(
        "counts",
        {"type": "type"},
        {"entries": "SUM(CASE position WHEN 0 THEN 1 ELSE 0 END)", "splits": "COUNT(*)"},
    ),
    _of_label("sums_of_accounts", "account_id", _TOUCHED),
    _of_label("sums_of_categories", "category_id", f"{_FLOWED} WHERE category_id IS NOT NULL"),
    _of_label("sums_of_budgets", "budget_id", f"{_FLOWED} WHERE budget_id IS NOT NULL"),
    _of_label("sums_of_tags", "tag_id", _TAGGED, day="flowed.on_day"),
)
TABLES = frozenset(kept.table for kept in _KEPT)


def _make_statement(kept: _Kept, times: Times, dialect: Dialect) -> str:
    """Summed by day, these by month, and these for all time; what does not move is left alone."""
    keys, sums = ", ".join(kept.keys), ", ".join(kept.sums)
    again = ", ".join(f"SUM({name}) AS {name}" for name in kept.sums)
    return f"""
    INSERT INTO {kept.table} (user_id, {keys}, grain, period, {sums})
    WITH {f"chosen AS MATERIALIZED ({_CHOOSE})," if dialect == "postgresql" else ""}
    days AS MATERIALIZED (
        SELECT {_named(kept.keys)}, {kept.day} AS on_day, {_named(kept.sums)} FROM {kept.rows}
        GROUP BY {", ".join(kept.keys.values())}, {kept.day}
    ),
    months AS MATERIALIZED (
        SELECT {keys}, substr(on_day, 1, 7) AS month, {again} FROM days GROUP BY {keys}, substr(on_day, 1, 7)
    ),
    moved AS (
        SELECT {keys}, 'day' AS grain, on_day AS period, {sums} FROM days
        UNION ALL SELECT {keys}, 'month', month, {sums} FROM months
        UNION ALL SELECT {keys}, 'all', '', {again} FROM months GROUP BY {keys}
    )
    SELECT :user_id, {keys}, grain, period, {", ".join(f"{times} * {name}" for name in kept.sums)} FROM moved
    WHERE {" OR ".join(f"{name} <> 0" for name in kept.sums)}
    ON CONFLICT (user_id, {keys}, grain, period)
    DO UPDATE SET {", ".join(f"{name} = {kept.table}.{name} + excluded.{name}" for name in kept.sums)}
    """


def _named(values: dict[str, str]) -> str:
    return ", ".join(f"{value} AS {name}" for name, value in values.items())


_STATEMENTS = {
    (kept.table, times, dialect): _make_statement(kept, times, dialect)
    for kept in _KEPT
    for times in _TIMES
    for dialect in _DIALECTS
}


def can_be_summed(db: Unit, user_id: int, entry_ids: list[int]) -> bool:
    """Whether no sum on the way can leave 64 bits, whatever the order."""
    halves = db.value(
        """
        SELECT SUM((units >> 32) + COALESCE(foreign_units >> 32, 0)) FROM splits
        WHERE user_id = :user_id AND entry_id IN :ids
        """,
        user_id=user_id,
        ids=entry_ids,
    )
    if len(entry_ids) <= SUMMED_MAX:  # then the first sum is the outcome
        return int(halves or 0) < _SAFE_HALVES
    largest = db.value(
        """
        SELECT 1 FROM balances WHERE user_id = :user_id
            AND (ABS(units / 2) > :safe OR ABS(reconciled / 2) > :safe) LIMIT 1
        """,
        user_id=user_id,
        safe=_SAFE_UNITS,
    )
    return int(halves or 0) < _SAFE_HALVES and not largest


def batches(ids: Sequence[int], most: int | None = None) -> Iterator[list[int]]:
    most = most or BATCH_MAX
    return (list(ids[first : first + most]) for first in range(0, len(ids), most))


def add(
    db: Unit, user_id: int, entry_ids: list[int], times: Times, gone: list[int], tables: frozenset[str] = TABLES
) -> None:
    """To the sums, or out of them; those of the accounts in `gone` are deleted anyway, but not the net worth."""
    given = {"user_id": user_id, "gone": gone, "exchange_id": _exchange_id(db, user_id)}
    for batch in batches(entry_ids, SUMMED_MAX):
        _choose(db, user_id, batch)
        for kept in _KEPT:
            if kept.table in tables:
                db.run(_STATEMENTS[kept.table, times, db.dialect], ids=batch, **given)
    _forget_chosen(db)


def _choose(db: Unit, user_id: int, batch: list[int]) -> None:
    _forget_chosen(db)
    if db.dialect == "sqlite":
        db.run(f"CREATE TEMP TABLE chosen AS {_CHOOSE}", user_id=user_id, ids=batch)


def _forget_chosen(db: Unit) -> None:
    if db.dialect == "sqlite":
        db.run("DROP TABLE IF EXISTS temp.chosen")


def _exchange_id(db: Unit, user_id: int) -> int | None:
    found: int | None = db.value(
        "SELECT id FROM accounts WHERE user_id = :user_id AND kind = 'Exchange account'", user_id=user_id
    )
    return found


def is_large_part(db: Unit, user_id: int, entry_ids: list[int]) -> bool:
    total = db.value("SELECT SUM(entries) FROM counts WHERE user_id = :user_id AND grain = 'all'", user_id=user_id)
    return len(entry_ids) * _LARGE_PART > int(total or 0)


def remove_words_and_payments(db: Unit, user_id: int, entry_ids: list[int]) -> None:
    """Scans the words and payments of the user once."""
    found = mentions.in_very_many(db.dialect)
    db.run(f"DELETE FROM payments WHERE user_id = :user_id AND entry_id {found}", user_id=user_id, ids=entry_ids)
    mentions.remove_all(db, user_id, entry_ids)


_ONE_TAG = _of_label("sums_of_tags", "tag_id", f"{_TAGGED} AND entry_tags.tag_id = :tag_id", day="flowed.on_day")
_TAKE_TAG_OUT = {dialect: _make_statement(_ONE_TAG, -1, dialect) for dialect in _DIALECTS}


def take_tag_out(db: Unit, user_id: int, entry_ids: list[int], tag_id: int) -> None:
    """Subtracts entries from the sums of one tag; call it before the entries lose the tag."""
    for batch in batches(entry_ids):
        _choose(db, user_id, batch)
        db.run(_TAKE_TAG_OUT[db.dialect], user_id=user_id, ids=batch, tag_id=tag_id)
    _forget_chosen(db)
