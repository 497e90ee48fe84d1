"""Adds many stored entries to the stored sums, or subtracts them, by statements on sets of rows.

`store` handles other cases one by one: a few entries, for which that is quicker, and amounts whose intermediate sums
may exceed 64 bits.
"""

from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from functools import cache
from typing import Literal

from msgspec import Struct

from farthing.ledger.kinds import Type
from farthing.storage.drivers import dialects
from farthing.storage.unit import Unit

from ..index import mentions
from .sums import COUNTS, add_rows

Times = Literal[1, -1]
_TIMES: tuple[Times, ...] = (1, -1)
# If the upper halves of the amounts sum up to less than this, no intermediate sum can exceed 64 bits.
_SAFE_HALVES = 2**29
_SAFE_UNITS = 2**61
# To find more than one in twenty of a user's entries, reading all rows is cheaper than finding single rows.
_LARGE_PART = 20
# Fewer entries are handled one by one.
ENTRIES_MIN = 50
# The number of entries processed at once, to bound memory.
BATCH_MAX = 5000
# The number of entries summed at once. Summing needs little memory, and each sum is written only once per batch.
SUMMED_MAX = 20_000

_WITHDRAWAL, _DEPOSIT = int(Type.WITHDRAWAL), int(Type.DEPOSIT)
# The sums of a batch are made of its splits as they are booked, and of their postings.
_OF_BATCH = "user_id = :user_id AND entry_id IN :ids"
_CHOSEN, _POSTED = "chosen", "posted"
_READ = {
    _CHOSEN: f"""
    SELECT entry_id, position, type, refund, on_day, category_id, budget_id, source_id, destination_id,
        left_currency_id, left_units, arrived_currency_id, arrived_units FROM booked_splits WHERE {_OF_BATCH}
    """,
    _POSTED: f"SELECT account_id, currency_id, on_day, units, settled FROM postings WHERE {_OF_BATCH}",
}
_FLOW_CURRENCY = f"CASE type WHEN {_DEPOSIT} THEN arrived_currency_id ELSE left_currency_id END AS flow_currency_id"
# A refund is counted as a deposit, but its amount reduces withdrawals. A transfer is counted in the currency that left,
# with the amount zero.
_FLOWED = f"""
(
    SELECT entry_id, position, on_day, category_id, budget_id, source_id, destination_id, type AS flow_type,
        {_FLOW_CURRENCY},
        CASE type WHEN {_WITHDRAWAL} THEN left_units WHEN {_DEPOSIT} THEN (1 - refund) * arrived_units ELSE 0 END
            AS flow_units, 1 AS counted
    FROM chosen
    UNION ALL SELECT entry_id, position, on_day, category_id, budget_id, source_id, destination_id, {_WITHDRAWAL},
        arrived_currency_id, -arrived_units, 0 FROM chosen WHERE refund = 1
) AS flowed
"""
_STAYING = "posted WHERE NOT account_id IN :gone"
_COUNTING = f"posted JOIN accounts a ON a.user_id = :user_id AND a.id = posted.account_id AND {COUNTS}"
_OF_FLOWED = "entry_id, position, flow_type, flow_currency_id, on_day, flow_units, counted"
_TOUCHED = f"""
(
    SELECT source_id AS account_id, {_OF_FLOWED} FROM {_FLOWED}
    UNION ALL SELECT destination_id, {_OF_FLOWED} FROM {_FLOWED}
) AS touched WHERE NOT account_id IN :gone
"""
_TAGGED = f"""
{_FLOWED} JOIN entry_tags ON entry_tags.user_id = :user_id AND entry_tags.entry_id = flowed.entry_id
"""


class _SumTable(Struct, frozen=True, eq=False):
    """A table of sums: its keys, its sums, and the rows from which the sums are computed."""

    table: str
    keys: dict[str, str]
    sums: dict[str, str]
    rows: str = "chosen"
    day: str = "on_day"
    made_of: str = _CHOSEN


def _of_label(table: str, label_id: str, rows: str, is_first: str, day: str = "on_day") -> _SumTable:
    """Sums the splits that have a label. `is_first` is the condition that no earlier split of the entry has it."""
    return _SumTable(
        table,
        {"label_id": label_id, "type": "flow_type", "currency_id": "flow_currency_id"},
        {
            "units": "SUM(flow_units)",
            "splits": "SUM(counted)",
            "entries": f"SUM(CASE WHEN {is_first} THEN counted ELSE 0 END)",
        },
        rows,
        day,
    )


