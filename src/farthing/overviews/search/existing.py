"""Counts the transactions that an importer may already have booked. It never stops early, so that none is missed."""

from typing import Any

from msgspec import Struct

from farthing.books.transactions.index.words import words_in
from farthing.storage.change_log.changes import number_in, text_in
from farthing.storage.unit import Unit


class Wanted(Struct, frozen=True):
    """Holds texts that must all be equal to those of a transaction. Its description may be that of a split."""

    external_id: str | None = None
    internal_reference: str | None = None
    notes: str | None = None
    description: str | None = None

    @property
    def parameters(self) -> dict[str, str]:
        values = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in values.items() if value is not None}


_CONDITIONS = {
    "external_id": """
        e.id IN (SELECT d.entry_id FROM entry_details d WHERE d.user_id = :user_id AND d.external_id = :external_id)
    """,
    "internal_reference": "e.internal_reference = :internal_reference",
    "notes": "e.notes = :notes",
    "description": """
        (e.description = :description OR EXISTS (
            SELECT 1 FROM splits s WHERE s.user_id = e.user_id AND s.entry_id = e.id AND s.description = :description
        ))
    """,
}


def count(db: Unit, user_id: int, wanted: Wanted, *, include_deleted: bool = False) -> int:
    """Counts the transactions, and optionally those that were deleted but can still be restored."""
    number = _count_stored(db, user_id, wanted)
    return number + (_count_deleted(db, user_id, wanted) if include_deleted else 0)


def _count_stored(db: Unit, user_id: int, wanted: Wanted) -> int:
    where = " AND ".join(_CONDITIONS[name] for name in wanted.parameters)
    values: dict[str, Any] = {"user_id": user_id, **wanted.parameters}
    words = words_in(wanted.notes, wanted.description) if wanted.notes or wanted.description else frozenset()
    if wanted.external_id is not None or wanted.internal_reference is not None or not words:
        return int(db.value(f"SELECT COUNT(*) FROM entries e WHERE e.user_id = :user_id AND {where}", **values))
    sql = "SELECT id, entries FROM words WHERE user_id = :user_id AND word IN :words ORDER BY entries"
    rows = db.all(sql, user_id=user_id, words=sorted(words))
    if len(rows) < len(words):
        return 0
    sql = f"""
        SELECT COUNT(*) FROM mentions m JOIN entries e ON e.user_id = m.user_id AND e.id = m.entry_id
        WHERE m.user_id = :user_id AND m.word_id = :word_id AND {where}
    """
    return int(db.value(sql, word_id=rows[0][0], **values))


# The table and the column of each text, with the column that holds the id of the transaction.
_LOGGED = {
    "external_id": (("entry_details", "external_id"),),
    "internal_reference": (("entries", "internal_reference"),),
    "notes": (("entries", "notes"),),
    "description": (("entries", "description"), ("splits", "description")),
}


def _count_deleted(db: Unit, user_id: int, wanted: Wanted) -> int:
    """Counts entries in the log of changes that have all the texts. Entries that were restored are not counted."""
    sets = " INTERSECT ".join(
        "SELECT entry_id FROM ("
        + " UNION ".join(_logged(db, table, column, name) for table, column in _LOGGED[name])
        + f") AS of_{name}"
        for name in wanted.parameters
    )
    sql = f"""
        SELECT COUNT(*) FROM ({sets}) AS removed
        WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.user_id = :user_id AND e.id = removed.entry_id)
    """
    return int(db.value(sql, user_id=user_id, **wanted.parameters))


def _logged(db: Unit, table: str, column: str, name: str) -> str:
    entry_id = "object_id" if table == "entries" else number_in(db, "entry_id")
    return f"""
        SELECT {entry_id} AS entry_id FROM changes
        WHERE user_id = :user_id AND kind = '{table}' AND action = 'removed' AND {text_in(db, column)} = :{name}
    """
