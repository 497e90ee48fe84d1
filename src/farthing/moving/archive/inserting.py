"""Inserts the rows of an archive, except transactions, and logs them, so that the import can be undone."""

from collections.abc import Mapping, Sequence
from typing import Any

from farthing.books.bills.model import longest_word, words_key
from farthing.books.transactions import bulk
from farthing.kernel.text import fold
from farthing.storage.blobs import Blobs, Content
from farthing.storage.change_log import changes
from farthing.storage.change_log.restoring import WHOLES
from farthing.storage.unit import Unit

from ..findings import Unreadable
from .reading import OpenArchive
from .values import Values

# Kinds whose names or titles are also stored in case-folded form.
_FOLDED = {
    "accounts", "categories", "budgets", "tags", "bills", "piggy_banks", "recurrences", "rule_groups", "rules",
    "object_groups", "link_types",
}  # fmt: skip


def derive(name: str, values: Values) -> dict[str, Any]:
    """Computes the columns of a row that depend on its other values. An id of 0 means a deleted job or account."""
    if name == "import_rows":
        return {f"{of}_id": 0 for of, key in (("job", "import_job_id"), ("account", "account_id")) if not values[key]}
    folded = {}
    if name in _FOLDED:
        folded = {f"{key}_fold": fold(values[key]) for key in ("name", "title") if key in values}
    if name == "bills":
        words = tuple(values["words"])
        return {**folded, "words_key": words_key(words, values["name"]), "longest_word": longest_word(words)}
    return folded


def insert(db: Unit, user_id: int, table: str, rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Inserts rows, all with the same columns (without `id` and `user_id`), and returns their new ids. Rows that are
    parts of another object are not logged, because an undo removes them together with that object.
    """
    assert table not in bulk.TABLES, "transactions have a door of their own"
    if not rows:
        return []
    columns = ("user_id", *rows[0])
    sql = f"""
    INSERT INTO {table} ({", ".join(columns)}) VALUES ({", ".join(f":{column}" for column in columns)}) RETURNING id
    """
    ids = [int(row_id) for (row_id,) in db.many_returning(sql, [(user_id, *row.values()) for row in rows])]
    if table not in WHOLES:
        changes.log_created(db, table, ids)
    return ids


def replace(db: Unit, user_id: int, table: str, row_id: int, row: Mapping[str, Any]) -> None:
    """Changes a row that exists already, for example one that every user has from the start."""
    assert table not in bulk.TABLES, "transactions have a door of their own"
    changes.update(db, table, user_id, "id = :id", row, id=row_id)


def store_content(blobs: Blobs, user_id: int, archive: OpenArchive, sha256: str) -> Content:
    incoming = blobs.receive()
    try:
        for piece in archive.pieces(sha256):
            incoming.write(piece)
        content = incoming.content()
        if content.sha256 != sha256 or not content.size:
            raise Unreadable(f"attachments/{sha256} is damaged: its content does not match its name.")
        incoming.keep(user_id)
        return content
    finally:
        incoming.discard()
