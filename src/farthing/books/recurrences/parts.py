"""Stores the repetitions of recurrences, and the splits of the transactions they make."""

from collections import defaultdict
from functools import lru_cache
from typing import Any

from farthing.kernel.money import Currency, currency_of
from farthing.ledger.entry import Entry
from farthing.schedule.repetition import Repetition, RepetitionType
from farthing.schedule.weekend import Weekend
from farthing.storage import changes
from farthing.storage.unit import Row, Unit

from .model import KeptRepetition, KeptSplit

_TABLES = ("recurrence_repetitions", "recurrence_splits")


def repetitions(db: Unit, user_id: int, ids: list[int]) -> dict[int, list[KeptRepetition]]:
    rows = db.all(
        """
        SELECT recurrence_id, id, type, moment, skip, weekend, holidays, created_at, updated_at
        FROM recurrence_repetitions
        WHERE user_id = :user_id AND recurrence_id IN :ids ORDER BY recurrence_id, place
        """,
        user_id=user_id,
        ids=ids,
    )
    found: dict[int, list[KeptRepetition]] = defaultdict(list)
    for recurrence_id, kept_id, type_, moment, skip, weekend, holidays, created_at, updated_at in rows:
        repetition = _repetition(type_, moment, skip, weekend, holidays)
        found[recurrence_id].append(
            KeptRepetition(id=kept_id, repetition=repetition, created_at=created_at, updated_at=updated_at)
        )
    return found


@lru_cache(maxsize=1000)
def _repetition(type_: str, moment: str, skip: int, weekend: int, holidays: int) -> Repetition:
    """Cached: all users together have only some hundred different ones."""
    return Repetition(
        type=RepetitionType(type_), moment=moment, skip=skip, weekend=Weekend(weekend), holidays=bool(holidays)
    )


def _currency(alias: str) -> str:
    return ", ".join(f"{alias}.{column}" for column in ("id", "code", "name", "symbol", "places"))


_SPLITS = f"""
SELECT s.recurrence_id, s.description, s.units, {_currency("c")}, s.foreign_units, {_currency("f")},
    o.id, o.name, {_currency("oc")}, d.id, d.name, {_currency("dc")}, g.id, g.name, b.id, b.name
FROM recurrence_splits s
JOIN currencies c ON c.id = s.currency_id
LEFT JOIN currencies f ON f.id = s.foreign_currency_id
JOIN accounts o ON o.user_id = s.user_id AND o.id = s.source_id
JOIN currencies oc ON oc.id = o.currency_id
JOIN accounts d ON d.user_id = s.user_id AND d.id = s.destination_id
JOIN currencies dc ON dc.id = d.currency_id
LEFT JOIN categories g ON g.user_id = s.user_id AND g.id = s.category_id
LEFT JOIN budgets b ON b.user_id = s.user_id AND b.id = s.budget_id
WHERE s.user_id = :user_id AND s.recurrence_id IN :ids ORDER BY s.recurrence_id, s.place
"""


def splits(db: Unit, user_id: int, ids: list[int]) -> dict[int, list[KeptSplit]]:
    found: dict[int, list[KeptSplit]] = defaultdict(list)
    met: dict[int, Currency] = {}

    def shared(columns: Row) -> Currency:
        return met.get(columns[0]) or met.setdefault(columns[0], currency_of(columns))

    for row in db.all(_SPLITS, user_id=user_id, ids=ids):
        recurrence_id, description, units = row[:3]
        source_id, source_name = row[14:16]
        destination_id, destination_name = row[21:23]
        category_id, category_name, budget_id, budget_name = row[28:]
        found[recurrence_id].append(
            KeptSplit(
                description=description,
                units=units,
                currency=shared(row[3:8]),
                foreign_units=row[8],
                foreign_currency=shared(row[9:14]) if row[9] else None,
                source_id=source_id,
                source_name=source_name,
                source_currency=shared(row[16:21]),
                destination_id=destination_id,
                destination_name=destination_name,
                destination_currency=shared(row[23:28]),
                category_id=category_id,
                category_name=category_name,
                budget_id=budget_id,
                budget_name=budget_name,
            )
        )
    return found


def add(db: Unit, user_id: int, recurrence_id: int, planned: tuple[Repetition, ...], entry: Entry, now: str) -> None:
    """`entry` is what it will book, with all accounts and labels created."""
    head = {"user_id": user_id, "recurrence_id": recurrence_id}
    repetitions = db.many_returning(_ADD_REPETITION, [{**head, "now": now, **row} for row in _repetition_rows(planned)])
    made = db.many_returning(_ADD_SPLIT, [{**head, **row} for row in _split_rows(entry)])
    changes.log_created(db, "recurrence_repetitions", [part_id for (part_id,) in repetitions])
    changes.log_created(db, "recurrence_splits", [part_id for (part_id,) in made])


def remove(db: Unit, user_id: int, recurrence_id: int) -> None:
    for table in _TABLES:
        changes.log_removing(db, table, "recurrence_id = :id", id=recurrence_id)
        db.run(
            f"DELETE FROM {table} WHERE user_id = :user_id AND recurrence_id = :id", user_id=user_id, id=recurrence_id
        )


_ADD_REPETITION = """
INSERT INTO recurrence_repetitions (user_id, recurrence_id, place, type, moment, skip, weekend, holidays, created_at,
    updated_at)
VALUES (:user_id, :recurrence_id, :place, :type, :moment, :skip, :weekend, :holidays, :now, :now) RETURNING id
"""
_ADD_SPLIT = """
INSERT INTO recurrence_splits (user_id, recurrence_id, place, description, units, currency_id, foreign_units,
    foreign_currency_id, source_id, destination_id, category_id, budget_id)
VALUES (:user_id, :recurrence_id, :place, :description, :units, :currency_id, :foreign_units,
    :foreign_currency_id, :source_id, :destination_id, :category_id, :budget_id) RETURNING id
"""


def _repetition_rows(planned: tuple[Repetition, ...]) -> list[dict[str, Any]]:
    return [
        {
            "place": place,
            "type": one.type.value,
            "moment": one.moment,
            "skip": one.skip,
            "weekend": int(one.weekend),
            "holidays": int(one.holidays),
        }
        for place, one in enumerate(planned)
    ]


def _split_rows(entry: Entry) -> list[dict[str, Any]]:
    return [
        {
            "place": place,
            "description": split.description or entry.description,
            "units": split.amount.units,
            "currency_id": split.amount.currency.id,
            "foreign_units": split.foreign.units if split.foreign else None,
            "foreign_currency_id": split.foreign.currency.id if split.foreign else None,
            "source_id": split.source.id,
            "destination_id": split.destination.id,
            "category_id": split.category_id,
            "budget_id": split.budget_id,
        }
        for place, split in enumerate(entry.splits)
    ]
