"""Stores the details of entries. An entry without details has no row."""

from collections.abc import Iterable

from msgspec.structs import asdict

from farthing.ledger.details import NO_DETAILS, EntryDetails
from farthing.ledger.entry import Entry
from farthing.storage.change_log import changes
from farthing.storage.change_log.records import find_id
from farthing.storage.unit import Owned, Row, Unit

_COLUMNS = EntryDetails.__struct_fields__
_READ = f"SELECT entry_id AS owner_id, {', '.join(_COLUMNS)} FROM entry_details WHERE user_id = :user_id"
_ADD = f"""
INSERT INTO entry_details (user_id, entry_id, {", ".join(_COLUMNS)})
VALUES (:user_id, :entry_id, {", ".join(f":{column}" for column in _COLUMNS)})
"""


def of_entries(db: Unit, user_id: int, entry_ids: Iterable[int]) -> dict[int, EntryDetails]:
    """Returns the details of those entries that have any."""
    rows = db.structs(Owned[EntryDetails], f"{_READ} AND entry_id IN :ids", user_id=user_id, ids=sorted(set(entry_ids)))
    return {row.owner_id: row.item for row in rows}


def of_entry(db: Unit, user_id: int, entry_id: int) -> EntryDetails:
    return of_entries(db, user_id, [entry_id]).get(entry_id, NO_DETAILS)


def find_by_hash(db: Unit, user_id: int, import_hash: str) -> int | None:
    """Finds the oldest entry that a request with this hash has created."""
    sql = (
        "SELECT entry_id FROM entry_details WHERE user_id = :user_id AND import_hash = :hash ORDER BY entry_id LIMIT 1"
    )
    return find_id(db, sql, user_id=user_id, hash=import_hash)


def add(db: Unit, user_id: int, entries: Iterable[tuple[int, Entry]]) -> None:
    """Adds the details of new entries. They are not logged, because an undo removes them together with the entry."""
    rows: list[Row] = [
        (user_id, entry_id, *asdict(entry.details).values())
        for entry_id, entry in entries
        if entry.details and entry.details != NO_DETAILS
    ]
    if rows:
        db.many(_ADD, rows)


def change(db: Unit, user_id: int, entry_id: int, details: EntryDetails, now: str) -> None:
    stored = of_entry(db, user_id, entry_id)
    if details == stored:
        return
    if stored == NO_DETAILS:
        changes.insert(db, "entry_details", user_id, {"entry_id": entry_id, **asdict(details)}, now)
    elif details == NO_DETAILS:
        changes.delete(db, "entry_details", user_id, "entry_id = :entry_id", entry_id=entry_id)
    else:
        changes.update(db, "entry_details", user_id, "entry_id = :entry_id", asdict(details), entry_id=entry_id)
