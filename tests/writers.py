"""Looks who writes the tables of transactions: only `books/transactions`, and what restores and copies whole rows.

The statements are those that really run, so that tables whose names are put into a statement are seen as well.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from farthing.books.transactions import bulk
from farthing.storage.drivers import sqlite_unit

_WRITES = re.compile(rf"\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+(?:{'|'.join(sorted(bulk.TABLES))})\b")
_HOUSE = "/src/farthing/"
_MAY = ("books/transactions/", "storage/")
# Whoever deletes a user, or a currency that nothing but sums of zero name, deletes these rows.
_HELPERS = ("storage/change_log/changes.py", "storage/change_log/records.py", "storage/tables.py")
_MAY_DELETE = {("identity/users.py", "remove"), ("books/currencies/store.py", "remove")}


@contextmanager
def watching_writers() -> Iterator[None]:
    """Fails statements of others. Each is looked at when SQLite's driver sees it first; the words are its own then."""
    translate = sqlite_unit.for_sqlite

    def watch(sql: str) -> str:
        writer = _find_writer() if _WRITES.search(sql) else None
        assert not writer or may_write(*writer), f"{writer} may not write: {' '.join(sql.split())}"
        return translate(sql)

    sqlite_unit.for_sqlite = watch  # type: ignore[assignment]
    try:
        yield
    finally:
        sqlite_unit.for_sqlite = translate


def may_write(file: str, function: str) -> bool:
    return file.startswith(_MAY) or (file, function) in _MAY_DELETE


def _find_writer() -> tuple[str, str] | None:
    """The file and function that asked the driver, or had `changes` write; None for tests, which may tamper."""
    frame = sys._getframe(2)
    while frame is not None:
        _, inside, file = frame.f_code.co_filename.rpartition(_HOUSE)
        if not inside:
            if "/tests/" in frame.f_code.co_filename:
                return None
        elif not file.startswith(("storage/drivers/", *_HELPERS)):
            return file, frame.f_code.co_name
        frame = frame.f_back  # type: ignore[assignment]
    return None
