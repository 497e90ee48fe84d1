"""Adds transactions given as table rows, for example from an archive, and everything computed from them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from farthing.ledger.entry import books_foreign
from farthing.storage.change_log import changes
from farthing.storage.unit import Unit

from ...accounts import store as accounts
from .. import store
from ..stored_sums import sets

# Code that inserts rows into tables by name must use this module for the tables listed here.
TABLES = sets.TABLES | {"entries", "splits", "entry_tags", "entry_details", "mentions", "words", "payments"}
_SIDES = ("source", "destination")


class EntryRows(Struct, frozen=True):
    """The columns of an entry, of its splits, its tags and its details, without ids, users and computed columns."""

    entry: Mapping[str, Any]
    splits: Sequence[Mapping[str, Any]]
    tags: Sequence[Mapping[str, Any]]
    details: Sequence[Mapping[str, Any]]


def add_rows(db: Unit, user_id: int, brought: Sequence[EntryRows]) -> list[int]:
    """Adds entries with a handful of statements, and returns the new ids. All entries must have the same columns."""
    statement = f"{_word_insert('entries', brought[0].entry)} RETURNING id"
    inserted = db.many_returning(statement, [(user_id, *rows.entry.values()) for rows in brought])
    ids = [int(entry_id) for (entry_id,) in inserted]
    numbered = list(zip(ids, brought, strict=True))
    account_ids = {split[f"{side}_id"] for rows in brought for split in rows.splits for side in _SIDES}
    currencies = accounts.currencies(db, user_id, sorted(account_ids))
    splits = [
        _complete_split(split, entry_id, position, rows.entry, currencies)
        for entry_id, rows in numbered
        for position, split in enumerate(rows.splits)
    ]
    tags = [
        {**tag, "entry_id": entry_id, "on_day": rows.entry["on_day"]}
        for entry_id, rows in numbered
        for tag in rows.tags
    ]
    details = [{**row, "entry_id": entry_id} for entry_id, rows in numbered for row in rows.details]
    for table, added in (("splits", splits), ("entry_tags", tags), ("entry_details", details)):
        if added:
            db.many(_word_insert(table, added[0]), [(user_id, *row.values()) for row in added])
    changes.log_created(db, "entries", ids)
    store.put_in(db, user_id, ids)
    return ids


def _word_insert(table: str, columns: Iterable[str]) -> str:
    names = ("user_id", *columns)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})"


def _complete_split(
    split: Mapping[str, Any], entry_id: int, position: int, entry: Mapping[str, Any], currencies: Mapping[int, int]
) -> dict[str, Any]:
    amounts = split["currency_id"], split["foreign_currency_id"]
    sides = {f"{side}_foreign": int(books_foreign(currencies[split[f"{side}_id"]], *amounts)) for side in _SIDES}
    of_entry = {"entry_id": entry_id, "position": position, "type": entry["type"], "on_day": entry["on_day"]}
    return {**split, **of_entry, **sides}
