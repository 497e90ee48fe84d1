"""Is the log of a killed server played into its own file only? What it belongs to is read before anything is opened."""

import random
import shutil
import zipfile
from contextlib import closing

import pytest

from farthing.kernel.errors import FileGone
from farthing.storage.drivers.sqlite import SqliteDatabase

from ..proof.household import Household

LOG = "-wal"
COMMANDS = (
    "user list",
    "backup again.zip",
    "migrate",
    "restore saved.zip",
    "serve --port 1024",
    "token list ann@farthing.example",
)


def crashed(path, to):
    """What a power cut, a kill or a snapshot of the disk leaves: the file and its log as they are now."""
    to.parent.mkdir(exist_ok=True)
    for ending in ("", LOG):
        shutil.copyfile(f"{path}{ending}", f"{to}{ending}")
    return to


def content(path):
    with closing(SqliteDatabase(path)) as books, books.reading() as db:
        return db.all("SELECT * FROM things ORDER BY id")


def write(books, text):
    with books.writing() as db:
        db.run("INSERT INTO things (text) VALUES (:text)", text=text)


@pytest.fixture
def books(tmp_path):
    with closing(SqliteDatabase(tmp_path / "books.sqlite3")) as opened:
        with opened.writing() as db:
            db.run("CREATE TABLE things (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)")
        yield opened


def test_a_log_is_played_into_its_own_file_wherever_both_are(books, tmp_path):
    """The file is rewritten by half, and the log begun anew, in between."""
    for number in range(40):
        write(books, "x" * 5000 * (number % 3))
        if number % 5 == 4:
            books.connection().wal_checkpoint(mode=0)
        with books.reading() as db:
            expected = db.all("SELECT * FROM things ORDER BY id")
        assert content(crashed(books.path, tmp_path / f"moved{number}" / "other.sqlite3")) == expected


@pytest.mark.parametrize("seed", range(3))
def test_whatever_else_is_in_the_place_of_the_file_it_is_refused_or_whole(books, tmp_path, seed):
    """An older state of the file itself may be what the log began with: then the log makes it whole."""
    chance, saved = random.Random(seed), []
    for number in range(40):
        write(books, "x" * chance.randrange(9000))
        if chance.random() < 0.2:
            books.empty_log()
            saved.append(shutil.copyfile(books.path, tmp_path / f"cp{number}"))
        elif chance.random() < 0.2:
            books.connection().wal_checkpoint(mode=0)
        if chance.random() < 0.2:
            books.snapshot(tmp_path / f"snapshot{number}")
            by_hand = (str(tmp_path / f"vacuum{number}"),)
            books.connection().execute("VACUUM INTO ?", by_hand).fetchall()
            saved += [tmp_path / f"snapshot{number}", tmp_path / f"vacuum{number}"]
    write(books, "the last")
    with books.reading() as db:
        expected = db.all("SELECT * FROM things ORDER BY id")
    refused = 0

    for older in saved:
        swapped = crashed(books.path, tmp_path / "swapped" / "books.sqlite3")
        shutil.copyfile(older, swapped)
        try:
            assert content(swapped) == expected
        except FileGone:
            refused += 1
            assert swapped.read_bytes() == older.read_bytes()
    assert refused >= len(saved) - 2


def test_a_log_without_its_file_is_kept(books, tmp_path):
    write(books, "the last")
    lost = crashed(books.path, tmp_path / "lost" / "books.sqlite3")
    lost.unlink()

    with pytest.raises(FileGone, match="does not belong"):
        content(lost)
    assert not lost.exists()


@pytest.mark.long
def test_after_a_kill_nobody_plays_the_log_into_another_file(tmp_path):
    household = Household(tmp_path, f"sqlite:///{tmp_path / 'data' / 'farthing.sqlite3'}").found()
    file, log = tmp_path / "data" / "farthing.sqlite3", tmp_path / "data" / f"farthing.sqlite3{LOG}"
    with household.serving() as server:
        household.move_in(server)
        household.record()
        assert household.terminal.run("backup", "saved.zip").returncode == 0
        for _ in range(5):
            household.record()
        server.kill_all()
    assert log.stat().st_size > 0
    other = Household(tmp_path / "other", f"sqlite:///{tmp_path / 'other' / 'data' / 'farthing.sqlite3'}").found()
    with zipfile.ZipFile(tmp_path / "saved.zip") as saved:
        saved.extract("farthing.sqlite3", tmp_path / "older")
    own, played = file.rename(tmp_path / "own"), log.read_bytes()

    for foreign in (tmp_path / "older" / "farthing.sqlite3", other.folder / "data" / "farthing.sqlite3"):
        shutil.copyfile(foreign, file)
        for words in COMMANDS:
            assert "does not belong to" in household.terminal.fails(*words.split()), words
        assert "does not belong to" in household.terminal.run("doctor").stdout
        assert (file.read_bytes(), log.read_bytes()) == (foreign.read_bytes(), played)

    # As the sentence says: without the log the backup starts, and with its own file the log counts.
    aside = log.rename(tmp_path / "aside")
    shutil.copyfile(tmp_path / "older" / "farthing.sqlite3", file)
    assert household.terminal.says("doctor").startswith("No problems")
    own.replace(file)
    shutil.copyfile(aside, log)
    with household.serving() as server:
        household.server = server
        household.assert_all_is_there()
        assert server.stop() == 0
