"""Reads the totals of a list from stored sums, in a range or of all time."""

from collections import Counter
from datetime import date
from typing import Any

from farthing.books.transactions.counts import Days, numbers
from farthing.ledger.kinds import FLOWING, Type
from farthing.storage.grains import ALL_TIME, HALVES, for_each_span, join_halves, parameters_of, spans
from farthing.storage.unit import Unit

Units = Counter[int]  # by currency


def sum_flows(db: Unit, user_id: int, days: Days) -> dict[int, Units]:
    return _by_type(_read(db, _FLOWS, days, user_id=user_id))


def sum_labels(db: Unit, user_id: int, table: str, label_ids: list[int], days: Days) -> dict[int, Units]:
    """Sums spending and income under some labels together, by type."""
    source = _OF_LABELS.replace("{table}", table)
    return _by_type(_read(db, source, days, user_id=user_id, label_ids=label_ids))


def sum_moves(db: Unit, user_id: int, account_id: int, days: Days) -> Units:
    return _by_type(_read(db, _MOVES, days, user_id=user_id, account_id=account_id)).get(0, Counter())


def find_first_day(db: Unit, user_id: int) -> date | None:
    """The day of the first withdrawal or deposit, read from the end of an index."""
    first = "SELECT MIN(on_day) FROM splits WHERE user_id = :user_id AND type = {}"
    rows = db.all(" UNION ALL ".join(first.format(int(type_)) for type_ in FLOWING), user_id=user_id)
    return min((date.fromisoformat(on_day) for (on_day,) in rows if on_day), default=None)


def count_entries(db: Unit, user_id: int, types: frozenset[Type], days: Days) -> int:
    source = _ENTRIES.replace("{types}", numbers(types))
    return sum(int(low or 0) for _, _, _, low in _read(db, source, days, user_id=user_id))


# Each selects type, currency and the halves of the units. Currencies are joined first, because they lead the index.
_FLOWS = f"""
SELECT t.type, c.id, {HALVES.format(column="s.units")}
FROM (SELECT 1 AS type UNION ALL SELECT 2) AS t CROSS JOIN currencies c CROSS JOIN flows s
WHERE s.user_id = :user_id AND s.type = t.type AND s.currency_id = c.id AND {{in_span}} GROUP BY t.type, c.id
"""
_OF_LABELS = f"""
SELECT s.type, s.currency_id, {HALVES.format(column="s.units")} FROM sums_of_{{table}} s
WHERE s.user_id = :user_id AND s.label_id IN :label_ids AND {{in_span}} GROUP BY s.type, s.currency_id
"""
_MOVES = f"""
SELECT 0, c.id, {HALVES.format(column="s.units")} FROM currencies c CROSS JOIN balances s
WHERE s.user_id = :user_id AND s.account_id = :account_id AND s.currency_id = c.id AND {{in_span}} GROUP BY c.id
"""
_ENTRIES = """
SELECT 0, 0, 0, SUM(s.entries) FROM counts s WHERE s.user_id = :user_id AND s.type IN ({types}) AND {in_span}
"""


def _read(db: Unit, source: str, days: Days, **parameters: Any) -> list[Any]:
    start, end = days.start, days.end
    chosen = [ALL_TIME] if days == Days() else spans(date.fromisoformat(start), date.fromisoformat(end))
    return db.all(for_each_span(source, len(chosen), "s"), **parameters_of(chosen), **parameters)


def _by_type(rows: list[Any]) -> dict[int, Units]:
    by_type: dict[int, Units] = {}
    for type_, currency_id, high, low in rows:
        by_type.setdefault(type_, Counter())[currency_id] += join_halves(high, low)
    return by_type
