"""Stores labels: categories, budgets and tags. Names are unique, ignoring case."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from datetime import date
from functools import cache

from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.kernel.text import fold
from farthing.ledger.entry import Label as Label
from farthing.ledger.kinds import FLOWING
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import find_id, next_position
from farthing.storage.grains import ALL_TIME, HALVES, for_each_span, join_halves, parameters_of, spans
from farthing.storage.unit import Unit, columns_of

from .model import Sum, Sums


def unused(label: Label) -> str:
    """Returns the SQL condition that selects the labels that no transaction has."""
    return f"""NOT EXISTS (
        SELECT 1 FROM sums_of_{label} s WHERE s.user_id = :user_id AND s.label_id = {label}.id
            AND s.grain = 'all' AND s.period = '' AND s.splits > 0
    )"""


def find_named(db: Unit, user_id: int, label: Label, name: str) -> int | None:
    sql = f"SELECT id FROM {label} WHERE user_id = :user_id AND name_fold = :name_fold"
    return find_id(db, sql, user_id=user_id, name_fold=fold(name))


def is_taken(db: Unit, user_id: int, label: Label, name: str, *, except_id: int) -> bool:
    return find_named(db, user_id, label, name) not in (None, except_id)


def add(db: Unit, user_id: int, label: Label, name: str, now: str) -> int:
    last = {"position": next_position(db, user_id, label)} if label == "budgets" else {}
    return changes.insert(db, label, user_id, {"name": name, "name_fold": fold(name), **last}, now)


def are_there(db: Unit, user_id: int, label: Label, ids: Collection[int]) -> bool:
    """Tells whether all of these labels exist."""
    sql = f"SELECT COUNT(*) FROM {label} WHERE user_id = :user_id AND id IN :ids"
    return not ids or db.value(sql, user_id=user_id, ids=list(ids)) == len(set(ids))


def ids_of(db: Unit, user_id: int, label: Label, names: Sequence[str], now: str) -> list[int]:
    """Returns the ids of the labels with these names, ignoring case. Creates labels that do not exist yet."""
    sql = f"SELECT name_fold, id FROM {label} WHERE user_id = :user_id AND name_fold IN :folds"
    rows = db.all(sql, user_id=user_id, folds=[fold(name) for name in names])
    ids = dict(rows)
    for name in names:
        if fold(name) not in ids:
            ids[fold(name)] = add(db, user_id, label, name, now)
    return list(dict.fromkeys(ids[fold(name)] for name in names))


def remove(db: Unit, user_id: int, label: Label, label_id: int) -> None:
    """Removes a label and its stored sums. Remove all references to the label first."""
    changes.delete(db, label, user_id, "id = :id", id=label_id)


class _SumRow(Struct, frozen=True):
    """Holds a label's sum in one currency, as the upper and lower half of the number, and the number of splits."""

    label_id: int
    type: int
    high: int
    low: int
    splits: int
    currency: Currency


def sums(
    db: Unit, user_id: int, label: Label, label_ids: Sequence[int], within: tuple[date, date] | None
) -> dict[int, Sums]:
    """Returns the sums of each label, either in a range or over all time, with one query."""
    chosen = spans(*within) if within else [ALL_TIME]
    query = _sums(label, len(chosen))
    rows = db.structs(_SumRow, query, user_id=user_id, ids=list(label_ids), **parameters_of(chosen))
    units: dict[tuple[int, int], Counter[Currency]] = defaultdict(Counter)
    splits: Counter[int] = Counter()
    for row in rows:
        units[row.label_id, row.type][row.currency] += join_halves(row.high, row.low)
        splits[row.label_id] += int(row.splits)
    spent, earned = ({label_id: _in_order(units[label_id, type_]) for label_id in label_ids} for type_ in FLOWING)
    return {label_id: Sums(spent[label_id], earned[label_id], splits[label_id]) for label_id in label_ids}


@cache
def _sums(label: Label, spans: int) -> str:
    part = f"""
        SELECT label_id, type, currency_id, {HALVES.format(column="units")}, SUM(splits) FROM sums_of_{label} s
        WHERE user_id = :user_id AND label_id IN :ids AND {{in_span}} GROUP BY label_id, type, currency_id
    """
    return f"""
    WITH parts (label_id, type, currency_id, high, low, splits) AS ({for_each_span(part, spans, "s")})
    SELECT p.label_id, p.type, p.high, p.low, p.splits, {columns_of(Currency, "c", "currency")}
    FROM parts p JOIN currencies c ON c.id = p.currency_id
    """


def _in_order(units: Counter[Currency]) -> tuple[Sum, ...]:
    """Returns the sums ordered by currency, without those that are zero."""
    by_id = sorted(units.items(), key=lambda item: item[0].id)
    return tuple(Sum(currency, amount) for currency, amount in by_id if amount)
