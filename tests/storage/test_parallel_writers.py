"""Eight clients in four processes write at once: nothing is lost, nothing is doubled, nobody waits for ever."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from farthing.care.doctor import examine
from farthing.ledger.kinds import Kind

from ..builders import Books, somebodys_books
from ..ledger.reckoned import assert_kept_sums_are_right, revision
from ..length import LONG
from .writer import CLIENTS, entry_of

ROOT = Path(__file__).parents[2]
PROCESSES = 4
OPERATIONS = 1000 if LONG else 25
PATIENCE_SECONDS = 60 + OPERATIONS
USERS = [1, 2] if LONG else [2]  # two share the database, and four clients the books of each
ACCOUNTS = {"Checking": "EUR", "Savings": "EUR", "Dollars": "USD", "Yen": "JPY"}


@pytest.mark.parametrize("count", USERS, ids="{} users".format)
def test_parallel_writers_lose_nothing_and_double_nothing(new_database, new_database_url, count):
    with somebodys_books(new_database, "ann@x.example") as ann, somebodys_books(new_database, "bob@x.example") as bob:
        everyone = [ann, bob][:count]
        begun = {books.user_id: begin(books) for books in everyone}

        writes = written_at_once(new_database_url, everyone)

        assert len(writes) == PROCESSES * CLIENTS * OPERATIONS
        for books in everyone:
            own = [write for write in writes if write["user"] == books.user_id]
            replay(books, own)
            first = begun[books.user_id] + 1
            assert [write["revision"] for write in own] == list(range(first, first + len(own)))
            assert revision(books) == begun[books.user_id] + len(own)
            assert_entries_are_right(books)
            assert_kept_sums_are_right(books)
        assert list(examine(new_database)) == []


def begin(books: Books) -> int:
    for name, code in ACCOUNTS.items():
        books.account(name, Kind.ASSET, code)
    return revision(books)


def written_at_once(url: str, everyone: list[Books]) -> list[dict[str, Any]]:
    """Runs the processes side by side; all they committed, in the order of the users' revisions."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.storage.writer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for _ in range(PROCESSES)
    ]
    try:
        for seed, process in enumerate(processes):
            tell(process, json.dumps(orders(url, seed, everyone)))
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            tell(process, "go")
        ended = [process.communicate(timeout=PATIENCE_SECONDS) for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.communicate()
    assert [(process.returncode, errors) for process, (_, errors) in zip(processes, ended, strict=True)] == [
        (0, "")
    ] * PROCESSES
    writes = [json.loads(line) for output, _ in ended for line in output.splitlines()]
    return sorted(writes, key=lambda write: (write["user"], write["revision"]))


def orders(url: str, seed: int, everyone: list[Books]) -> dict[str, Any]:
    accounts = {books.user_id: [(party.id, party.currency.code) for party in books.ids.values()] for books in everyone}
    return {"url": url, "seed": seed, "operations": OPERATIONS, "users": accounts}


def tell(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def replay(books: Books, writes: list[dict[str, Any]]) -> None:
    """What the books must hold: every committed write, one after the other, in plain Python."""
    for write in writes:
        if write["what"] == "erase":
            del books.entries[write["id"]]
        else:
            assert (write["id"] in books.entries) == (write["what"] == "rewrite")
            books.entries[write["id"]] = entry_of(write["entry"])


def assert_entries_are_right(books: Books) -> None:
    with books.database.reading() as db:
        rows = db.all("SELECT id, on_day, type FROM entries WHERE user_id = :id", id=books.user_id)
    assert Counter(rows) == Counter(
        (entry_id, entry.on.isoformat(), entry.type) for entry_id, entry in books.entries.items()
    )
