"""Do reports read stored sums by their index, however many pieces a range has? Asked of SQLite, without any rows.

From some 150 pieces on, SQLite wanted to make an index of its own, of the sums of all users, and did not end.
"""

import asyncio
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import farthing
from farthing.books.exchange_rates.convert import DatedAmount, load_rates
from farthing.ledger.kinds import Kind, Type
from farthing.overviews.net_worth import by_account as net_worth
from farthing.overviews.net_worth.by_account import CountedAccount
from farthing.overviews.reports.reading import stored_sums
from farthing.overviews.reports.reading.model import Dimension
from farthing.overviews.reports.reading.ranges import ReportRange
from farthing.schedule.periods import Period

from ..conftest import migrated

SCANS = tuple(f"SCAN {name}" for name in ("s ", "b ", "f ", "r ", "sums_of_", "flows", "balances"))
# The modules whose statements join the pieces of a range. A new one must be asked below, in `read_all`.
JOINING = {"stored_sums.py", "by_account.py"}


class Explained:
    """A unit of work that has no rows, and asks for the plan of each statement instead."""

    dialect = "sqlite"

    def __init__(self, unit: Any) -> None:
        self._unit = unit
        self.steps: list[str] = []

    def all(self, sql: str, **parameters: Any) -> list[Any]:
        self.steps += [row[3] for row in self._unit.all(f"EXPLAIN QUERY PLAN {sql}", **parameters)]
        return []


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plans")
    with migrated(f"sqlite:///{folder / 'farthing.sqlite3'}", folder) as database:
        yield database


def months(number: int) -> ReportRange:
    years, rest = divmod(number, 12)
    end = date(2005 + years, 1, 1) if not rest else date(2005 + years, 1 + rest, 1)
    return ReportRange(start=date(2005, 1, 1), end=date.fromordinal(end.toordinal() - 1), period=Period.MONTH)


def read_all(db: Any, within: ReportRange) -> None:
    for dimension in Dimension:
        stored_sums.sum_each(db, 1, dimension, Type.WITHDRAWAL, within)
        stored_sums.sum_each(db, 1, dimension, Type.WITHDRAWAL, within, [1, 2])
    for table in ("categories", "tags", "budgets", "accounts"):
        stored_sums.sum_some(db, 1, table, [1, 2], within)
    stored_sums.sum_flows(db, 1, within)
    net_worth.read(db, 1, [CountedAccount(id=1, name="Bank", kind=Kind.ASSET)], within)
    load_rates(db, 1, [DatedAmount(currency_id=1, units=1, on=day) for day in within.lasts], 2)


def test_every_module_that_joins_pieces_is_asked():
    sources = Path(farthing.__file__).parent.rglob("*.py")

    assert {path.name for path in sources if "pieces p" in path.read_text("utf-8")} == JOINING


@pytest.mark.any_database
def test_no_connection_makes_indexes_of_its_own(empty):
    async def ask_all() -> list[int]:
        ways = [empty.read(_ask_setting), empty.read(_ask_setting, large=True), empty.write(_ask_setting, large=True)]
        return list(await asyncio.gather(*ways))

    assert asyncio.run(ask_all()) == [0, 0, 0]


def _ask_setting(db: Any) -> int:
    return int(db.value("PRAGMA automatic_index"))


@pytest.mark.parametrize("pieces", [1, 12, 156, 240])
def test_stored_sums_are_found_by_their_index_however_many_pieces_there_are(empty, pieces):
    within = months(pieces)
    assert len(within.parts) == pieces

    with empty.reading() as unit:
        db = Explained(unit)
        read_all(db, within)

    assert [step for step in db.steps if "AUTOMATIC" in step] == []
    assert [step for step in db.steps if step.startswith(SCANS)] == []
    of_sums = [step for step in db.steps if step.startswith("SEARCH s ")]
    assert len(of_sums) >= 14
    assert all("user_id=?" in step and "grain=?" in step and "period>?" in step for step in of_sums)
