"""What came out? Rows of figures, judged against the targets, kept as JSON beside the machine they came from."""

import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

COMMITTED = Path(__file__).parent / "results" / "table.json"
# A machine that is busy elsewhere moves ratios by a few hundredths; more than this is worth a look.
WORSE = 1.1


class Row(Struct, kw_only=True):
    """One line on one set of books. `bare_us` and `raw_us` are the two floors, `ratio` is CPU against their sum."""

    line: str
    name: str
    database: str
    transactions: int
    workers: int
    cpu_us: float
    bare_us: float
    raw_us: float
    ratio: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    per_second: float

    @property
    def key(self) -> tuple[str, str, int, int]:
        return self.database, self.line, self.transactions, self.workers


class Target(Struct):
    name: str
    value: float
    limit: float

    @property
    def met(self) -> bool:
        return self.value <= self.limit


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


def changed(now: Table, before: Table) -> list[tuple[str, float, float]]:
    """Name, before and now of each ratio to the floors, and of each target: those hold on any machine."""
    ratios = {row.key: row.ratio for row in before.rows}
    pairs = [(_named(row), ratios[row.key], row.ratio) for row in now.rows if row.key in ratios]
    values = {target.name: target.value for target in before.targets}
    return pairs + [(one.name, values[one.name], one.value) for one in now.targets if one.name in values]


def _named(row: Row) -> str:
    return f"{row.database}, {row.transactions}, {row.workers} worker(s): {row.name}"
