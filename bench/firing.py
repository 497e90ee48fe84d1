"""Measures firing: a daily run must scale with what is due, not with what exists; catching up must cost little more
than plain recording.

    python -m bench.firing

runs only this, on an empty SQLite database; `measure` takes any database.
"""

import gc
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path

from farthing.books.accounts.model import AccountDraft
from farthing.books.bookkeeping import record
from farthing.books.currencies import store as currencies
from farthing.books.lifecycle import accounts as lifecycle
from farthing.books.lifecycle.settings import users as user_lifecycle
from farthing.books.recurrences import store as recurrences
from farthing.books.recurrences.model import RecurrenceDraft
from farthing.identity import users
from farthing.jobs.firing import AT_ONCE, fire_everyone
from farthing.kernel.clock import Clock
from farthing.kernel.money import Money
from farthing.ledger.entry import Entry, Party, Split
from farthing.ledger.kinds import Kind, Type
from farthing.schedule.repetition import Repetition, RepetitionType
from farthing.schedule.weekend import Weekend
from farthing.storage import migrations
from farthing.storage.drivers.sqlite import SqliteDatabase
from farthing.storage.schema import TABLES
from farthing.storage.unit import Database, Unit

USERS, DUE, TIMES = 10_000, 1_000, 10
CAUGHT_UP_DAYS = 2_000
# Limits of ratios: a run with ten times the idle users against one without; the cost per firing with all due against
# half due; catching up against plain recording.
IDLE_MAX, DUE_MAX, CATCH_UP_MIN = 1.2, 1.2, 0.5

_FIRST = date(2024, 6, 1)
_LATER = date(2124, 1, 1)
_NOW = "2024-05-15T12:00:00+00:00"
_RUNS = 3
# Higher than any id of the first users; the copies of one row are this far apart.
_STRIDE = 1_000_000
_COPIED = ("users", "accounts", "recurrences", "recurrence_repetitions", "recurrence_splits")
_IDS = {"id", "user_id", "recurrence_id", "helps_id", "source_id", "destination_id"}
_numbers = count(1)


@dataclass(frozen=True)
class Household:
    user_id: int
    source: Party
    destination: Party

    def entry(self, on: date) -> Entry:
        [euro] = {self.source.currency}
        split = Split(source=self.source, destination=self.destination, amount=Money(2545, euro))
        return Entry(type=Type.WITHDRAWAL, on=on, description="Membership", splits=(split,))


def measure(database_factory: Callable[[], AbstractContextManager[Database]]) -> dict[str, float]:
    """Seconds and ratios, by name. The factory opens an empty, migrated database each time."""
    with database_factory() as database:
        found = daily_runs(database)
    with database_factory() as database:
        return found | catching_up(database)


