"""How long does heavy work of one user keep the others waiting, and how much memory does it take?

    python -m bench.heavy [--transactions 100000] [--no-postgres]

An account with that many transactions is deleted, and that is undone, in a process of its own; another one records small
transactions of another user all the while, and tells how long it waited at most.
"""

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import msgspec
from msgspec import Struct

from farthing.books.accounts import store as accounts
from farthing.books.accounts.model import AccountDraft
from farthing.books.bookkeeping import record
from farthing.books.currencies import store as currencies
from farthing.books.lifecycle import accounts as lifecycle
from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.care.changes import store as changes
from farthing.care.changes.undo import undo
from farthing.identity import users
from farthing.kernel.money import Money
from farthing.ledger.entry import Entry, Party, Split
from farthing.ledger.kinds import Kind, Type
from farthing.storage.drivers.postgres.database import PostgresDatabase
from farthing.storage.drivers.sqlite import SqliteDatabase
from farthing.storage.unit import Database, Unit

from . import books, postgres
from .books import CACHE, CREATED_AT, Books, Facts, Household

_KIB = 1024
_PAUSE_S = 0.01


class HeavyFigures(Struct):
    """`grown_mib` is by how much the peak of memory lay above what the process took before.

    `cpu_seconds` are those of our process; PostgreSQL works in its own.
    """

    seconds: float
    cpu_seconds: float
    grown_mib: float


class OneAccount(Household):
    """Everything happens on the first account."""

    def _pick(self, parties: list[Party]) -> Party:
        return parties[0] if parties is self._assets else super()._pick(parties)


def ready(cache: Path, transactions: int) -> Books:
    path = cache / books.key() / f"heavy_{transactions}.sqlite3"
    beside = path.with_suffix(".json")
    if not beside.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        facts = books.make(path, transactions, lambda _done: None, OneAccount)
        beside.write_bytes(msgspec.json.encode(facts))
    return Books(path, msgspec.json.decode(beside.read_bytes(), type=Facts))


def _open(url: str) -> Database:
    if url.startswith("postgres"):
        return PostgresDatabase(url, connections_max=2)
    return SqliteDatabase(Path(url))


def _delete(db: Unit, facts: Facts) -> None:
    account = accounts.get(db, facts.user_id, facts.asset_ids[0])
    assert account
    lifecycle.remove(db, facts.user_id, account, CREATED_AT)


def _undo(db: Unit, facts: Facts) -> None:
    [change] = changes.list_deletions(db, facts.user_id, limit=1)
    undo(db, facts.user_id, change)


_DEEDS: dict[str, Callable[[Unit, Facts], None]] = {"delete": _delete, "undo": _undo}


def work(url: str, deed: str, facts: Facts) -> HeavyFigures:
    database = _open(url)
    before, begun, cpu_begun = _peak_mib(), time.perf_counter(), time.process_time()
    with database.writing() as db:
        users.take(db, facts.user_id, token_id=None, now=CREATED_AT, doing="accounts.remove")
        _DEEDS[deed](db, facts)
    figures = HeavyFigures(
        seconds=time.perf_counter() - begun,
        cpu_seconds=time.process_time() - cpu_begun,
        grown_mib=_peak_mib() - before,
    )
    database.close()
    return figures


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KIB


def wait_beside(url: str) -> None:
    """Small writes of another user, until somebody closes our input; then the longest that one took."""
    database = _open(url)
    with database.writing() as db:
        user_id = user_lifecycle.add(db, f"{time.time()}@farthing.example", "no password", "UTC", CREATED_AT).id
        euro = currencies.by_code(db, "EUR")
        assert euro
        parties = [
            Party(accounts.add(db, user_id, AccountDraft(kind, kind.value, True, True, euro), CREATED_AT), euro)
            for kind in (Kind.ASSET, Kind.EXPENSE)
        ]
    split = Split(*parties, Money(100, euro))
    entry = Entry(Type.WITHDRAWAL, date(2025, 1, 1), "coffee", (split,))
    print("ready", flush=True)
    longest = 0.0
    for _ in _until_closed():
        begun = time.perf_counter()
        with database.writing() as db:
            users.take(db, user_id, token_id=None, now=CREATED_AT, doing="bench")
            record.record(db, user_id, entry, CREATED_AT)
        longest = max(longest, time.perf_counter() - begun)
    print(longest)


def _until_closed() -> Iterator[None]:
    import select

    while not select.select([sys.stdin], [], [], _PAUSE_S)[0]:
        yield


def _run(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bench.heavy", *words]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def measure(url: str, facts: Facts) -> None:
    for deed in _DEEDS:
        beside = _run("--beside", url)
        assert beside.stdout
        beside.stdout.readline()
        told = _run("--work", deed, url).communicate(msgspec.json.encode(facts).decode())[0]
        waited = float(beside.communicate()[0])
        done = msgspec.json.decode(told, type=HeavyFigures)
        print(
            f"  {deed:8} {done.seconds:6.2f} s ({done.cpu_seconds:.2f} s of CPU), memory grew by {done.grown_mib:6.1f} MiB,"
            f" another user waited at most {waited * 1000:8.1f} ms",
            flush=True,
        )


@contextmanager
def _copy(made: Books) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield shutil.copy(made.path, Path(folder) / "books.sqlite3")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.heavy", description=__doc__)
    parser.add_argument("--transactions", type=int, default=100_000)
    parser.add_argument("--no-postgres", action="store_true", help="SQLite alone")
    parser.add_argument("--work", nargs=2, metavar=("DEED", "URL"), help=argparse.SUPPRESS)
    parser.add_argument("--beside", metavar="URL", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.work:
        deed, url = chosen.work
        print(msgspec.json.encode(work(url, deed, msgspec.json.decode(sys.stdin.read(), type=Facts))).decode())
        return
    if chosen.beside:
        wait_beside(chosen.beside)
        return
    made = ready(CACHE, chosen.transactions)
    print(f"SQLite, {chosen.transactions} transactions on one account:", flush=True)
    with _copy(made) as path:
        measure(path, made.facts)
    if not chosen.no_postgres:
        with postgres.server(CACHE) as running:
            if running:
                print("PostgreSQL:", flush=True)
                measure(postgres.ready(running, made, lambda _step: None), made.facts)


if __name__ == "__main__":
    main()
