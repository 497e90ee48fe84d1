"""Stores the repetitions of recurrences, and the splits of the transactions they make."""

from typing import Any

from farthing.kernel.money import Currency
from farthing.ledger.entry import Entry
from farthing.schedule.repetition import Repetition
from farthing.storage.change_log import changes
from farthing.storage.records import columns_of_draft
from farthing.storage.unit import Unit, columns_of, structs_by_owner

from .model import RecurrenceSplit, StoredRepetition

_TABLES = ("recurrence_repetitions", "recurrence_splits")


def repetitions(db: Unit, user_id: int, ids: list[int]) -> dict[int, list[StoredRepetition]]:
    sql = """
        SELECT recurrence_id AS owner_id, id, type, moment, skip, weekend, holidays, created_at, updated_at
        FROM recurrence_repetitions
        WHERE user_id = :user_id AND recurrence_id IN :ids ORDER BY recurrence_id, place
    """
    return structs_by_owner(db, StoredRepetition, sql, user_id=user_id, ids=ids)


_SPLITS = f"""
SELECT s.recurrence_id AS owner_id, s.description, s.units, {columns_of(Currency, "c", "currency")},
    s.foreign_units, {columns_of(Currency, "f", "foreign_currency")},
    s.source_id, o.name AS source_name, {columns_of(Currency, "oc", "source_currency")},
    s.destination_id, d.name AS destination_name, {columns_of(Currency, "dc", "destination_currency")},
    s.category_id, g.name AS category_name, s.budget_id, b.name AS budget_name
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


def splits(db: Unit, user_id: int, ids: list[int]) -> dict[int, list[RecurrenceSplit]]:
    return structs_by_owner(db, RecurrenceSplit, _SPLITS, user_id=user_id, ids=ids)


def add(db: Unit, user_id: int, recurrence_id: int, planned: tuple[Repetition, ...], entry: Entry, now: str) -> None:
    """`entry` is what it will book, with all accounts and labels created."""
    repetitions = [
        {"place": place, **columns_of_draft("recurrence_repetitions", repetition)}
        for place, repetition in enumerate(planned)
    ]
    for table, rows in zip(_TABLES, (repetitions, _split_rows(entry)), strict=True):
        changes.insert_all(db, table, user_id, [{"recurrence_id": recurrence_id, **row} for row in rows], now)


def remove(db: Unit, user_id: int, recurrence_id: int) -> None:
    for table in _TABLES:
        changes.delete(db, table, user_id, "recurrence_id = :id", id=recurrence_id)


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