def daily_runs(database: Database, users_: int = USERS, due: int = DUE, times: int = TIMES) -> dict[str, float]:
    """One run a day: `due` users have one recurrence due; every user has three.

    On the first days only half of them are due: the cost of a firing must not depend on how many there are.
    """
    all_due = _FIRST + timedelta(days=_RUNS)
    for number in range(due):
        with database.writing() as db:
            _add_household(db, (_FIRST if number % 2 else all_due, _LATER, _LATER))
    with database.writing() as db:
        template = _add_household(db, (_LATER, _LATER, _LATER))
    idle = users_ - due - 1
    _copy(database, template, 1, idle)
    days = (_FIRST + timedelta(days=number) for number in count())
    half = [_run(database, next(days), due // 2) for _ in range(_RUNS)]
    few = [_run(database, next(days), due) for _ in range(_RUNS)]
    _copy(database, template, idle + 1, times * idle)
    many = [_run(database, next(days), due) for _ in range(_RUNS)]
    return {
        "daily run, s": min(few),
        "daily run with ten times the idle users, s": min(many),
        "daily run, idle users against none": min(many) / min(few),
        "daily run with half as many due, s": min(half),
        "daily run, a firing with all due against half": (min(few) / due) / (min(half) / (due // 2)),
        "fired per second": due / min(few),
    }


def catching_up(database: Database, days: int = CAUGHT_UP_DAYS) -> dict[str, float]:
    """The same transactions, fired after a long absence and recorded without a recurrence, in batches of one size."""
    with database.writing() as db:
        _add_household(db, (_FIRST,))
        busy = _add_household(db, ())
    recorded = _time(lambda: _record(database, busy, days))
    until = _FIRST + timedelta(days=days - 1)
    fired = _time(lambda: _fire(database, until, days))
    return {
        "recorded per second": days / recorded,
        "caught up per second": days / fired,
        "catching up against recording": recorded / fired,
    }


def _time(work: Callable[[], None]) -> float:
    """In CPU seconds, which a busy machine does not distort; SQLite runs in this process."""
    gc.collect()
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _run(database: Database, day: date, expected: int) -> float:
    return _time(lambda: _fire(database, day, expected))


def _fire(database: Database, day: date, expected: int) -> None:
    clock = Clock(lambda: datetime(day.year, day.month, day.day, 0, 5, tzinfo=UTC))
    made = sum(len(one.entry_ids) for one in fire_everyone(database, clock))
    assert made == expected, f"{made} were made, not {expected}"


def _record(database: Database, who: Household, days: int) -> None:
    entries = [who.entry(_FIRST + timedelta(days=number)) for number in range(days)]
    for start in range(0, days, AT_ONCE):
        with database.writing() as db:
            users.take(db, who.user_id, token_id=None, now=_NOW, doing="bench")
            record.record_all(db, who.user_id, entries[start : start + AT_ONCE], _NOW)


def _add_household(db: Unit, firsts: tuple[date, ...]) -> Household:
    """A user with two accounts, and a daily recurrence for each first day."""
    user = user_lifecycle.add(db, f"user{next(_numbers)}@farthing.example", "no password", "UTC", _NOW)
    euro = currencies.by_code(db, "EUR")
    assert euro is not None
    parties = []
    for kind, name in ((Kind.ASSET, "Checking"), (Kind.EXPENSE, "Gym")):
        draft = AccountDraft(kind, name, active=True, include_net_worth=True, currency=euro)
        parties.append(Party(lifecycle.add(db, user.id, draft, _NOW), euro, name))
    home = Household(user.id, *parties)
    for first in firsts:
        yesterday = date.fromisoformat(_NOW[:10]) - timedelta(days=1)
        recurrences.add(db, user.id, _draft(first), home.entry(first), yesterday, _NOW)
    return home


def _draft(first: date) -> RecurrenceDraft:
    return RecurrenceDraft(
        type=Type.WITHDRAWAL,
        title="Gym",
        description="",
        first_on=first,
        until_on=None,
        count_max=None,
        apply_rules=True,
        active=True,
        notes=None,
        tags=(),
        piggy_bank_id=None,
        repetitions=(Repetition(RepetitionType.DAILY, "", 0, Weekend.KEEP),),
        splits=(),
    )


def _copy(database: Database, template: Household, start: int, end: int) -> None:
    """Copies a user with everything that firing might read; done by the database itself."""
    with database.writing() as db:
        for table in _COPIED:
            values = ", ".join(_copy_expression(column) for column in TABLES[table])
            own = "id" if table == "users" else "user_id"
            db.run(
                f"""
                WITH RECURSIVE numbers (n) AS (SELECT CAST({start} AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < {end})
                INSERT INTO {table} ({", ".join(TABLES[table])})
                SELECT {values} FROM {table}, numbers WHERE {own} = :user_id
                """,
                user_id=template.user_id,
            )


def _copy_expression(column: str) -> str:
    if column in _IDS:
        return f"{column} + n * {_STRIDE}"
    return f"{column} || '.' || n" if column in ("email", "email_fold") else column


@contextmanager
def _empty_sqlite() -> Iterator[Database]:
    with tempfile.TemporaryDirectory() as folder:
        database = SqliteDatabase(Path(folder) / "firing.sqlite3")
        migrations.migrate(database)
        try:
            yield database
        finally:
            database.close()


def main() -> int:
    for name, figure in measure(_empty_sqlite).items():
        print(f"{name}: {figure:.3g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
