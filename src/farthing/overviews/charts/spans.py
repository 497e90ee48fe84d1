"""Chooses the stored sums that the parts of a chart are made of, and asks for them in SQL."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from farthing.storage.grains import Span

from .model import ChartRange

_BEYOND = "~"
_DAY = timedelta(days=1)


def list_spans_after_first(chart: ChartRange) -> Sequence[Span]:
    """The spans after the first part, without end: days where a part ends within a month, months elsewhere."""
    first, month = chart.parts[0].last + _DAY, chart.end.replace(day=1)
    next_month = (month + timedelta(days=31)).replace(day=1)
    if next_month == chart.end + _DAY and not chart.by_days:
        return [Span(grain="month", first=_month(first), beyond=_BEYOND)]
    days_from = first if chart.by_days else max(first, month)
    wanted = (
        Span(grain="month", first=_month(first), beyond=_month(days_from)),
        Span(grain="day", first=days_from.isoformat(), beyond=next_month.isoformat()),
        Span(grain="month", first=_month(next_month), beyond=_BEYOND),
    )
    return [span for span in wanted if span.first < span.beyond]


def repeat_for_spans(number: int, part: str, sums: str) -> str:
    """Repeats the query for each span."""
    period = f"{sums}.period"
    return " UNION ALL ".join(
        part.format(
            in_span=f"{sums}.grain = :grain_{place} AND {period} >= :first_{place} AND {period} < :beyond_{place}"
        )
        for place in range(number)
    )


def bind_spans(chosen: Sequence[Span]) -> dict[str, Any]:
    return {
        f"{name}_{place}": getattr(span, name)
        for place, span in enumerate(chosen)
        for name in ("grain", "first", "beyond")
    }


def _month(day: date) -> str:
    return day.isoformat()[:7]
