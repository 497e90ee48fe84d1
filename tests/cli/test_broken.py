"""Doctor gives its page whatever is broken: a check that cannot be carried out is a line, and the others are made."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from farthing.care.doctor import Contents, examine
from farthing.kernel.errors import ContentsUnavailable
from farthing.storage import blobs
from farthing.storage.drivers import open as database

from ..attachments.making import attached
from ..conftest import World, settings_for
from ..proof.disks import small_disk
from .conftest import Terminal

# Which lines the page has, whatever is found.
ALWAYS = {"version", "schema", "database", "data folder", "server", "queue", "backup", "trash", "repeats", "disk"}
ALWAYS |= {"books", "attachments"}


def page(terminal: Terminal, **settings: str) -> dict[str, tuple[str, str]]:
    """By name: the verdict, and what is said. Text and JSON say the same, and the exit code that something is wrong."""
    text, data = terminal.run("doctor", **settings), terminal.run("doctor", "--json", **settings)
    for done in (text, data):
        assert done.returncode == 1, done.stderr
        assert done.stderr.endswith((" problem found\n", " problems found\n")), done.stderr
        assert len(done.stderr.splitlines()) == 1
    lines = json.loads(data.stdout)["lines"]
    assert {line["name"] for line in lines} >= ALWAYS
    for line in lines:
        assert f"{line['verdict']:5}  {line['name']:11}  {line['says']}" in text.stdout or line["name"] == "disk"
    return {line["name"]: (line["verdict"], f"{line['says']}; {line['do']}") for line in lines}


def with_damaged_table(file: Path, table: str) -> None:
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        ((root,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchall()
        ((size,),) = connection.execute("PRAGMA page_size").fetchall()
    with file.open("r+b") as opened:
        opened.seek((root - 1) * size)
        opened.write(b"\xa5" * size)


@pytest.mark.parametrize("table", ["tags", "preferences", "accounts", "checkups", "users", "jobs"])
def test_a_damaged_page_in_a_table(owned: Terminal, table: str) -> None:
    with_damaged_table(owned.folder / "data/farthing.sqlite3", table)

    found = page(owned)

    verdict, says = found["books"]
    assert verdict == "wrong"
    assert "the database is damaged, see above: stop the server" in says
    assert "restore the last backup" in says
    assert found["attachments"][0] == ("wrong" if table == "users" else "well")
    assert found["schema"][0] == found["data folder"][0] == "well"
    assert (found["queue"][0] == "wrong") == (table == "jobs")
    assert (found["backup"][0] == "wrong") == (table == "checkups")


def cut_in_half(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def written_over(file: Path) -> None:
    file.write_text("no database at all, but long enough to have been one\n" * 100)


def replaced_by_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize("breaking", [cut_in_half, written_over, replaced_by_a_folder])
def test_a_file_that_cannot_be_opened(owned: Terminal, breaking: Callable[[Path], None]) -> None:
    breaking(owned.folder / "data/farthing.sqlite3")

    found = page(owned)

    assert found["database"][0] == "wrong"
    assert ("restore the last backup" in found["database"][1]) == (breaking is not replaced_by_a_folder)
    for name in ("schema", "queue", "backup", "trash", "repeats", "books", "attachments"):
        assert found[name] == ("wrong", "cannot be checked: the database cannot be opened; fix that first")
    assert {found[name][0] for name in ("version", "data folder", "disk")} <= {"well", "look"}


def test_a_database_that_cannot_be_reached(terminal: Terminal) -> None:
    found = page(terminal, FARTHING_DATABASE_URL="postgresql://127.0.0.1:1/nowhere")

    assert found["database"][0] == "wrong"
    assert found["data folder"][0] == "well"
    assert "check that it runs and can be reached" in found["database"][1]


def test_a_database_that_was_changed_by_hand(anywhere: Terminal) -> None:
    anywhere.says("user", "create", "ann@example.org")
    settings = settings_for(anywhere.database_url, anywhere.folder)
    with closing(database.connect(settings)) as books, books.writing() as db:
        db.script("ALTER TABLE piggy_bank_events RENAME COLUMN units TO coins; DROP TABLE checkups")

    found = page(anywhere)

    assert found["books"][0] == found["backup"][0] == "wrong"
    assert found["books"][1].startswith("1 findings")
    assert found["database"][0] == found["queue"][0] == found["attachments"][0] == "well"


@pytest.mark.parametrize("data", ["/proc", "/proc/none/data"])
def test_a_data_folder_that_cannot_be_written_to(terminal: Terminal, data: str) -> None:
    """There not even root can make a file."""
    found = page(terminal, FARTHING_DATA=data)

    assert found["data folder"][0] == found["database"][0] == "wrong"
    assert f"cannot be written to, {data}" in found["data folder"][1]


def test_a_folder_of_attachments_that_is_none(new_world: World, tmp_path: Path) -> None:
    attached(new_world.someone("ann@example.org"), b"a receipt")
    folder = new_world.settings.data / "attachments"
    shutil.rmtree(folder)
    folder.write_text("a file")

    found = page(Terminal(tmp_path, new_world.settings.database_url), FARTHING_DATA=str(new_world.settings.data))

    assert found["attachments"][0] == "wrong"
    assert "some cannot be read" in found["attachments"][1]
    assert found["data folder"][1].startswith(f"cannot be written to, {folder}: it is not a folder")
    assert found["books"][0] == found["database"][0] == "well"


def test_contents_that_may_not_be_read_are_told_once_for_each_user(new_world: World, monkeypatch: Any) -> None:
    """Root may read everything, so the disk speaks through another."""
    for name in ("ann", "bob"):
        someone = new_world.someone(f"{name}@example.org")
        attached(someone, b"a receipt")
        attached(someone, b"another")

    def refused(*_given: object) -> None:
        raise ContentsUnavailable("The attachments folder is unavailable: Permission denied")

    monkeypatch.setattr(blobs.DiskBlobs, "content", refused)
    found = list(examine(new_world.books, attached=Contents(blobs.connect(new_world.settings), now=0.0)))

    assert [one.rule for one in found] == ["unread content"] * 2
    assert found[0].sentence == (
        "contents of attachments of ann@example.org: this cannot be examined: "
        "The attachments folder is unavailable: Permission denied."
    )


def test_a_reader_who_goes_away_is_no_finding(owned: Terminal) -> None:
    with closing(apsw.Connection(str(owned.folder / "data/farthing.sqlite3"))) as connection:
        connection.execute("DELETE FROM preferences")
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "farthing", "doctor"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, env=owned.environment, check=False)
    os.close(write)

    assert (done.returncode, done.stderr) == (1, b"")


def test_a_restore_without_room_says_that_the_disk_is_full(owned: Terminal, tmp_path: Path) -> None:
    packed = str(tmp_path / "books.zip")
    owned.says("backup", packed)
    with small_disk(tmp_path / "small", 1):
        done = owned.start("restore", packed, FARTHING_DATA=str(tmp_path / "small"))

    assert (done.returncode, done.stderr.splitlines()[-1].startswith("farthing: the disk is full")) == (1, True)
