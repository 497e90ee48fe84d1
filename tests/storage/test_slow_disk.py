"""When does a disk count as slow? When commits take long one after the other, not when one of them does."""

import pytest

from farthing.storage.drivers.sqlite import SqliteDatabase

QUICK_S, SLOW_S, VERY_SLOW_S, STALL_S = 0.001, 0.008, 0.2, 60.0


@pytest.fixture
def database(tmp_path):
    return SqliteDatabase(tmp_path / "farthing.db")


def commits(database, seconds, number):
    for _ in range(number):
        database.note_commit(seconds)
    return database.is_slow


def test_a_new_one_is_quick(database):
    assert not database.is_slow


def test_it_is_slow_when_many_commits_are(database):
    assert commits(database, SLOW_S, 200)


def test_a_very_slow_one_is_known_soon(database):
    assert commits(database, VERY_SLOW_S, 10)


def test_it_is_quick_again_when_they_are(database):
    commits(database, SLOW_S, 200)

    assert not commits(database, QUICK_S, 200)


def test_one_that_stalls_is_not_slow(database):
    commits(database, QUICK_S, 100)

    assert not commits(database, STALL_S, 3)
    assert not commits(database, QUICK_S, 1)


def test_one_that_stalls_again_and_again_is(database):
    for _ in range(100):
        commits(database, QUICK_S, 1)
        commits(database, STALL_S, 2)

    assert database.is_slow
