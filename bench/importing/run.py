"""Runs all measurements of imports, and says what is wanted of them."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from farthing.storage.drivers.postgres.database import PostgresDatabase

from ..books import Books, Facts
from ..measure import DatabaseClock
from ..results import Row, Target, target
from . import beside, cost
from .cost import RowCost
from .statement import as_csv, make_rows
from .work import BILLS, RULES

# Shares of the rate of raw SQL, and growth from the smallest books to the largest.
PLAIN_MIN, RULED_MIN, GROWN_MAX = 0.25, 0.12, 1.15
_NAMES = {"plain": "", "ruled": f" with {RULES} rules and {BILLS} bills"}
_MIN = {"plain": PLAIN_MIN, "ruled": RULED_MIN}


class ImportPlan(Struct, frozen=True):
    """`rows` in the file; in large books, and on PostgreSQL, a tenth of them."""

    rows: int = 100_000
    rounds: int = 9
    seconds: float = 0.5


def measure_sqlite(
    plan: ImportPlan, made: Sequence[Books], copies: dict[int, Path], folder: Path
) -> Iterator[Row | Target]:
    """`made` go from the smallest books to the largest; the `copies` are written to."""
    small = made[0]
    yield from _shares(
        "sqlite", cost.on_sqlite(small.path, folder / "raw", small.facts, plan.rows), small.facts, plan.rows
    )
    beside_path = shutil.copyfile(small.path, folder / "beside.sqlite3")
    content = as_csv(make_rows(plan.rows))
    url = f"sqlite:///{beside_path}"
    yield from beside.measure(url, folder / "beside", small.facts, content, plan.rounds, plan.seconds)
    ends = [(copies[one.facts.transactions], one.facts) for one in (small, made[-1])]
    before, after = cost.in_growing_books(ends, folder / "growing", plan.rows // 10)
    name = f"import of a row: {ends[1][1].transactions} against {ends[0][1].transactions} transactions"
    yield target(name, after.cpu_us / before.cpu_us, GROWN_MAX)


def measure_postgres(
    plan: ImportPlan, url: str, facts: Facts, folder: Path, clock: DatabaseClock
) -> Iterator[Row | Target]:
    rows = plan.rows // 10
    database = PostgresDatabase(url, connections_max=2)
    costs = cost.on_postgres(database, url, folder / "postgres-import", facts, rows, clock)
    database.close()
    yield from _shares("postgresql", costs, facts, rows)
    content = as_csv(make_rows(rows, seed=3))
    yield from beside.measure(url, folder / "postgres-beside", facts, content, plan.rounds, plan.seconds)


def _shares(database: str, costs: dict[str, RowCost], facts: Facts, rows: int) -> Iterator[Row | Target]:
    floor = costs.pop("raw")
    yield _row("raw", "a row of a bank's file, raw SQL", database, floor, facts)
    for key, found in costs.items():
        yield _row(key, f"a row of a bank's file imported{_NAMES[key]}", database, found, facts)
        name = f"import of {rows} rows{_NAMES[key]}, share of the rate of raw SQL, {database}"
        yield target(name, floor.cpu_us / found.cpu_us, _MIN[key], at_least=True)


def _row(key: str, name: str, database: str, found: RowCost, facts: Facts) -> Row:
    return Row(
        line=f"import {key}",
        name=name,
        database=database,
        transactions=facts.transactions,
        workers=1,
        cpu_us=round(found.cpu_us, 1),
        p50_ms=round(found.wall_ms, 3),
        per_second=round(1000 / found.wall_ms),
    )
