"""A disk that is full, or takes no writes: clear refusals, reading goes on, and all is well as soon as the disk is."""

import os
import shutil
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from farthing.storage.drivers.sqlite import SqliteDatabase

from .disks import small_disk, write_protected
from .household import Household
from .test_killed import alive, until
from .victim import command_of

FULL, READ_ONLY = "The disk of the server is full", "The server cannot write to its disk"
NOTES = "n" * 20_000


@pytest.fixture
def household(tmp_path):
    """On SQLite; the disk is below its data folder."""
    return Household(tmp_path, f"sqlite:///{tmp_path / 'data' / 'farthing.sqlite3'}")


@pytest.fixture
def on_a_disk() -> Iterator[Household]:
    """On SQLite and on a real disk: in memory, where tests keep their files, none can be made immutable."""
    with TemporaryDirectory(prefix="farthing-disk-", dir="/var/tmp") as folder:
        yield Household(Path(folder), f"sqlite:///{folder}/data/farthing.sqlite3")


@pytest.fixture
def elsewhere(tmp_path):
    """Only the attachments are on the disk."""
    return Household(tmp_path, f"sqlite:///{tmp_path / 'farthing.sqlite3'}")


def test_a_full_disk_refuses_writes_and_nothing_else_and_needs_no_restart(household):
    with small_disk(household.folder / "data", 16) as disk, household.found().serving("--workers", "2") as server:
        household.move_in(server)
        recurrence_id = household.recur("2024-05-16")
        household.record()
        disk.fill()
        household.set_clock("2024-05-18T12:00:00+00:00")
        refused = first_refusal(household)
        household.assert_put_off(refused, FULL, 60)
        for number in range(20):
            household.assert_put_off(household.record(notes=NOTES, key=f"later{number}"), FULL, 60)
        household.assert_reads_go_on()
        time.sleep(1)  # what is due would have fired by now

        disk.make_room()
        until(lambda: household.record().status == 200, "it did not come back")
        until(lambda: len(household.fired(recurrence_id)) == 3, "what was due did not fire")
        household.set_clock("2024-05-19T12:00:00+00:00")
        for number in range(20):
            done = household.record(notes=NOTES, key=f"later{number}")
            assert (done.status, done.is_replay) == (200, False)
        until(lambda: len(household.fired(recurrence_id)) == 4, "the next day did not fire")
        household.assert_all_is_there(besides=4)
        assert household.get(f"/recurrences/{recurrence_id}").document["data"]["attributes"]["failure"] is None
        assert 1 <= household.told("writing to the database fails") <= 2  # once for each worker
        assert household.told("writing to the database works again") >= 1
        assert server.stop() == 0
        assert household.terminal.says("doctor").startswith("No problems")


@pytest.mark.long
def test_an_import_says_that_it_waits_for_room_and_goes_on_by_itself(household):
    rows = "".join(f"2024-05-{1 + at % 28:02},Shop {at},{NOTES[:900]} {at},-2.50\n" for at in range(3000))
    with small_disk(household.folder / "data", 32) as disk, household.found().serving() as server:
        household.move_in(server)
        path = household.start_import(f"Date,Payee,Description,Amount\n{rows}".encode())
        disk.fill()

        until(lambda: FULL in household.import_says(path), "it did not say what it waits for")
        assert household.job(path)["state"] == "running"
        disk.make_room()

        until(lambda: household.job(path)["state"] == "done", "it did not go on")
        assert FULL not in household.import_says(path)
        assert household.job(path)["counts"]["new"] == 3000
        assert server.stop() == 0
        assert household.terminal.says("doctor").startswith("No problems")


def first_refusal(household: Household):
    """What is left in the file itself is used up first."""
    for _ in range(500):
        answer = household.record(notes=NOTES)
        if answer.status != 200:
            return answer
    raise AssertionError("the disk was never full")


def test_a_disk_that_fills_up_during_an_upload_keeps_what_was_there(elsewhere):
    first, second = os.urandom(2**20), os.urandom(6 * 2**20)
    with small_disk(elsewhere.attachments, 20) as disk, elsewhere.found().serving() as server:
        elsewhere.move_in(server)
        attachment_id = elsewhere.promise()
        assert elsewhere.upload(attachment_id, first).status == 204
        disk.fill()

        for _ in range(3):
            elsewhere.assert_put_off(elsewhere.upload(attachment_id, second, "second"), FULL, 60)
        assert elsewhere.get(f"/attachments/{attachment_id}/download").body == first
        assert list((elsewhere.attachments / "incoming").iterdir()) == []
        assert elsewhere.record().status == 200  # the books are on another disk
        elsewhere.assert_reads_go_on()

        disk.make_room()
        assert elsewhere.upload(attachment_id, second, "second").status == 204
        assert elsewhere.upload(attachment_id, second, "second").is_replay
        assert elsewhere.get(f"/attachments/{attachment_id}/download").body == second
        assert elsewhere.told("storing attachments fails") == 1
        assert elsewhere.told("storing attachments works again") == 1
        elsewhere.assert_all_is_there()
        assert server.stop() == 0
        assert elsewhere.terminal.says("doctor").startswith("No problems")


def test_attachments_on_a_disk_that_became_read_only_can_be_read(elsewhere):
    content, other = os.urandom(2**18), os.urandom(2**18)
    with small_disk(elsewhere.attachments, 8) as disk, elsewhere.found().serving() as server:
        elsewhere.move_in(server)
        attachment_id = elsewhere.promise()
        assert elsewhere.upload(attachment_id, content).status == 204
        disk.set_writable(False)

        for _ in range(3):
            elsewhere.assert_put_off(elsewhere.upload(attachment_id, other), READ_ONLY, 60)
        assert elsewhere.get(f"/attachments/{attachment_id}/download").body == content
        assert elsewhere.record().status == 200
        elsewhere.assert_reads_go_on()

        disk.set_writable(True)
        assert elsewhere.upload(attachment_id, other).status == 204
        assert elsewhere.get(f"/attachments/{attachment_id}/download").body == other
        assert elsewhere.told("storing attachments fails") == 1
        elsewhere.assert_all_is_there()
        assert server.stop() == 0
        assert elsewhere.terminal.says("doctor").startswith("No problems")


