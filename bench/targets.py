"""What is wanted? Ratios that hold on any machine, and two plain figures; missing one is told, and fails nothing."""

from collections.abc import Iterator

from .lines import LINES
from .measure import Samples, ratio
from .results import Row, Target

READ_MAX, CREATE_MAX = 1.5, 2.0
FLAT_MAX, DEEP_MAX, WORKERS_MAX = 1.15, 2.0, 1.15
START_S_MAX, RESIDENT_MB_MAX = 1.5, 90
_NAMES = {line.key: line.name for line in LINES}


def sqlite(
    rows: list[Row], samples: dict[str, Samples], sizes: tuple[int, ...], *, start_s: float, resident_bytes: int
) -> Iterator[Target]:
    small, large, two = f"{sizes[0]}/1", f"{sizes[-1]}/1", f"{sizes[-1]}/2"
    yield from _floors(rows)
    yield _target("create against its floors", _worst(rows, "create"), CREATE_MAX)
    for line in LINES:
        grown = ratio(samples[line.key], large, small)
        yield _target(f"{line.name}: {sizes[-1]} against {sizes[0]} transactions", grown, FLAT_MAX)
    deep = _cpu(rows, "transactions_deep", sizes[-1]) / _cpu(rows, "transactions", sizes[-1])
    yield _target("the 1 000th page against the first", deep, DEEP_MAX)
    for line in LINES:
        if two in samples[line.key]:
            doubled = ratio(samples[line.key], two, large)
            yield _target(f"{line.name}: two workers against one", doubled, WORKERS_MAX)
    yield _target(f"start to first answer with {sizes[-1]} transactions, s", start_s, START_S_MAX)
    yield _target("resident memory of one worker after all of it, MB", resident_bytes / 1e6, RESIDENT_MB_MAX)


def postgresql(rows: list[Row]) -> Iterator[Target]:
    yield from _floors(rows)


def _floors(rows: list[Row]) -> Iterator[Target]:
    for line in LINES:
        if not line.writes:
            name = f"{rows[0].database}, {line.name} against its floors"
            yield _target(name, _worst(rows, line.key), READ_MAX)


def _worst(rows: list[Row], key: str) -> float:
    """Of all sizes, with one worker."""
    return max(row.ratio for row in rows if row.line == key and row.workers == 1)


def _cpu(rows: list[Row], key: str, size: int) -> float:
    return next(row.cpu_us for row in rows if row.line == key and row.transactions == size and row.workers == 1)


def _target(name: str, value: float, limit: float) -> Target:
    return Target(name, round(value, 3), limit)
