"""Chooses which stored sums, of months and of days, together cover a range of days."""

from collections.abc import Sequence
from datetime import date, timedelta

from msgspec import Struct

from farthing.schedule.months import start_of_next_month


class Span(Struct, frozen=True):
    """Selects stored sums of one grain (`day`, `month` or `all`), from `first` up to, but not including, `beyond`."""

    grain: str
    first: str
    beyond: str


ALL_TIME = Span(grain="all", first="", beyond="~")


def spans(start: date, end: date) -> list[Span]:
    """Splits a range of days so that the fewest stored sums cover it: whole months, and the days around them."""
    beyond = end + timedelta(days=1)
    whole_from, whole_to = start if start.day == 1 else start_of_next_month(start), beyond.replace(day=1)
    if whole_from >= whole_to:
        return [_days(start, beyond)]
    months = Span(grain="month", first=whole_from.isoformat()[:7], beyond=whole_to.isoformat()[:7])
    ends = [(start, whole_from), (whole_to, beyond)]
    return [months, *(_days(first, last) for first, last in ends if first < last)]


def _days(first: date, beyond: date) -> Span:
    return Span(grain="day", first=first.isoformat(), beyond=beyond.isoformat())


def for_each_span(sql: str, number: int, sums: str) -> str:
    """Repeats a query for several spans, with UNION ALL.

    `sums` is the alias of the stored sums. `{in_span}` in the query becomes the condition for each span.
    """
    return " UNION ALL ".join(
        sql.replace(
            "{in_span}",
            f"{sums}.grain = :grain_{index} AND {sums}.period >= :first_{index} AND {sums}.period < :beyond_{index}",
        )
        for index in range(number)
    )


def parameters_of(chosen: Sequence[Span]) -> dict[str, str]:
    """Returns the parameters that the SQL of `for_each_span` needs."""
    return {
        f"{name}_{index}": getattr(span, name)
        for index, span in enumerate(chosen)
        for name in ("grain", "first", "beyond")
    }


def in_range(sums: str, start: str, end: str) -> tuple[str, str, str]:
    """Returns three conditions that together select the stored sums for a range of days, each sum once.

    Each condition can use an index that ends in (grain, period). `sums` is the alias of the stored sums; `start` and
    `end` are SQL expressions for days.
    """
    first, last = f"substr({start}, 1, 7)", f"substr({end}, 1, 7)"
    month, day, period = f"{sums}.grain = 'month'", f"{sums}.grain = 'day'", f"{sums}.period"
    return (
        f"{month} AND {period} > {first} AND {period} < {last}",
        f"{day} AND {period} >= {start} AND {period} <= {end} AND {period} <= {first} || '-99'",
        f"{day} AND {period} > {last} AND {period} <= {end} AND {last} > {first}",
    )


# The two 32-bit halves of each number are summed separately, so that no sum exceeds 64 bits.
HIGH, LOW = "SUM({column} >> 32)", "SUM({column} & 4294967295)"
HALVES = f"{HIGH}, {LOW}"


def join_halves(high: int | None, low: int | None) -> int:
    return (int(high or 0) << 32) + int(low or 0)
