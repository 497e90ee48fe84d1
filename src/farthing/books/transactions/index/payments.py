"""Maintains the amounts of withdrawals by currency, so that a bill's payments can be found by their amounts."""

from collections import Counter
from collections.abc import Iterable

from farthing.kernel.money import UNITS_MAX
from farthing.ledger.entry import Entry, amounts
from farthing.ledger.kinds import Type
from farthing.storage.unit import Answer, Overflow, Row, Unit

_ADD = """
INSERT INTO payments (user_id, currency_id, units, entry_id) VALUES (:user_id, :currency_id, :units, :entry_id)
"""
# The type is filtered after materializing, because SQLite would otherwise read every withdrawal by an index of types.
_ADD_STORED = f"""
INSERT INTO payments (user_id, currency_id, units, entry_id)
WITH named AS MATERIALIZED (
    SELECT type, entry_id, currency_id, units, foreign_currency_id, foreign_units FROM splits
    WHERE user_id = :user_id AND entry_id IN :entry_ids
)
SELECT :user_id, currency_id, SUM(units), entry_id FROM (
    SELECT type, entry_id, currency_id, units FROM named
    UNION ALL SELECT type, entry_id, foreign_currency_id, foreign_units FROM named
    WHERE foreign_currency_id <> currency_id
) AS amounts WHERE type = {int(Type.WITHDRAWAL)} GROUP BY entry_id, currency_id
"""


def add(db: Unit, user_id: int, entries: Iterable[tuple[int, Entry]]) -> None:
    rows: list[Row] = []
    for entry_id, entry in entries:
        if entry.type != Type.WITHDRAWAL:
            continue
        for currency_id, units in amounts(entry).items():
            if units > UNITS_MAX:
                raise Overflow("the sum of an entry's splits exceeds 64 bits")
            rows.append((user_id, currency_id, units, entry_id))
    if rows:
        db.many(_ADD, rows)


def add_stored(db: Unit, user_id: int, entry_ids: list[int]) -> None:
    db.run(_ADD_STORED, user_id=user_id, entry_ids=entry_ids)


def remove(db: Unit, user_id: int, entry_ids: list[int]) -> None:
    """Removes the payments of entries. Call it before the splits are deleted, because their amounts are read."""
    take_out(db, user_id, ask_stored(db, user_id, entry_ids))


def take_out(db: Unit, user_id: int, answer: Answer[Row]) -> None:
    """Removes the payments of the splits in the answer that `ask_stored` returned."""
    rows = _sum_rows(user_id, answer.rows())
    if rows:
        sql = """
            DELETE FROM payments
            WHERE user_id = :user_id AND currency_id = :currency_id AND units = :units AND entry_id = :entry_id
        """
        db.many(sql, rows)


def ask_stored(db: Unit, user_id: int, entry_ids: list[int]) -> Answer[Row]:
    sql = """
        SELECT type, entry_id, currency_id, units, foreign_currency_id, foreign_units FROM splits
        WHERE user_id = :user_id AND entry_id IN :entry_ids
    """
    return db.ask(sql, user_id=user_id, entry_ids=entry_ids)


def _sum_rows(user_id: int, rows: list[Row]) -> list[Row]:
    """Sums withdrawals by entry and currency into rows, in the column order of the SQL statements above."""
    sums: Counter[tuple[int, int]] = Counter()
    for type_, entry_id, currency_id, units, foreign_currency_id, foreign_units in rows:
        # The type is filtered here, because SQLite would otherwise read every withdrawal by an index of types.
        if type_ != Type.WITHDRAWAL:
            continue
        sums[entry_id, currency_id] += units
        if foreign_currency_id and foreign_currency_id != currency_id:
            sums[entry_id, foreign_currency_id] += foreign_units
    return [(user_id, currency_id, units, entry_id) for (entry_id, currency_id), units in sums.items()]
