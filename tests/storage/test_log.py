"""SQLite's log is copied back beside the event loop, and does not grow without bound."""

import asyncio
from pathlib import Path

import pytest

from farthing.kernel.errors import FileGone
from farthing.storage.drivers.sqlite import SqliteDatabase

_PAGES = 40
_FRAME_BYTES = 4096 + 24


def _fill(db):
    db.run("INSERT INTO notes SELECT hex(randomblob(3000)) FROM json_each('[1, 2, 3]')")


def _log_bytes(path: Path) -> int:
    return path.with_name(f"{path.name}-wal").stat().st_size


def _written(path: Path, writes: int) -> tuple[SqliteDatabase, int]:
    """After so many writes on the event loop: the database, and how long its log ever was."""
    database = SqliteDatabase(path, log_pages=_PAGES)

    async def write() -> int:
        longest = 0
        for _ in range(writes):
            await database.write(_fill)
            longest = max(longest, _log_bytes(path))
        return longest

    with database.writing() as db:
        db.run("CREATE TABLE notes (text TEXT)")
    return database, asyncio.run(write())


def test_the_log_is_copied_beside_the_event_loop_and_stays_short(tmp_path):
    database, longest = _written(tmp_path / "log.sqlite3", 1000)

    assert database.log.copied_beside > 0
    # Some 7 000 pages were written in all. On a busy machine, the log grows while the thread that copies it waits.
    assert longest < 20 * _PAGES * _FRAME_BYTES
    database.close()


def test_the_log_stays_short_though_the_thread_that_copies_it_never_gets_its_turn(tmp_path):
    path = tmp_path / "log.sqlite3"
    database = SqliteDatabase(path, log_pages=_PAGES)
    database.log.close()  # from now on nobody copies but those who commit
    with database.writing() as db:
        db.run("CREATE TABLE notes (text TEXT)")
    longest = 0
    for _ in range(100):
        with database.writing() as db:
            _fill(db)
        longest = max(longest, _log_bytes(path))

    assert database.log.copied_here > 0
    assert longest < 3 * _PAGES * _FRAME_BYTES
    database.close()


def test_where_the_log_is_gone_no_thread_makes_another_and_what_was_in_it_is_kept(tmp_path):
    path = tmp_path / "log.sqlite3"
    log = path.with_name(f"{path.name}-wal")
    database, _ = _written(path, 5)
    log.unlink()

    with pytest.raises(FileGone):
        asyncio.run(database.read(_count, large=True))  # in a thread that has no connection yet
    assert not log.exists()
    database.discard_connection(database.connection())  # as after a failure of the file
    with pytest.raises(FileGone), database.reading() as db:
        _count(db)
    database.close()

    with SqliteDatabase(path).reading() as db:
        assert _count(db) == 15


def test_a_log_that_another_process_deleted_in_order_is_no_loss(tmp_path):
    database, _ = _written(tmp_path / "log.sqlite3", 1)
    other = SqliteDatabase(tmp_path / "log.sqlite3")
    other.connection()
    database.discard_connection(database.connection())
    other.close()  # the last one: SQLite copies and deletes the log

    with database.reading() as db:
        assert _count(db) == 3
    database.close()


def _count(db) -> int:
    return db.value("SELECT count(*) FROM notes")
