"""Importing on the command line: the same jobs as the API's, done here and now."""

import os
import shlex
from pathlib import Path

import pytest

from ..moving.firefly.server import TOKEN, Replay, served
from .conftest import EMAIL, Terminal

MAY = "Date,Payee,Description,Amount\n2024-05-02,Grocer,Weekly shopping,-52.10\n2024-05-03,Employer,Salary,2500.00\n"
OPENED = "account,date,name,amount\n"


@pytest.fixture
def books(owned: Terminal) -> Terminal:
    """With an account, which came with other books."""
    journal = "2024-01-01 Opening\n    Assets:Checking  100.00 EUR\n    Equity:Opening\n"
    (owned.folder / "journal.hledger").write_text(journal)
    done = owned.run("import", "journal.hledger")
    assert done.returncode == 0, done.stderr
    (owned.folder / "may.csv").write_text(MAY)
    return owned


def table(terminal: Terminal, *words: str) -> list[str]:
    done = terminal.run("import", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().split("\t")


def test_a_file_is_imported_once_and_taken_back(books: Terminal) -> None:
    first = table(books, "may.csv", "--account", "Assets:Checking")
    again = table(books, "may.csv", "--account", "Assets:Checking")
    undone = books.says("import", "undo", first[0])

    assert first[1:] == ["done", "2", "2", "0", "0", "0"]
    assert again[1:] == ["done", "2", "0", "2", "0", "0"]
    assert "2 transactions" in undone
    assert "cannot be undone" in books.fails("import", "undo", first[0])


def test_a_dry_run_shows_the_rows_and_leaves_nothing(books: Terminal) -> None:
    shown = books.run("import", "may.csv", "--account", "Assets:Checking", "--dry-run")

    assert [line.split("\t")[4] for line in shown.stdout.splitlines()] == ["new", "new"]
    assert table(books, "may.csv", "--account", "Assets:Checking")[1:] == ["done", "2", "2", "0", "0", "0"]


def test_what_is_missing_or_wrong_is_said_in_one_line(books: Terminal) -> None:
    (books.folder / "empty.csv").write_text("")

    assert "--account" in books.fails("import", "may.csv")
    assert "no asset account" in books.fails("import", "may.csv", "--account", "Nowhere")
    assert "empty" in books.fails("import", "empty.csv", "--account", "Assets:Checking")
    assert "not a format" in books.fails("import", "may.csv", "--format", "xls", code=2)
    assert "nowhere.csv" in books.fails("import", "nowhere.csv")


def test_rejected_rows_are_named_and_partial_imports_the_rest(books: Terminal) -> None:
    (books.folder / "may.csv").write_text(MAY + "2024-05-32,Shop,No such day,-1\n")

    failed = books.run("import", "may.csv", "--account", "Assets:Checking")
    partly = table(books, "may.csv", "--account", "Assets:Checking", "--partial")

    assert failed.returncode == 1
    assert "row 4" in failed.stderr
    assert partly[1:] == ["done", "3", "2", "0", "0", "1"]


def test_a_running_firefly_iii_is_taken_over(owned: Terminal) -> None:
    with served(Replay()) as url:
        done = owned.run("import", "from-firefly", url, typed=f"{TOKEN}\n")

    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\t")[1:4] == ["done", "304", "304"]
    assert "balances at months' ends are equal" in done.stderr
    assert TOKEN not in done.stdout + done.stderr
    assert EMAIL


def test_with_several_users_the_line_that_takes_it_back_runs(books: Terminal) -> None:
    books.says("user", "create", "bob@example.org")

    done = books.run("import", "may.csv", "--account", "Assets:Checking", "--user", EMAIL)

    [line] = [line for line in done.stderr.splitlines() if line.startswith("To take it back: farthing ")]
    assert "2 transactions" in books.says(*shlex.split(line)[5:])


def stored_files(terminal: Terminal) -> list[Path]:
    return [path for path in (terminal.folder / "data" / "attachments").rglob("*") if path.is_file()]


def test_a_file_beyond_the_limit_or_without_its_account_is_not_stored(books: Terminal) -> None:
    before = stored_files(books)
    os.mkfifo(books.folder / "pipe")

    large = books.fails("import", "may.csv", "--account", "Assets:Checking", FARTHING_UPLOAD_BYTES_MAX="50")
    nowhere = books.fails("import", "may.csv", "--account", "Nowhere")
    endless = books.fails("import", "/dev/zero", "--account", "Assets:Checking")
    pipe = books.fails("import", "pipe", "--account", "Assets:Checking")

    assert large == "farthing: may.csv is larger than 50 bytes, which FARTHING_UPLOAD_BYTES_MAX allows"
    assert "no asset account" in nowhere
    assert endless == "farthing: /dev/zero is not a regular file"
    assert pipe == "farthing: pipe is not a regular file"
    assert stored_files(books) == before
