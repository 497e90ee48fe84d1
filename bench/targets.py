"""Sets the targets: ratios that hold on any machine, and a few absolute figures. A missed target fails nothing.

`subject: question` puts a target into one row of `docs/benchmarks.md` with all others of the same question and limit.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from timeit import repeat

from farthing.care.watch.meter import Meter

from .firing import CATCH_UP_MIN, DUE_MAX, IDLE_MAX
from .lines import NAMED, Line
from .measure import Samples, ratio
from .results import Row, Target, target

# Relative to the sum of both floors; ADR 22 explains why not less.
READ_MAX, CREATE_MAX = 1.7, 2.5
FLAT_MAX, DEEP_MAX, WORKERS_MAX = 1.15, 2.0, 1.15
START_S_MAX, RESIDENT_MB_MAX, COUNTING_US_MAX = 1.5, 90, 2


def sqlite(
    rows: list[Row], samples: dict[str, Samples], sizes: tuple[int, ...], lines: tuple[Line, ...]
) -> Iterator[Target]:
    small, large, two = f"{sizes[0]}/1", f"{sizes[-1]}/1", f"{sizes[-1]}/2"
    yield from _floors(rows, lines)
    if "create" in samples:
        yield target(_against_floors(rows, NAMED["create"]), _worst(rows, "create"), CREATE_MAX)
    for line in lines:
        grown = ratio(samples[line.key], large, small)
        yield target(f"{line.name}: {sizes[-1]} against {sizes[0]} transactions", grown, FLAT_MAX)
    if {"transactions", "transactions_deep"} <= samples.keys():
        deep = _cpu(rows, "transactions_deep", sizes[-1]) / _cpu(rows, "transactions", sizes[-1])
        yield target("the 1 000th page against the first", deep, DEEP_MAX)
    for line in lines:
        if two in samples[line.key]:
            doubled = ratio(samples[line.key], two, large)
            yield target(f"{line.name}: two workers against one", doubled, WORKERS_MAX)


def postgresql(rows: list[Row], lines: tuple[Line, ...]) -> Iterator[Target]:
    yield from _floors(rows, lines)


def start(seconds: float, transactions: int) -> Target:
    return target(f"start to first answer with {transactions} transactions, s", seconds, START_S_MAX)


def memory(proportional_bytes: int) -> Target:
    return target("resident memory of one worker and its job process, MB", proportional_bytes / 1e6, RESIDENT_MB_MAX)


def counting() -> Target:
    """What counting costs each request."""
    with TemporaryDirectory() as folder:
        meter = Meter([("GET", f"/api/v1/thing{number}/{{id}}") for number in range(200)], Path(folder))
        once = partial(meter.count, "GET", "/api/v1/thing77/{id}", 200, 0.0031)
        took = min(repeat(once, number=100_000, repeat=5, timer=process_time)) / 100_000
        meter.close()
    return target("counting a request, CPU µs", took * 1e6, COUNTING_US_MAX)


def firing(runs: Mapping[str, float], late: Mapping[str, float]) -> Iterator[Target]:
    idle, caught_up = "daily run, idle users against none", "catching up against recording"
    yield target("a daily run with ten times the users, none of them due", runs[idle], IDLE_MAX)
    each = runs["daily run, a firing with all due against half"]
    yield target("a daily run with twice as many due, for each firing", each, DUE_MAX)
    yield target("catching up, share of the rate of recording alone", late[caught_up], CATCH_UP_MIN, at_least=True)


def _floors(rows: list[Row], lines: tuple[Line, ...]) -> Iterator[Target]:
    for line in lines:
        if not line.writes:
            yield target(_against_floors(rows, line), _worst(rows, line.key), READ_MAX)


def _against_floors(rows: list[Row], line: Line) -> str:
    return f"{line.name}: against its floors, {rows[0].database}"


def _worst(rows: list[Row], key: str) -> float:
    """The worst of all sizes, with one worker."""
    return max(row.ratio for row in rows if row.ratio is not None and row.line == key and row.workers == 1)


def _cpu(rows: list[Row], key: str, size: int) -> float:
    return next(row.cpu_us for row in rows if row.line == key and row.transactions == size and row.workers == 1)
