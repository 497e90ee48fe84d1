"""The doctor's page: a line for everything that a house needs, with a verdict, and what to do."""

import json
import shutil
from datetime import timedelta
from types import SimpleNamespace

import apsw
import pytest

from farthing.care.doctor.page import HealthVerdict, page
from farthing.care.watch import presence
from farthing.storage import installation, queue
from farthing.storage.drivers.sqlite import SqliteDatabase
from farthing.storage.installation import BACKUP, BACKUP_MADE, BACKUP_VERIFIED, Checkup

from ..conftest import NOW, settings_for


@pytest.fixture
def owner(new_world):
    return new_world.someone()


def lines(world, books=None, **settings):
    chosen = settings_for(world.settings.database_url, world.settings.data, **settings)
    return {line.name: line for line in page(chosen, books or world.books, world.time.now)}


def noted(world, **found):
    with world.books.writing() as db:
        for name, checkup in found.items():
            installation.store_checkup(
                db, {"made": BACKUP_MADE, "tried": BACKUP, "verified": BACKUP_VERIFIED}[name], checkup
            )


def test_everything_has_a_line_and_what_is_not_well_says_what_to_do(new_world, owner):
    found = lines(new_world)

    assert list(found) == [
        "version", "schema", "database", "data folder", "server", "queue", "failed jobs", "backup", "verified",
        "trash", "repeats", "disk",
    ]  # fmt: skip
    assert all(line.do for line in found.values() if line.verdict != HealthVerdict.WELL)
    assert "wrong" not in {line.verdict for line in found.values()}
    assert {"sqlite": "SQLite 3", "postgresql": "PostgreSQL 1"}[new_world.books.dialect] in found["database"].says


def test_a_data_folder_that_cannot_be_written_to_is_wrong(new_world, owner):
    assert lines(new_world)["data folder"].says == "can be written to"

    found = lines(new_world, data="/proc")["data folder"]  # where not even root can make a file

    assert found.verdict == HealthVerdict.WRONG
    assert found.says.startswith("cannot be written to, /proc: ")


def test_a_database_that_cannot_be_written_to_is_wrong(new_world, owner):
    if new_world.books.dialect == "postgresql":
        return  # whether it may be written to, the server says
    hurried = SqliteDatabase(new_world.books.path, wait_ms=0)
    with new_world.books.writing():
        found = lines(new_world, hurried)["database"]
    hurried.close()

    assert found.verdict == HealthVerdict.WRONG
    assert "Another program has locked the database" in found.says


def test_servers_and_their_job_processes(new_world, owner):
    assert lines(new_world)["server"].verdict == HealthVerdict.LOOK

    with presence.mark_server(new_world.settings.data):
        found = lines(new_world)
        assert found["server"].verdict == HealthVerdict.WELL
        assert found["job process"].says == "about to start"
        presence.note_lost_jobs()
        assert lines(new_world)["job process"].verdict == HealthVerdict.WRONG
        with presence.mark_process(presence.JOBS), presence.mark_process("worker-1"), presence.mark_process("worker-2"):
            found = lines(new_world)
    assert found["server"].says == "1 running, 2 workers"
    assert found["job process"].verdict == HealthVerdict.WELL


def test_a_job_that_waits_for_hours_is_wrong_while_a_server_runs(new_world, owner):
    with new_world.books.writing() as db:
        queue.add(db, owner.user.id, "claim", 1, {}, (NOW - timedelta(hours=3)).isoformat())

    assert lines(new_world)["queue"].verdict == HealthVerdict.LOOK
    with presence.mark_server(new_world.settings.data):
        line = lines(new_world)["queue"]
    assert line.verdict == HealthVerdict.WRONG
    assert "1 job waits, 0 recurrences are due" in line.says
    assert "3 hours late" in line.says


@pytest.mark.parametrize(
    ("ago", "verdict"), [(timedelta(hours=1), HealthVerdict.WRONG), (timedelta(days=5), HealthVerdict.LOOK)]
)
def test_jobs_that_were_given_up(new_world, owner, ago, verdict):
    with new_world.books.writing() as db:
        queue.add(db, owner.user.id, "claim", 1, {}, NOW.isoformat())
        db.run("UPDATE jobs SET finished_at = :at, failure = 'no'", at=(NOW - ago).isoformat())

    assert lines(new_world)["failed jobs"].verdict == verdict


