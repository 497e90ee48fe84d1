"""Reads the figures of charts from stored sums: one row per day or month, never splits."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from typing import Any

import msgspec

from farthing.ledger.kinds import Type
from farthing.schedule.periods import Period
from farthing.storage.drivers import dialects
from farthing.storage.grains import Span, spans
from farthing.storage.unit import Unit

from .model import ChartRange, closings

Moved = list[int]  # the units that moved in each part, and after the last one
_DAY = timedelta(days=1)
_BEYOND = "~"


def balances(db: Unit, user_id: int, account_ids: Collection[int], chart: ChartRange) -> Mapping[int, Moved]:
    """The changes of each account after the first part, in its own currency."""
    chosen = _after_first(chart)
    rows = db.all(
        _of_accounts(dialects.pack(db, "b.period", "b.units"), len(chosen)),
        user_id=user_id,
        ids=list(account_ids),
        **_bounds(chosen),
    )
    moved, places = {one: chart.zeros_and_rest() for one in account_ids}, chart.places
    for account_id, packed in rows:
        line, found = moved[account_id], _unpack(packed)
        if chart.period is Period.DAY:  # takes as long for a day without a sum, so that full books cost no more
            line[:-1] = [units + found.pop(day, 0) for units, day in zip(line, chart.lasts, strict=False)]
        for period, units in found.items():
            line[places[period]] += units
    return moved


_unpack = msgspec.json.Decoder(dict[str, int]).decode


@cache
def _of_accounts(packed: str, number: int) -> str:
    """In one row for each account: to receive a row for each day takes three times as long."""
    return _each(
        number,
        f"""
        SELECT a.id, {packed} FROM accounts a
        JOIN balances b ON b.user_id = a.user_id AND b.account_id = a.id AND b.currency_id = a.currency_id
        AND {{in_span}}
        WHERE a.user_id = :user_id AND a.id IN :ids GROUP BY a.id
        """,
        "b",
    )


def net_worth(db: Unit, user_id: int, chart: ChartRange) -> dict[int, list[int]]:
    """By currency, at the end of each part: a row per currency and day, however many accounts there are."""
    chosen = _after_first(chart)
    rows = db.all(_of_net_worth(len(chosen)), user_id=user_id, **_bounds(chosen))
    totals: dict[int, int] = {}
    moved: dict[int, Moved] = defaultdict(chart.zeros_and_rest)
    for currency_id, period, units in rows:
        if period:
            moved[currency_id][chart.places[period]] += units
        else:
            totals[currency_id] = units
    return {currency_id: closings(total, moved[currency_id]) for currency_id, total in sorted(totals.items())}


# Sums are indexed by currency first, so that the currencies are found one by one. What was undone leaves zeros.
_NEXT_OWNED = "(SELECT MIN(n.currency_id) FROM net_worth n WHERE n.user_id = :user_id AND n.units <> 0{})"
_OWNED = f"""
owned (currency_id) AS (
    SELECT {_NEXT_OWNED.format("")}
    UNION ALL
    SELECT {_NEXT_OWNED.format(" AND n.currency_id > o.currency_id")} FROM owned o WHERE o.currency_id IS NOT NULL
)
"""


@cache
def _of_net_worth(number: int) -> str:
    """The CROSS JOIN fixes the join order in SQLite, which would otherwise read the sums of all users."""
    part = """
        SELECT o.currency_id, n.period, n.units FROM owned o CROSS JOIN net_worth n
        WHERE n.user_id = :user_id AND n.currency_id = o.currency_id AND {in_span}
        """
    total = part.format(in_span="n.grain = 'all' AND n.period = ''")
    return f"WITH RECURSIVE {_OWNED} {' UNION ALL '.join((total, *filter(None, [_each(number, part, 'n')])))}"


def flows(db: Unit, user_id: int, chart: ChartRange) -> dict[int, dict[Type, list[int]]]:
    """Spent and earned in each part, by currency."""
    chosen = (
        [Span(grain="day", first=chart.start.isoformat(), beyond=_iso(chart.end + _DAY))]
        if chart.by_days
        else spans(chart.start, chart.end)
    )
    rows = db.all(_of_flows(len(chosen)), user_id=user_id, **_bounds(chosen))
    moved: dict[int, dict[Type, Moved]] = defaultdict(lambda: {one: chart.zeros_and_rest() for one in _FLOWING})
    for type_, currency_id, period, units in rows:
        if units:
            moved[currency_id][type_][chart.places[period]] += units
    return {
        currency_id: {type_: of_type[:-1] for type_, of_type in moved[currency_id].items()}
        for currency_id in sorted(moved)
    }


_FLOWING = (Type.WITHDRAWAL, Type.DEPOSIT)


_NEXT_FLOWING = "(SELECT MIN(f.currency_id) FROM flows f WHERE f.user_id = :user_id AND f.type = {}{})"


@cache
def _of_flows(number: int) -> str:
    types = " UNION ALL ".join(f"SELECT {int(one)} AS type" for one in _FLOWING)
    flowing = f"""
    flowing (type, currency_id) AS (
        SELECT t.type, {_NEXT_FLOWING.format("t.type", "")} FROM ({types}) AS t
        UNION ALL
        SELECT g.type, {_NEXT_FLOWING.format("g.type", " AND f.currency_id > g.currency_id")} FROM flowing g
        WHERE g.currency_id IS NOT NULL
    )
    """
    part = """
        SELECT g.type, g.currency_id, f.period, f.units FROM flowing g CROSS JOIN flows f
        WHERE f.user_id = :user_id AND f.type = g.type AND f.currency_id = g.currency_id AND {in_span}
        """
    return f"WITH RECURSIVE {flowing} {_each(number, part, 'f')}"


def _after_first(chart: ChartRange) -> Sequence[Span]:
    """The spans after the first part, without end: days where a part ends within a month, months elsewhere."""
    first, month = chart.parts[0].last + _DAY, chart.end.replace(day=1)
    next_month = (month + timedelta(days=31)).replace(day=1)
    if next_month == chart.end + _DAY and not chart.by_days:
        return [Span(grain="month", first=_month(first), beyond=_BEYOND)]
    days_from = first if chart.by_days else max(first, month)
    wanted = (
        Span(grain="month", first=_month(first), beyond=_month(days_from)),
        Span(grain="day", first=_iso(days_from), beyond=_iso(next_month)),
        Span(grain="month", first=_month(next_month), beyond=_BEYOND),
    )
    return [span for span in wanted if span.first < span.beyond]


def _each(number: int, part: str, sums: str) -> str:
    """Repeats the query for each span."""
    period = f"{sums}.period"
    return " UNION ALL ".join(
        part.format(
            in_span=f"{sums}.grain = :grain_{place} AND {period} >= :first_{place} AND {period} < :beyond_{place}"
        )
        for place in range(number)
    )


def _bounds(chosen: Sequence[Span]) -> dict[str, Any]:
    return {
        f"{name}_{place}": getattr(one, name)
        for place, one in enumerate(chosen)
        for name in ("grain", "first", "beyond")
    }


def _iso(day: date) -> str:
    return day.isoformat()


def _month(day: date) -> str:
    return day.isoformat()[:7]
