"""Does what is kept equal what the splits make? Figures by day are added up to months and to all time, and compared."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import add
from typing import NamedTuple

from ..ledger.balance import periods

Key = tuple[int, ...]
Figures = tuple[int, ...]

# Stands where kept rows have their grain; the row's period is then a day.
MADE = "made"


class Row(NamedTuple):
    """Kept figures of one period, or one day's figures as the splits make them; `key` says of what."""

    key: Key
    grain: str
    period: str
    figures: Figures


class Drift(NamedTuple):
    """`place` says which of the figures it is."""

    key: Key
    period: str
    place: int
    kept: int
    true: int


def drifts(rows: Iterable[Row]) -> Iterator[Drift]:
    """Rows come ordered by key. A kept zero and no row at all are the same."""
    for key, group in groupby(rows, key=lambda row: row.key):
        kept: dict[tuple[str, str], Figures] = {}
        true: dict[tuple[str, str], Figures] = {}
        for row in group:
            if row.grain == MADE:
                for each in periods(row.period):
                    _add(true, each, row.figures)
            else:
                _add(kept, (row.grain, row.period), row.figures)
        for at in sorted(kept.keys() | true.keys()):
            yield from _differences(key, at[1], kept.get(at), true.get(at))


def _add(sums: dict[tuple[str, str], Figures], at: tuple[str, str], figures: Figures) -> None:
    sums[at] = tuple(map(add, sums[at], figures)) if at in sums else figures


def _differences(key: Key, period: str, kept: Figures | None, true: Figures | None) -> Iterator[Drift]:
    if kept == true:
        return
    nothing = (0,) * len(kept or true or ())
    for place, (is_kept, is_true) in enumerate(zip(kept or nothing, true or nothing, strict=True)):
        if is_kept != is_true:
            yield Drift(key, period, place, is_kept, is_true)


def when(period: str) -> str:
    if not period:
        return "all time"
    return f"in {period}" if len(period) == len("YYYY-MM") else f"on {period}"