def test_recurrences_that_cannot_fire(new_world, owner):
    from ..recurrences.making import a_recurrence, asset, made, stored

    stored(owner, a_recurrence(made(owner, asset())))
    new_world.time.now = NOW + timedelta(days=18)
    assert "recurrences" not in lines(new_world)
    with new_world.books.writing() as db:
        db.run("UPDATE recurrences SET failure = 'no account'")
    assert lines(new_world)["recurrences"].verdict == HealthVerdict.LOOK


class TestBackups:
    fresh, old = Checkup(NOW.isoformat(), 0, "a.zip"), Checkup((NOW - timedelta(days=9)).isoformat(), 0, "a.zip")

    def test_none(self, new_world, owner):
        assert lines(new_world)["backup"].verdict == HealthVerdict.LOOK
        assert lines(new_world)["verified"].verdict == HealthVerdict.LOOK

    def test_fresh(self, new_world, owner):
        noted(new_world, made=self.fresh, tried=self.fresh, verified=self.fresh)
        assert lines(new_world)["backup"].verdict == HealthVerdict.WELL
        assert lines(new_world)["verified"].verdict == HealthVerdict.WELL

    def test_old(self, new_world, owner, tmp_path):
        noted(new_world, made=self.old, tried=self.old)
        assert lines(new_world)["backup"].verdict == HealthVerdict.LOOK
        assert "9 days ago" in lines(new_world)["backup"].says
        assert lines(new_world, backup_folder=tmp_path / "kept")["backup"].verdict == HealthVerdict.WRONG

    def test_failed(self, new_world, owner):
        noted(new_world, made=self.fresh, tried=Checkup(NOW.isoformat(), 1, "no room"))
        assert lines(new_world)["backup"].verdict == HealthVerdict.WRONG
        assert "no room" in lines(new_world)["backup"].says

    def test_not_to_be_restored(self, new_world, owner):
        noted(new_world, verified=Checkup(NOW.isoformat(), 4, "a.zip"))
        assert lines(new_world)["verified"].verdict == HealthVerdict.WRONG


@pytest.mark.parametrize(
    ("free", "verdict"), [(10**10, HealthVerdict.WELL), (10**8, HealthVerdict.LOOK), (10**6, HealthVerdict.WRONG)]
)
def test_room_on_the_disk(new_world, owner, monkeypatch, free, verdict):
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=free))

    assert lines(new_world)["disk"].verdict == verdict


class TestCommand:
    def test_for_people(self, anywhere):
        anywhere.says("user", "create", "ann@example.org")
        said = anywhere.says("doctor").splitlines()

        assert said[0].startswith("No problems")
        assert {line.split()[0] for line in said[1:]} == {"well", "look"}
        assert any(line.startswith("well   books") for line in said)
        assert any(line.startswith("well   attachments") for line in said)

    def test_for_programs(self, owned):
        told = json.loads(owned.says("doctor", "--json"))
        assert told["well"] is True
        assert told["findings"] == []
        assert {line["name"] for line in told["lines"]} >= {"schema", "queue", "backup", "books", "attachments"}

    def test_what_is_wrong_fails(self, owned):
        connection = apsw.Connection(str(owned.folder / "data/farthing.sqlite3"))
        connection.execute("DELETE FROM preferences WHERE name = 'timezone'")
        connection.close()

        done = owned.run("doctor", "--json")

        assert done.returncode == 1
        told = json.loads(done.stdout)
        assert told["well"] is False
        assert [finding["user_id"] for finding in told["findings"]] == [1]
        assert [line["name"] for line in told["lines"] if line["verdict"] == "wrong"] == ["books"]
        assert "books" not in done.stderr

    def test_backups_are_remembered(self, owned):
        owned.says("backup", "all.zip")
        owned.says("backup", "verify", "all.zip")

        said = owned.says("doctor")

        assert "well   backup       all.zip" in said
        assert "well   verified     all.zip" in said

    def test_verifying_elsewhere_makes_no_database(self, owned):
        owned.says("backup", "all.zip")

        owned.run("backup", "verify", "all.zip", FARTHING_DATA=str(owned.folder / "elsewhere"))

        assert not (owned.folder / "elsewhere").exists()
