"""What a row costs: imported, and written by raw SQL; in turns, so that a busy machine slows both alike."""

import gc
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from msgspec import Struct

from farthing.storage.drivers.sqlite import SqliteDatabase
from farthing.storage.unit import Database

from ..books import Facts
from ..measure import DatabaseClock, no_database_server
from ..raw.database import Raw, connect
from ..raw.importing import BATCH, RawImport, prepare
from .statement import BankRow, as_csv, make_rows
from .work import ImportWork, add_rules_and_bills

# So much CPU time a turn takes, about; less for the floor, so that both last for as many turns.
_TURN_S, _FLOOR_TURN_S = 0.5, 0.1
# Of a million rows in ten years, so many days have ten thousand.
_WEEKS_DAYS = 36
# What both must have written alike; ids and times differ.
_WRITTEN = (
    "SELECT COUNT(*), MIN(on_day), MAX(on_day) FROM entries",
    "SELECT COUNT(*), SUM(units) FROM splits",
    "SELECT COUNT(*), SUM(units) FROM payments",
    "SELECT COUNT(*), SUM(units * units) FROM balances WHERE grain = 'day'",
    "SELECT COUNT(*), SUM(ABS(units)) FROM balances",
    "SELECT COUNT(*), SUM(units) FROM flows",
    "SELECT COUNT(*), SUM(entries), SUM(splits) FROM counts",
    "SELECT COUNT(*), SUM(units), SUM(splits) FROM sums_of_accounts",
    "SELECT COUNT(*), SUM(units * units) FROM net_worth WHERE grain = 'day'",
    "SELECT COUNT(*), SUM(entries) FROM words",
    "SELECT COUNT(*) FROM mentions",
    "SELECT COUNT(*), MAX(on_day) FROM import_rows",
    "SELECT COUNT(*) FROM changes WHERE kind = 'entries' AND action = 'created'",
)


class RowCost(Struct, frozen=True):
    """CPU time for each row, and time on the wall."""

    cpu_us: float
    wall_ms: float


class Work:
    """Something to be done part by part, whose time is added up."""

    def __init__(
        self, parts: Iterator[None], rows: int, clock: DatabaseClock = no_database_server, turn_s: float = _TURN_S
    ) -> None:
        self._parts = parts
        self._rows = rows
        self._turn_s = turn_s
        self._clock = clock
        self._cpu_ns = self._wall_ns = 0

    def turn(self) -> bool:
        """False when nothing is left."""
        gc.collect()
        began, wall = self._now(), time.perf_counter_ns()
        more = True
        while more and self._now() - began < self._turn_s * 1e9:
            more = next(self._parts, self) is not self
        self._cpu_ns += self._now() - began
        self._wall_ns += time.perf_counter_ns() - wall
        return more

    def _now(self) -> int:
        """SQLite runs in this process."""
        return time.process_time_ns() + self._clock()

    @property
    def cost(self) -> RowCost:
        return RowCost(cpu_us=self._cpu_ns / self._rows / 1e3, wall_ms=self._wall_ns / self._rows / 1e6)


def take_turns(works: Sequence[Work]) -> list[RowCost]:
    """Until all are done."""
    left = list(works)
    while left:
        left = [one for one in left if one.turn()]
    return [one.cost for one in works]


def on_sqlite(path: Path, folder: Path, facts: Facts, number: int) -> dict[str, RowCost]:
    """The same rows three times into copies of the same books: raw, imported, imported with rules and bills."""
    rows = make_rows(number)
    folder.mkdir()
    copies = [shutil.copyfile(path, folder / f"{name}.sqlite3") for name in ("raw", "plain", "ruled")]
    floor = connect(f"sqlite:///{copies[0]}")
    with closing(floor.connection), sqlite(copies[1]) as plain, sqlite(copies[2]) as ruled:
        add_rules_and_bills(ruled, facts)
        works = [ImportWork(database, folder, facts, as_csv(rows)) for database in (plain, ruled)]
        alone = Work(_write(floor, facts, rows), number, turn_s=_FLOOR_TURN_S)
        costs = take_turns([alone, *(Work(one.parts(), number) for one in works)])
        for one in works:
            one.refuse_losses(number)
        _refuse_difference(floor, plain)
    return dict(zip(("raw", "plain", "ruled"), costs, strict=True))


def on_postgres(
    database: Database, url: str, folder: Path, facts: Facts, number: int, clock: DatabaseClock
) -> dict[str, RowCost]:
    """Into the same books, so the floor writes other amounts: the import does not take them for its own."""
    work, raw = ImportWork(database, folder, facts, as_csv(make_rows(number))), connect(url)
    with closing(raw.connection):
        floor = Work(_write(raw, facts, make_rows(number, seed=2)), number, clock, _FLOOR_TURN_S)
        costs = take_turns([floor, Work(work.parts(), number, clock)])
    work.refuse_losses(number)
    return dict(zip(("raw", "plain"), costs, strict=True))


def in_growing_books(copies: Sequence[tuple[Path, Facts]], folder: Path, number: int) -> list[RowCost]:
    """The same file into each of the books: some weeks of a million rows in ten years, as if it were the end of them.

    All transactions of the books are made to look imported.
    """
    content = as_csv(make_rows(number, days=_WEEKS_DAYS))
    folder.mkdir()
    databases, works = [], []
    for path, facts in copies:
        databases.append(database := SqliteDatabase(path))
        _remember_all(database, facts)
        works.append(ImportWork(database, folder, facts, content))
    costs = take_turns([Work(one.parts(), number) for one in works])
    for one, database in zip(works, databases, strict=True):
        one.refuse_losses(number)
        database.close()
    return costs


def _remember_all(database: Database, facts: Facts) -> None:
    with database.writing() as db:
        db.run(
            """
            INSERT INTO import_rows (user_id, job_id, account_id, row_number, on_day, key, outcome, entry_id)
            SELECT user_id, 0, :account_id, id, on_day, 'f' || lower(hex(randomblob(12))), 'new', id
            FROM entries WHERE user_id = :user_id
            """,
            user_id=facts.user_id,
            account_id=facts.asset_ids[0],
        )


def _write(db: Raw, facts: Facts, rows: Sequence[BankRow]) -> Iterator[None]:
    ready, floor = prepare(facts, rows), RawImport(db, facts)
    for first in range(0, len(ready), BATCH):
        floor.write(ready[first : first + BATCH])
        yield


def _refuse_difference(floor: Raw, database: Database) -> None:
    """A floor that wrote something else would be no floor."""
    with database.reading() as db:
        for query in _WRITTEN:
            imported, alone = db.all(query), floor.rows(query, {})
            assert imported == alone, f"{query}: {imported} were imported, {alone} written by the floor"


@contextmanager
def sqlite(path: Path) -> Iterator[SqliteDatabase]:
    database = SqliteDatabase(path)
    try:
        yield database
    finally:
        database.close()
