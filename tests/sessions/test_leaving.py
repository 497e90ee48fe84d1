"""What is left of sessions? Nothing, once they have ended; and nothing of them goes into a backup."""

from contextlib import closing
from datetime import timedelta
from zipfile import ZipFile

import pytest

from farthing.care.backup import archive, restore
from farthing.identity import links
from farthing.identity.signing_in import attempts
from farthing.jobs.sweeping import Sweeper
from farthing.kernel.clock import stamp
from farthing.storage import blobs
from farthing.storage.drivers.sqlite import SqliteDatabase

from .browser import Browser, signed_in, somebody

TABLES = ("sessions", "sign_in_attempts", "sign_in_links")


def counted(books):
    with books.reading() as db:
        return [db.value(f"SELECT COUNT(*) FROM {table}") for table in TABLES]


@pytest.fixture
def left(new_world):
    """One of each."""
    user = somebody(new_world, "ann@farthing.example")
    browser = signed_in(new_world, user)
    now = stamp(new_world.time.now)
    with new_world.books.writing() as db:
        code = links.make(db, user.id, now)
        attempts.count_for_account(db, "ann@farthing.example", now)
    return browser, code


def test_what_has_ended_is_swept_away(new_world, left):
    contents = blobs.connect(new_world.settings)

    def swept_after(**later):
        new_world.time.now += timedelta(**later)
        Sweeper(new_world.settings, new_world.books, contents, new_world.time.clock()).turn()
        return counted(new_world.books)

    assert swept_after(minutes=14) == [1, 1, 1]
    assert swept_after(minutes=1) == [1, 0, 0]
    assert swept_after(days=13) == [1, 0, 0]
    assert swept_after(days=1) == [0, 0, 0]


def test_a_backup_leaves_sessions_behind_down_to_the_last_byte(new_world, left, tmp_path):
    browser, code = left
    from farthing.identity.callers import hash_secret

    path = tmp_path / "backup.zip"
    contents = blobs.connect(new_world.settings)
    now = stamp(new_world.time.now)
    manifest = archive.make(path, new_world.settings, new_world.books, contents, now, lambda _: None)

    assert not set(TABLES) & manifest.tables.keys()
    with ZipFile(path) as packed:
        whole = packed.read(archive.DATABASE)
    assert hash_secret(browser.cookie).encode() not in whole
    assert hash_secret(code).encode() not in whole
    assert b"ann@farthing.example" in whole
    assert counted(new_world.books) == [1, 1, 1], "the original keeps them"
    assert list(restore.verify(path, new_world.time.now.timestamp(), lambda _: None)) == []
    with closing(SqliteDatabase(tmp_path / "restored.sqlite3")) as target:
        restore.restore(path, target, contents, lambda _: None)
        assert counted(target) == [0, 0, 0]
    assert Browser(new_world, cookie=browser.cookie).is_in
