"""Compares stored sums with those computed from the splits, by day, month and for all time."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import add

from msgspec import Struct

from farthing.ledger.balance import periods
from farthing.storage.grains import join_halves
from farthing.storage.unit import Row

from .finding import DoctorFinding, Person

Key = tuple[int, ...]
Figures = tuple[int, ...]

# The grain of rows computed from the splits; their period is a day.
MADE = "made"


class SumRow(Struct, frozen=True):
    """Holds the stored figures of one period, or those of one day from the splits; `key` identifies them."""

    key: Key
    grain: str
    period: str
    figures: Figures


def read_sums(rows: Iterable[Row], keys: int) -> Iterator[SumRow]:
    """Reads rows of the key, the grain, the period and the halves of one sum, which counts may follow."""
    for row in rows:
        (grain, period, high, low, *counts), key = row[keys:], row[:keys]
        yield SumRow(key=key, grain=grain, period=period, figures=(join_halves(high, low), *counts))


class Drift(Struct, frozen=True):
    """A stored figure that differs; `index` is its position among the figures."""

    key: Key
    period: str
    index: int
    stored: int
    true: int


def find_drifts(rows: Iterable[SumRow]) -> Iterator[Drift]:
    """Compares rows that are ordered by key. A stored zero equals a missing row."""
    for key, group in groupby(rows, key=lambda row: row.key):
        stored: dict[tuple[str, str], Figures] = {}
        true: dict[tuple[str, str], Figures] = {}
        for row in group:
            if row.grain == MADE:
                for each in periods(row.period):
                    _add(true, each, row.figures)
            else:
                _add(stored, (row.grain, row.period), row.figures)
        for at in sorted(stored.keys() | true.keys()):
            yield from _differences(key, at[1], stored.get(at), true.get(at))


def _add(sums: dict[tuple[str, str], Figures], at: tuple[str, str], figures: Figures) -> None:
    sums[at] = tuple(map(add, sums[at], figures)) if at in sums else figures


def _differences(key: Key, period: str, stored: Figures | None, true: Figures | None) -> Iterator[Drift]:
    if stored == true:
        return
    nothing = (0,) * len(stored or true or ())
    for index, (is_stored, is_true) in enumerate(zip(stored or nothing, true or nothing, strict=True)):
        if is_stored != is_true:
            yield Drift(key=key, period=period, index=index, stored=is_stored, true=is_true)


def report_drift(
    person: Person,
    rule: str,
    drift: Drift,
    subject: str,
    show: Callable[[int], str],
    *,
    claim: str = "the stored sum is",
    account_id: int | None = None,
) -> DoctorFinding:
    """`show` writes a figure, and `claim` says what is stored."""
    return person.finding(
        rule,
        f"{subject}, {describe_period(drift.period)}: "
        f"{claim} {show(drift.stored)}, but the transactions add up to {show(drift.true)}.",
        account_id=account_id,
        period=drift.period,
        stored=drift.stored,
        true=drift.true,
    )


def describe_period(period: str) -> str:
    if not period:
        return "all time"
    return f"in {period}" if len(period) == len("YYYY-MM") else f"on {period}"
