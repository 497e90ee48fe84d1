"""farthing export, as a person types it."""

import stat
from zipfile import ZipFile

from .conftest import EMAIL


def test_the_books_are_written_to_a_file(owned):
    said = owned.says("export", "--format", "hledger", "--output", "mine.journal")

    path = owned.folder / "mine.journal"
    assert said == f"mine.journal: {path.stat().st_size} bytes.\n"
    assert path.read_text().startswith("; Made by Farthing.")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in owned.folder.iterdir() if "partial" in one.name] == []


def test_without_options_everything_goes_into_an_archive_named_after_the_day(owned):
    owned.says("export")

    [path] = owned.folder.glob("farthing-*.zip")
    with ZipFile(path) as archive:
        assert "preferences.jsonl" in archive.namelist()


def test_it_can_be_piped(owned):
    done = owned.start("export", "--format", "csv", "--output", "-")

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("user_id,group_id,journal_id")


def test_what_cannot_be_exported_is_said_in_one_line(owned):
    owned.says("user", "create", "bob@example.org")

    assert "--user" in owned.fails("export", code=2)
    assert "json, csv" in owned.fails("export", "--format", "xlsx", "--user", EMAIL, code=2)
    assert "must be a day" in owned.fails("export", "--format", "csv", "--start", "now", "--user", EMAIL, code=2)
    assert "no account 'Gold'" in owned.fails("export", "--format", "csv", "--account", "Gold", "--user", EMAIL)
    assert "accepts no --start" in owned.fails("export", "--start", "2024-01-01", "--user", EMAIL)
    assert "no user" in owned.fails("export", "--user", "eve@example.org")
    (owned.folder / "there.zip").touch()
    assert "already exists" in owned.fails("export", "--output", "there.zip", "--user", EMAIL)