def _is_first(rows: str, has: str) -> str:
    return f"""
        position = 0 OR NOT EXISTS (
            SELECT 1 FROM splits f WHERE f.user_id = :user_id AND f.entry_id = {rows}.entry_id
                AND f.position < {rows}.position AND {has}
        )
    """


_FIRST_OF_ACCOUNT = _is_first("touched", "(f.source_id = account_id OR f.destination_id = account_id)")
_FIRST_OF_CATEGORY = _is_first("flowed", "f.category_id = flowed.category_id")
_FIRST_OF_BUDGET = _is_first("flowed", "f.budget_id = flowed.budget_id")
# All splits of an entry have its tags.
_FIRST_OF_TAG = "position = 0"
_SUM_TABLES = (
    _SumTable(
        "balances",
        {"account_id": "account_id", "currency_id": "currency_id"},
        {"units": "SUM(units)", "reconciled": "SUM(units * settled)"},
        _STAYING,
        made_of=_POSTED,
    ),
    _SumTable("net_worth", {"currency_id": "posted.currency_id"}, {"units": "SUM(units)"}, _COUNTING, made_of=_POSTED),
    _SumTable("flows", {"type": "flow_type", "currency_id": "flow_currency_id"}, {"units": "SUM(flow_units)"}, _FLOWED),
    _SumTable(
        "counts",
        {"type": "type"},
        {"entries": "SUM(CASE position WHEN 0 THEN 1 ELSE 0 END)", "splits": "COUNT(*)"},
    ),
    _of_label("sums_of_accounts", "account_id", _TOUCHED, _FIRST_OF_ACCOUNT),
    _of_label("sums_of_categories", "category_id", f"{_FLOWED} WHERE category_id IS NOT NULL", _FIRST_OF_CATEGORY),
    _of_label("sums_of_budgets", "budget_id", f"{_FLOWED} WHERE budget_id IS NOT NULL", _FIRST_OF_BUDGET),
    _of_label("sums_of_tags", "tag_id", _TAGGED, _FIRST_OF_TAG, day="flowed.on_day"),
)
TABLES = frozenset(summed.table for summed in _SUM_TABLES)


@cache
def _make_statement(summed: _SumTable, times: Times, beginning: str) -> str:
    """Builds SQL that sums rows by day, then the days by month, then the months for all time. Skips sums of zero."""
    keys, sums = ", ".join(summed.keys), ", ".join(summed.sums)
    again = ", ".join(f"SUM({name}) AS {name}" for name in summed.sums)
    rows = f"""
    WITH {beginning}
    days AS MATERIALIZED (
        SELECT {_named(summed.keys)}, {summed.day} AS on_day, {_named(summed.sums)} FROM {summed.rows}
        GROUP BY {", ".join(summed.keys.values())}, {summed.day}
    ),
    months AS MATERIALIZED (
        SELECT {keys}, substr(on_day, 1, 7) AS month, {again} FROM days GROUP BY {keys}, substr(on_day, 1, 7)
    ),
    moved AS (
        SELECT {keys}, 'day' AS grain, on_day AS period, {sums} FROM days
        UNION ALL SELECT {keys}, 'month', month, {sums} FROM months
        UNION ALL SELECT {keys}, 'all', '', {again} FROM months GROUP BY {keys}
    )
    SELECT :user_id, {keys}, grain, period, {", ".join(f"{times} * {name}" for name in summed.sums)} FROM moved
    WHERE {" OR ".join(f"{name} <> 0" for name in summed.sums)}
    """
    return add_rows(summed.table, rows)


def _named(values: dict[str, str]) -> str:
    return ", ".join(f"{value} AS {name}" for name, value in values.items())


def can_be_summed(db: Unit, user_id: int, entry_ids: list[int]) -> bool:
    """Checks that no intermediate sum can exceed 64 bits, whatever the order of summing."""
    sql = """
        SELECT SUM((units >> 32) + COALESCE(foreign_units >> 32, 0)) FROM splits
        WHERE user_id = :user_id AND entry_id IN :ids
    """
    halves = db.value(sql, user_id=user_id, ids=entry_ids)
    if len(entry_ids) <= SUMMED_MAX:  # then the first sum is the outcome
        return int(halves or 0) < _SAFE_HALVES
    sql = """
        SELECT 1 FROM balances WHERE user_id = :user_id
            AND (ABS(units / 2) > :safe OR ABS(reconciled / 2) > :safe) LIMIT 1
    """
    largest = db.value(sql, user_id=user_id, safe=_SAFE_UNITS)
    return int(halves or 0) < _SAFE_HALVES and not largest


def batches(ids: Sequence[int], most: int | None = None) -> Iterator[list[int]]:
    most = most or BATCH_MAX
    return (list(ids[first : first + most]) for first in range(0, len(ids), most))


