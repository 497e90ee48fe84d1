"""Which rows of a kept sum make up a range of days? Whole months between, and the days at both ends."""

from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True)
class Span:
    """Kept rows of one grain, from one period up to another, which is not among them."""

    grain: str
    first: str
    beyond: str


ALL_TIME = Span("all", "", "~")


def spans(start: date, end: date) -> list[Span]:
    """The fewest rows for a known range: each month that is in it as a whole is one row, also at its ends."""
    beyond = end + timedelta(days=1)
    whole_from, whole_to = start if start.day == 1 else _next_month(start), beyond.replace(day=1)
    if whole_from >= whole_to:
        return [_days(start, beyond)]
    months = Span("month", whole_from.isoformat()[:7], whole_to.isoformat()[:7])
    ends = [(start, whole_from), (whole_to, beyond)]
    return [months, *(_days(first, last) for first, last in ends if first < last)]


def _days(first: date, beyond: date) -> Span:
    return Span("day", first.isoformat(), beyond.isoformat())


def _next_month(day: date) -> date:
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1)


def in_range(sums: str, start: str, end: str) -> tuple[str, str, str]:
    """Three conditions that do not overlap; each can use an index that ends in (grain, period).

    `sums` is the alias of the kept sums, `start` and `end` are SQL expressions for days.
    """
    first, last = f"substr({start}, 1, 7)", f"substr({end}, 1, 7)"
    month, day, period = f"{sums}.grain = 'month'", f"{sums}.grain = 'day'", f"{sums}.period"
    return (
        f"{month} AND {period} > {first} AND {period} < {last}",
        f"{day} AND {period} >= {start} AND {period} <= {end} AND {period} <= {first} || '-99'",
        f"{day} AND {period} > {last} AND {period} <= {end} AND {last} > {first}",
    )


# Halves of 32 bits are summed apart: each sum stays within 64 bits, however large the amounts.
HALVES = "SUM({column} >> 32), SUM({column} & 4294967295)"


def joined(high: int | None, low: int | None) -> int:
    return (int(high or 0) << 32) + int(low or 0)
