"""A list of thousands of transactions is one answer, which another process writes."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from farthing.api.v6.objects import groups, long_lists
from farthing.api.v6.objects.long_lists import LongList
from farthing.books.bookkeeping import record
from farthing.books.transactions.counts import Book, Days
from farthing.identity.user import NOBODY
from farthing.kernel import config
from farthing.ledger.kinds import Type

from ..accounts.making import asset
from ..builders import AT, somebodys_books
from ..conftest import migrated, settings_for
from ..transactions.making import a_transaction, made, posted, split, transfer, withdrawal

MANY = 10_000
GROWTH_KIB_MAX = 12 * 1024  # 8 MiB of these are SQLite's cache of pages
# The most memory that the process has had; the system's own count includes that of the process that started it.
MEASURED = """
import sys
from farthing.api.v6.objects import write_long_list
assert write_long_list.main() == 0
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")), file=sys.stderr)
"""


@pytest.fixture
def checking(me):
    checking, savings = made(me, asset()), made(me, asset(name="Savings"))
    me.put("/preferences/timezone", {"data": "Europe/Berlin"})
    splits = [split(source_id=checking, description=f"split {place}", category_name="Food") for place in range(3)]
    for on in ("2024-05-01", "2024-05-02", "2024-05-02"):
        posted(me, withdrawal(checking, date=on))
        posted(me, a_transaction("withdrawal", *splits, date=on, tags=["ä, é"]))
    posted(me, transfer(checking, savings))
    return checking


@pytest.mark.parametrize(
    "query",
    [
        {"limit": "9999999999"},
        {"limit": "1001", "type": "withdrawal", "start": "2024-05-02", "end": "2024-05-31"},
        {"limit": "3", "page": "2"},
    ],
)
def test_it_is_the_same_whoever_writes_it(me, checking, monkeypatch, query):
    expected = me.v6.get("/transactions", **query)
    produced = []
    monkeypatch.setattr(groups, "AT_ONCE_MAX", 1)
    monkeypatch.setattr(groups, "produce", lambda *asked: produced.append(asked) or long_lists.produce(*asked))

    answer = me.v6.get("/transactions", **query)

    assert len(produced) == 1
    assert answer.status_code == expected.status_code == 200
    assert answer.headers["content-type"] == expected.headers["content-type"]
    assert answer.json() == expected.json()
    assert answer.json()["data"]


def test_a_list_that_is_short_is_written_at_once_whatever_its_limit(me, checking, monkeypatch):
    monkeypatch.setattr(groups, "produce", None)

    assert me.v6.get("/transactions", limit=2**40).json()["meta"]["pagination"]["count"] == 7


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory in other units")
def test_ten_thousand_take_no_more_memory_than_a_few_hundred(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'farthing.sqlite3'}"
    with migrated(url, tmp_path) as database, somebodys_books(database) as books:
        [first] = books.keep("2024-05-01 withdrawal Checking -> Groceries 1.00 EUR")
        task = LongList(
            settings=config.reveal(settings_for(url, tmp_path), long_lists._NEEDED),
            caller=replace(NOBODY, id=books.user_id, currency_code="EUR"),
            now=AT,
            today=date(2024, 5, 15),
            base="https://farthing.example",
            query={"limit": "9999999999"},
            path="/transactions",
            book=Book(books.user_id, frozenset(Type)),
            owner_book=None,
            days=Days(),
        )
        peaks: list[int] = []
        for count in (600, MANY):
            entries = [
                replace(books.entries[first], on=date(2015 + number % 9, 1 + number % 12, 1 + number % 28))
                for number in range(count)
            ]
            with books.writing() as db:
                record.record_all(db, books.user_id, entries, AT)
            words = [sys.executable, "-c", MEASURED]
            done = subprocess.run(words, input=msgspec.json.encode(task), capture_output=True, check=True)
            peaks.append(int(done.stderr))

    assert len(json.loads(done.stdout)["data"]) == 1 + 600 + MANY
    assert peaks[1] - peaks[0] < GROWTH_KIB_MAX
