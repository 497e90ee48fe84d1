"""An export of many transactions takes no more memory than one of few."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from farthing.moving.exports import task
from farthing.moving.exports.model import ExportFormat, ExportRequest

from ...builders import AT, Books, somebodys_books
from ...conftest import migrated, settings_for

MANY = 30_000
GROWTH_BYTES_MAX = 16 * 2**20


def fill(books: Books, count: int) -> None:
    """Plain rows, because booking so many would take minutes; what is kept beside them is not what is measured."""
    books.keep("2024-05-01 withdrawal Checking -> Groceries 1.00 EUR")
    ids = {"a": books.ids["Checking"].id, "b": books.ids["Groceries"].id}
    books.tamper(
        f"""
        INSERT INTO entries (user_id, type, on_day, description, notes, created_at, updated_at)
        WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < {count})
        SELECT :user_id, 1, '20' || (10 + n % 15) || '-05-' || (10 + n % 20), 'Transaction ' || n,
            'Some notes that go with it, as people write them', '{AT}', '{AT}' FROM series
        """
    )
    books.tamper(
        """
        INSERT INTO splits (user_id, entry_id, position, type, on_day, source_id, destination_id, units, currency_id)
        SELECT user_id, id, 0, 1, on_day, :a, :b, id, 1 FROM entries e
        WHERE user_id = :user_id AND NOT EXISTS (
            SELECT 1 FROM splits s WHERE s.user_id = e.user_id AND s.entry_id = e.id
        )
        """,
        **ids,
    )


def peak_bytes(folder: Path, url: str, user_id: int, word: str) -> int:
    """Of the process that the server starts for it."""
    request = ExportRequest(user_id=user_id, format=ExportFormat(word), today="2024-05-15", made_at=AT)
    given = task.encode(request, settings_for(url, folder), 0)
    words = [sys.executable, "-m", "farthing.moving.exports"]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert process.stdin
    process.stdin.write(given)
    process.stdin.close()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_maxrss * 1024


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory in other units")
def test_the_memory_of_an_export_does_not_grow_with_the_books(tmp_path):
    url = f"sqlite:///{tmp_path}/farthing.sqlite3"
    with (
        migrated(url, tmp_path) as database,
        somebodys_books(database) as few,
        somebodys_books(database, "bob") as many,
    ):
        fill(few, 500)
        fill(many, MANY)

        for word in ("csv", "json"):
            less, more = (peak_bytes(tmp_path, url, books.user_id, word) for books in (few, many))
            assert more - less < GROWTH_BYTES_MAX, (word, less, more)
