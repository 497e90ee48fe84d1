"""Importing on the command line: the same jobs as the API's, done here and now."""

import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from ..accounts.making import asset
from ..moving.firefly.server import TOKEN, Replay, served
from .conftest import EMAIL, PASSWORD, PATIENCE_SECONDS, Server, Terminal

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
    assert "month-end balances are equal" in done.stderr
    assert TOKEN not in done.stdout + done.stderr
    assert EMAIL


def test_with_several_users_the_line_that_takes_it_back_runs(books: Terminal) -> None:
    books.says("user", "create", "bob@example.org")

    done = books.run("import", "may.csv", "--account", "Assets:Checking", "--user", EMAIL)

    [line] = [line for line in done.stderr.splitlines() if line.startswith("To undo the import: farthing ")]
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


def test_an_archive_of_another_farthing_is_imported(books: Terminal) -> None:
    books.run("user", "create", "bob@example.org")
    books.run("export", "--user", EMAIL, "--output", "books.zip")

    done = books.run("import", "books.zip", "--user", "bob@example.org")

    assert (done.returncode, done.stdout.split("\t")[1:4]) == (0, ["done", "1", "1"])
    assert done.stderr.startswith("To undo the import: ")


def ask(terminal: Terminal, sql: str) -> list[Any]:
    with closing(apsw.Connection(str(terminal.folder / "data/farthing.sqlite3"))) as connection:
        return list(connection.execute(sql))


def test_books_that_cannot_be_fetched_say_why_and_leave_no_import(owned: Terminal) -> None:
    with served(Replay()) as url:
        refused = owned.fails("import", "from-firefly", url, typed="another token\n")

    assert "token" in refused
    assert ask(owned, "SELECT id FROM import_jobs") == []


STOPS = pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])


def begun(terminal: Terminal, *words: str) -> "subprocess.Popen[str]":
    """In a process of its own, which can be told to stop."""
    return subprocess.Popen(
        [sys.executable, "-m", "farthing", "import", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=terminal.folder,
        env=terminal.environment,
    )


@STOPS
def test_stopped_before_the_import_is_started_it_leaves_none(owned: Terminal, told: signal.Signals) -> None:
    class Stopping(Replay):
        def answer(self, target: str, authorization: str | None) -> tuple[int, dict[str, str], bytes]:
            if not self.asked:
                command.send_signal(told)
            return super().answer(target, authorization)

    with served(Stopping()) as url:
        command = begun(owned, "from-firefly", url)
        printed, said = command.communicate(f"{TOKEN}\n", timeout=PATIENCE_SECONDS)

    assert (command.returncode, printed, said) == (130, "", "")
    assert ask(owned, "SELECT id FROM import_jobs") == []
    assert ask(owned, "SELECT id FROM jobs WHERE finished_at IS NULL") == []


@STOPS
def test_stopped_afterwards_it_says_that_the_server_goes_on(books: Terminal, told: signal.Signals) -> None:
    """The server does another import of the same user first."""
    ask(
        books,
        """
        INSERT INTO jobs (user_id, kind, subject_id, data, created_at, worker, held_until)
        VALUES (1, 'import_jobs.run', 0, '{}', '', 'the server', strftime('%FT%T+00:00', 'now', '+100 seconds'))
        """,
    )

    command = begun(books, "may.csv", "--account", "Assets:Checking")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline and not ask(books, "SELECT 1 FROM import_jobs WHERE state = 'running'"):
        time.sleep(0.02)
    command.send_signal(told)
    printed, said = command.communicate(timeout=PATIENCE_SECONDS)

    assert (command.returncode, printed) == (130, "")
    assert said == (
        "farthing: stopped. Import 2 stays queued: the server will run it, now or after its next start."
        " To undo it afterwards: farthing import undo 2\n"
    )
    assert ask(books, "SELECT id FROM import_jobs WHERE state = 'running'") == [(2,)]


def test_an_import_of_a_hundred_rows_is_in_within_a_second(anywhere: Terminal) -> None:
    """The job process sleeps for five seconds at a time: each import wakes it."""
    anywhere.says("user", "create", EMAIL, "--password-stdin", typed=f"{PASSWORD}\n")
    token = anywhere.says("token", "create", EMAIL).strip()
    with anywhere.serving() as server:
        account = _ask(server, token, "POST", "/accounts", json=asset(name="Checking"))["id"]
        took = [_import_hundred_rows(server, token, account, month) for month in (1, 2, 3)]

    assert min(took[1:]) < 1, took  # the first one loads what imports need, and may find the job process awake


def _import_hundred_rows(server: Server, token: str, account: str, month: int) -> float:
    rows = [f"2024-{month:02}-{1 + number % 28:02},Grocer,Row {number},-{number + 1}" for number in range(100)]
    file = "\n".join(["Date,Payee,Description,Amount", *rows, ""]).encode()
    parts = {"file": ("statement.csv", file), "account_id": (None, account)}
    job = f"/import_jobs/{_ask(server, token, 'POST', '/import_jobs', files=parts)['id']}"
    began = time.monotonic()
    _ask(server, token, "POST", f"{job}/run")
    while (shown := _ask(server, token, "GET", job)["attributes"])["state"] == "running":
        time.sleep(0.02)
    assert (shown["state"], shown["counts"]["new"]) == ("done", 100)
    return time.monotonic() - began


def _ask(server: Server, token: str, method: str, path: str, **options: Any) -> dict[str, Any]:
    answer = server.ask(method, f"/api/v1{path}", headers={"Authorization": f"Bearer {token}"}, **options)
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["data"])
