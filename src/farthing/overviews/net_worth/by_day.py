"""Reads the net worth of each currency over time, from one stored sum per day or month."""

from collections import defaultdict
from functools import cache

from farthing.storage.grains import for_each_span, parameters_of
from farthing.storage.unit import Unit

from ..charts.model import ChartRange, Moved, closings, spans_after_first_part


def net_worth(db: Unit, user_id: int, chart: ChartRange) -> dict[int, list[int]]:
    """Returns the net worth in each currency, in units, at the end of each period of the chart."""
    chosen = spans_after_first_part(chart)
    rows = db.all(_of_net_worth(len(chosen)), user_id=user_id, **parameters_of(chosen))
    totals: dict[int, int] = {}
    moved: dict[int, Moved] = defaultdict(chart.zeros_and_rest)
    for currency_id, period, units in rows:
        if period:
            moved[currency_id][chart.places[period]] += units
        else:
            totals[currency_id] = units
    return {currency_id: closings(total, moved[currency_id]) for currency_id, total in sorted(totals.items())}


# Finds one currency after the other, because sums are indexed by currency. Skips zeros, which undone entries leave.
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
    """Fixes the join order with CROSS JOIN, because SQLite would otherwise read the sums of all users."""
    part = """
        SELECT o.currency_id, n.period, n.units FROM owned o CROSS JOIN net_worth n
        WHERE n.user_id = :user_id AND n.currency_id = o.currency_id AND {in_span}
        """
    total = part.format(in_span="n.grain = 'all' AND n.period = ''")
    return f"WITH RECURSIVE {_OWNED} {' UNION ALL '.join((total, *filter(None, [for_each_span(part, number, 'n')])))}"
