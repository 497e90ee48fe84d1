"""Rows of figures, judged against the targets, and stored as JSON with the machine they came from."""

import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from .measure import Sample

COMMITTED = Path(__file__).parent / "results" / "table.json"
# A busy machine moves ratios by a few hundredths; more than this is worth a look.
WORSE = 1.1


class Row(Struct, kw_only=True):
    """One line on one set of books. `bare_us` and `raw_us` are the two floors, `ratio` is CPU relative to their sum.

    Lines that are compared with each other have no floors.
    """

    line: str
    name: str
    database: str
    transactions: int
    workers: int
    cpu_us: float
    bare_us: float | None = None
    raw_us: float | None = None
    ratio: float | None = None
    p50_ms: float
    p95_ms: float | None = None
    p99_ms: float | None = None
    per_second: float

    @classmethod
    def of(cls, figures: Sample, **more: Any) -> "Row":
        return cls(
            cpu_us=round(figures.cpu_us, 1),
            p50_ms=round(figures.p50_ms, 3),
            p95_ms=round(figures.p95_ms, 3),
            p99_ms=round(figures.p99_ms, 3),
            per_second=round(figures.per_second),
            **more,
        )

    @property
    def key(self) -> tuple[str, str, int, int]:
        return self.database, self.line, self.transactions, self.workers


class Target(Struct):
    """`limit` is the maximum wanted, or the minimum."""

    name: str
    value: float
    limit: float
    at_least: bool = False

    @property
    def met(self) -> bool:
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    @property
    def wanted(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.limit:g}"


def target(name: str, value: float, limit: float, *, at_least: bool = False) -> Target:
    return Target(name, round(value, 3), limit, at_least)


class Table(Struct):
    command: str
    date: str
    machine: dict[str, str]
    rows: list[Row]
    targets: list[Target]


def machine() -> dict[str, str]:
    import apsw

    return {
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
        "load": " ".join(Path("/proc/loadavg").read_text().split()[:3]),
    }


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


def table(rows: list[Row], targets: list[Target], machine_then: dict[str, str]) -> Table:
    words = " ".join(sys.argv[1:])
    date = datetime.now(UTC).isoformat(timespec="seconds")
    return Table(f"python -m bench {words}".strip(), date, machine_then, rows, targets)


def write(kept: Table, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")


def read(path: Path) -> Table | None:
    return msgspec.json.decode(path.read_bytes(), type=Table) if path.exists() else None


def list_changes(now: Table, before: Table) -> list[tuple[str, float, float]]:
    """Name, before and now of each ratio to the floors and each target: those are comparable across machines."""
    ratios = {row.key: row.ratio for row in before.rows if row.ratio}
    pairs = [(_named(row), ratios[row.key], row.ratio) for row in now.rows if row.ratio and row.key in ratios]
    values = {target.name: target.value for target in before.targets}
    return pairs + [(one.name, values[one.name], one.value) for one in now.targets if one.name in values]


def _named(row: Row) -> str:
    return f"{row.database}, {row.transactions}, {row.workers} worker(s): {row.name}"
