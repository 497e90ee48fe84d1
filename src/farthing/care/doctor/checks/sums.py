"""Compares stored sums with those computed from the splits, by day, month and for all time."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import add

from msgspec import Struct

from farthing.ledger.balance import periods

Key = tuple[int, ...]
Figures = tuple[int, ...]

# The grain of rows computed from the splits; their period is a day.
MADE = "made"


class SumRow(Struct, frozen=True):
    """Stored figures of one period, or one day's figures computed from the splits; `key` says of what."""

    key: Key
    grain: str
    period: str
    figures: Figures


class Drift(Struct, frozen=True):
    """A stored figure that differs; `place` is its position among the figures."""

    key: Key
    period: str
    place: int
    kept: int
    true: int


def find_drifts(rows: Iterable[SumRow]) -> Iterator[Drift]:
    """Rows must be ordered by key. A stored zero equals a missing row."""
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
            yield Drift(key=key, period=period, place=place, kept=is_kept, true=is_true)


def describe_period(period: str) -> str:
    if not period:
        return "all time"
    return f"in {period}" if len(period) == len("YYYY-MM") else f"on {period}"