def test_a_database_that_became_read_only_can_be_read_and_comes_back(on_a_disk):
    """Also by a worker that was started meanwhile: it opened what it could only read."""
    household = on_a_disk
    with household.found().serving("--workers", "2") as server:
        household.move_in(server)
        household.record()
        data = household.folder / "data"
        with write_protected([data / "farthing.sqlite3", data / "farthing.sqlite3-wal"]):
            for _ in range(10):
                household.assert_put_off(household.record(), READ_ONLY, 60)
            household.assert_reads_go_on()
            victim = max(workers_of(server))
            os.kill(victim, signal.SIGKILL)
            until(lambda: victim not in workers_of(server), "the worker was not killed")
            until(lambda: "farthing_workers 2\n" in figures(household), "no other worker came")
            for _ in range(20):
                household.assert_put_off(household.record(), READ_ONLY, 60)
                household.assert_reads_go_on()

        for _ in range(20):
            assert household.record().status == 200
        household.assert_all_is_there()
        assert 1 <= household.told("writing to the database fails") <= 3
        assert server.stop() == 0
    assert household.terminal.says("doctor").startswith("No problems")


def test_a_log_that_could_only_be_read_is_opened_again_for_the_first_write(on_a_disk):
    file = on_a_disk.folder / "things.sqlite3"
    first, later = SqliteDatabase(file), SqliteDatabase(file)
    with first.writing() as db:
        db.run("CREATE TABLE things (name TEXT)")
    with write_protected([file.with_name(f"{file.name}-wal")]), later.reading() as db:
        db.all("SELECT name FROM things")

    with later.writing() as db:
        db.run("INSERT INTO things VALUES ('spoon')")

    first.close()
    later.close()


def figures(household: Household) -> str:
    return household.get("/metrics").body.decode()


def workers_of(server) -> set[int]:
    return {one for one in alive(server.process.pid) if "spawn_main" in command_of(one)}


def jobs_of(server) -> set[int]:
    """The job process, which starts a second after the server."""
    until(lambda: bool(_find_jobs(server)), "there is no job process")
    return _find_jobs(server)


def _find_jobs(server) -> set[int]:
    return {one for one in alive(server.process.pid) if "farthing.jobs" in command_of(one)}


def test_a_server_does_not_start_on_a_disk_that_takes_no_writes(household):
    with small_disk(household.folder / "data", 8) as disk:
        household.found()
        disk.set_writable(False)

        told = household.terminal.fails("serve", "--port", "1")

        assert "The database cannot be opened: SQLite must create files next to" in told
        disk.set_writable(True)
        with household.serving() as server:
            assert server.ask("GET", "/health").status_code == 200


def test_a_backup_names_the_full_disk_that_it_is_made_or_verified_on(household):
    terminal, other = household.found().terminal, household.folder / "other"
    terminal.says("backup", "books.zip")
    with small_disk(other, 2) as disk:
        disk.fill(but=2**16)  # else Python would choose another place for what is temporary

        made = terminal.fails("backup", str(other / "books.zip"))
        verified = terminal.start("backup", "verify", "books.zip", TMPDIR=str(other)).stderr

    for told in (made, verified):
        assert f"There is no room on the disk of {other}/" in told


def test_with_the_server_stopped_nothing_can_be_read_but_a_copy_on_another_disk(household):
    """As the page says: the file with its log, and the attachments."""
    content, data = os.urandom(2**18), household.folder / "data"
    with small_disk(data, 16) as disk:
        with household.found().serving() as server:
            household.move_in(server)
            attachment_id = household.promise()
            assert household.upload(attachment_id, content).status == 204
        shared = data / "farthing.sqlite3-shm"
        shared.unlink()  # a killed server leaves it behind; then it could be read
        assert (data / "farthing.sqlite3-wal").stat().st_size

        disk.fill()
        assert_unreadable(household)
        copies = [moved_away(household, "copied from a full disk")]
        disk.make_room()
        shared.unlink(missing_ok=True)
        disk.set_writable(False)
        assert_unreadable(household)
        copies.append(moved_away(household, "copied from a disk that takes no writes"))

    for moved in copies:
        assert moved.terminal.says("doctor").startswith("No problems")
    with moved.serving() as server:
        moved.server = server
        moved.assert_all_is_there()
        assert moved.get(f"/attachments/{attachment_id}/download").body == content
        assert moved.record().status == 200


def assert_unreadable(household: Household) -> None:
    file = household.folder / "data" / "farthing.sqlite3"
    for words in (["user", "list"], ["backup", "../books.zip"]):
        failed = household.terminal.start(*words)  # in this process SQLite remembers how the file was opened
        assert (failed.returncode, failed.stdout) == (1, "")
        assert str(file) in failed.stderr


def moved_away(household: Household, where: str) -> Household:
    data, elsewhere = household.folder / "data", household.folder / where / "data"
    shutil.copytree(data / "attachments", elsewhere / "attachments")
    for name in ("farthing.sqlite3", "farthing.sqlite3-wal"):
        shutil.copy(data / name, elsewhere)
    return replace(household, folder=elsewhere.parent, url=f"sqlite:///{elsewhere / 'farthing.sqlite3'}")
