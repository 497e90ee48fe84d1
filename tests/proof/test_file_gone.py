"""The SQLite file is deleted, moved or replaced under a running server: nobody writes into a file that is gone."""

import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from ..cli.conftest import Terminal, settle
from .household import Household
from .test_full_disk import jobs_of, workers_of
from .test_killed import until

GONE = "The database file of the server is gone"


@pytest.fixture
def household(tmp_path: Path) -> Household:
    return Household(tmp_path, f"sqlite:///{tmp_path / 'data' / 'farthing.sqlite3'}").found()


def test_a_file_that_is_gone_is_noticed_and_the_same_file_may_come_back(household):
    file, away = household.folder / "data" / "farthing.sqlite3", household.folder / "away"
    with household.serving("--workers", "2") as server:
        household.move_in(server)
        recurrence_id = household.recur("2024-05-16")
        household.record()
        file.rename(away)
        household.set_clock("2024-05-18T12:00:00+00:00")

        for number in range(10):
            household.assert_put_off(household.record(key=f"later{number}"), GONE, 60)
        until(lambda: household.get("/readyz").status == household.get("/accounts").status == 503, "reads went on")
        for path in ("/accounts", "/transactions", "/readyz", "/health"):
            household.assert_put_off(household.get(path), GONE, 60)
        for words in (["doctor"], ["user", "list"], ["user", "create", "bob@example.org"], ["migrate"], ["cron"]):
            refused = household.terminal.run(*words)
            assert refused.returncode == 1
            assert "put that file back, or stop the server first" in refused.stdout + refused.stderr, words
        assert "put that file back" in household.terminal.fails("serve", "--port", "1024")
        assert not file.exists()
        away.rename(file)

        until(lambda: household.get("/readyz").status == 200, "it did not come back")
        for number in range(10):
            assert household.record(key=f"later{number}").status == 200
        until(lambda: len(household.fired(recurrence_id)) == 3, "the job process did not come back")
        household.assert_all_is_there(besides=3)
        assert 1 <= household.told("writing to the database fails") <= 2  # once for each worker
        assert server.stop() == 0
    assert household.terminal.says("doctor").startswith("No problems")


def test_beside_another_file_nobody_works_until_the_server_was_started_again(household):
    """Not even whoever is started meanwhile: the log of the first file would be mixed into the second."""
    file, saved = household.folder / "data" / "farthing.sqlite3", household.folder / "saved.zip"
    with household.serving() as server:
        household.move_in(server)
        household.record()
        assert household.terminal.run("backup", str(saved)).returncode == 0
        other = Household(household.folder / "other", f"sqlite:///{household.folder / 'other' / 'other.sqlite3'}")
        other.found()
        (household.folder / "other" / "other.sqlite3").rename(file)

        household.assert_put_off(household.record(), GONE, 60)
        victims = workers_of(server) | jobs_of(server)
        for one in victims:
            os.kill(one, signal.SIGKILL)
        until(lambda: household.told("the job process waits for the database") == 1, "the job process works beside it")
        assert "stop the server first" in household.terminal.fails("user", "list")
        file.unlink()
        assert "stop the server first" in household.terminal.fails("restore", str(saved))
        assert not file.exists()
        server.stop()
    assert "restore a backup" in household.terminal.fails("serve", "--port", "1024")
    assert "restore a backup" in household.terminal.fails("user", "create", "bob@example.org")
    assert not file.exists()

    assert "farthing.sqlite3-wal.1" in household.terminal.says("restore", str(saved))

    with household.serving() as server:
        household.server = server
        household.assert_all_is_there()


def test_a_log_that_is_gone_stops_the_server_and_loses_nothing(household):
    log = household.folder / "data" / "farthing.sqlite3-wal"
    with household.serving() as server:
        household.move_in(server)
        household.record()
        until_jobs_have_open(server, log)
        log.unlink()

        until(lambda: household.record().status == 503, "writes went on")
        household.assert_put_off(household.record(), GONE, 60)
        assert household.told("farthing.sqlite3-wal is gone") >= 1
        assert server.stop() == 0
    with household.serving() as server:
        household.server = server
        household.assert_all_is_there()
        assert household.record().status == 200


def until_jobs_have_open(server, file: Path) -> None:
    """A job process that is still starting would make another log."""

    def has_open(process: int) -> bool:
        with suppress(OSError):  # a descriptor may be closed while we look
            return any(fd.readlink() == file for fd in Path(f"/proc/{process}/fd").iterdir())
        return False

    def have_open() -> bool:
        jobs = jobs_of(server)
        return bool(jobs) and all(has_open(one) for one in jobs)

    until(have_open, "the job process did not open the log")


@pytest.mark.parametrize("words", [["doctor"], ["user", "list"], ["backup", "books.zip"], ["cron"], ["trash", "list"]])
def test_a_command_that_only_looks_makes_no_database(tmp_path: Path, words: list[str]):
    done = Terminal(tmp_path).run(*words)

    assert done.returncode in (1, 2)
    assert list(tmp_path.rglob("*.sqlite3*")) == []


def test_a_database_that_is_gone_is_not_replaced_by_an_empty_one(tmp_path: Path):
    owned = settle(Terminal(tmp_path))
    data = owned.folder / "data"
    for path in data.glob("farthing.sqlite3*"):
        path.unlink()

    for words in (["user", "create", "bob@example.org"], ["welcome"], ["migrate"], ["serve", "--port", "1024"]):
        assert "is gone: put it back, or restore a backup" in owned.fails(*words)
    assert list(data.glob("*.sqlite3")) == []

    (data / "farthing.sqlite3").touch()
    assert "restore a backup" in owned.fails("serve", "--port", "1024")
    shutil.rmtree(data)
    owned.says("migrate")
