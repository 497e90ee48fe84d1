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

# The grain of rows that are computed from the splits. Their period is a day.
MADE = "made"


class SumRow(Struct, frozen=True):
    """Holds the stored figures of one period, or the figures of one day computed from the splits.

    `key` identifies what the figures are about, such as an account and a currency.
    """

    key: Key
    grain: str
    period: str
    figures: Figures


def read_sums(rows: Iterable[Row], keys: int) -> Iterator[SumRow]:
    """Converts rows to sums. The first `keys` columns of a row are the key.

    The next columns are the grain, the period, and the two halves of a sum. Counts may follow.
    """
    for row in rows:
        (grain, period, high, low, *counts), key = row[keys:], row[:keys]
        yield SumRow(key=key, grain=grain, period=period, figures=(join_halves(high, low), *counts))


class Drift(Struct, frozen=True):
    """Describes a stored figure that differs from the true one. `index` is its position in `figures`."""

    key: Key
    period: str
    index: int
    stored: int
    true: int


def find_drifts(rows: Iterable[SumRow]) -> Iterator[Drift]:
    """Finds stored figures that differ from the computed ones. Rows must be sorted by key.

    A stored zero and a missing row are considered equal.
    """
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
    """Describes a drift as a finding. `show` formats a figure, and `claim` is the text before the stored figure."""
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