def add(
    db: Unit, user_id: int, entry_ids: list[int], times: Times, gone: list[int], tables: frozenset[str] = TABLES
) -> None:
    """Adds entries to the sums, or subtracts them. Skips accounts in `gone`, because they are being deleted."""
    kept_sums = [summed for summed in _SUM_TABLES if summed.table in tables]
    for batch in batches(entry_ids, SUMMED_MAX):
        with _rows_of(db, user_id, batch, {summed.made_of for summed in kept_sums}) as beginnings:
            for summed in kept_sums:
                statement = _make_statement(summed, times, beginnings[summed.made_of])
                db.run(statement, user_id=user_id, ids=batch, gone=gone)


@contextmanager
def _rows_of(db: Unit, user_id: int, batch: list[int], names: Set[str]) -> Iterator[dict[str, str]]:
    """Provides a batch's rows inside the `with` block. Yields, by name, how a statement that reads the rows begins."""
    yield {name: dialects.keep_rows(db, name, _READ[name], user_id=user_id, ids=batch) for name in names}
    for name in names:
        dialects.forget_rows(db, name)


def is_large_part(db: Unit, user_id: int, entry_ids: list[int]) -> bool:
    total = db.value("SELECT SUM(entries) FROM counts WHERE user_id = :user_id AND grain = 'all'", user_id=user_id)
    return len(entry_ids) * _LARGE_PART > int(total or 0)


def remove_words_and_payments(db: Unit, user_id: int, entry_ids: list[int]) -> None:
    """Removes words and payments of many entries by scanning all words and payments of the user once."""
    condition = dialects.in_very_many(db)
    db.run(f"DELETE FROM payments WHERE user_id = :user_id AND entry_id {condition}", user_id=user_id, ids=entry_ids)
    mentions.remove_all(db, user_id, entry_ids)


_ONE_TAG = _of_label(
    "sums_of_tags", "tag_id", f"{_TAGGED} AND entry_tags.tag_id = :tag_id", _FIRST_OF_TAG, day="flowed.on_day"
)


# Both labels that are merged count an entry that has both, so one is subtracted where the later of the two is counted.
_TWICE = """
(
    SELECT type AS flow_type, {currency}, on_day FROM chosen JOIN (
        SELECT entry_id AS later_entry_id, MAX(first) AS later_position FROM (
            SELECT entry_id, MIN(position) AS first FROM {carrying} WHERE label_id IN (:from_id, :into_id)
            GROUP BY entry_id, label_id
        ) AS firsts GROUP BY entry_id HAVING COUNT(*) = 2
    ) AS later ON entry_id = later_entry_id AND position = later_position
) AS twice
"""
_SIDES = """
(
    SELECT entry_id, position, source_id AS label_id FROM chosen
    UNION ALL SELECT entry_id, position, destination_id FROM chosen
) AS sides
"""
_CARRYING = {
    "accounts": _SIDES,
    "categories": "(SELECT entry_id, position, category_id AS label_id FROM chosen) AS carrying",
    "budgets": "(SELECT entry_id, position, budget_id AS label_id FROM chosen) AS carrying",
}
_COUNTED_TWICE = {
    f"sums_of_{label}": _SumTable(
        f"sums_of_{label}",
        {"label_id": "CAST(:into_id AS BIGINT)", "type": "flow_type", "currency_id": "flow_currency_id"},
        {"units": "0", "splits": "0", "entries": "COUNT(*)"},
        _TWICE.format(currency=_FLOW_CURRENCY, carrying=carrying),
    )
    for label, carrying in _CARRYING.items()
}


def count_common_once(db: Unit, user_id: int, table: str, entry_ids: list[int], *, from_id: int, into_id: int) -> None:
    """Subtracts entries that have both labels from the count of `into_id`; call it before the labels are merged."""
    for batch in batches(entry_ids):
        with _rows_of(db, user_id, batch, {_CHOSEN}) as beginnings:
            statement = _make_statement(_COUNTED_TWICE[table], -1, beginnings[_CHOSEN])
            db.run(statement, user_id=user_id, ids=batch, from_id=from_id, into_id=into_id)


def take_tag_out(db: Unit, user_id: int, entry_ids: list[int], tag_id: int) -> None:
    """Subtracts entries from the sums of one tag; call it before the entries lose the tag."""
    for batch in batches(entry_ids):
        with _rows_of(db, user_id, batch, {_CHOSEN}) as beginnings:
            statement = _make_statement(_ONE_TAG, -1, beginnings[_CHOSEN])
            db.run(statement, user_id=user_id, ids=batch, tag_id=tag_id)
