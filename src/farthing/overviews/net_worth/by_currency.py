"""Reads the net worth in each currency from the sums that are stored for it: for charts and for the summary."""

from collections import defaultdict
from functools import cache

from farthing.storage.unit import Unit

from ..charts.model import ChartRange, closings
from ..charts.spans import bind_spans, list_spans_after_first, repeat_for_spans


def read(db: Unit, user_id: int, chart: ChartRange) -> dict[int, list[int]]:
    """Returns the units of each currency at the end of each part.

    The database returns a row per currency and day, however many accounts there are.
    """
    chosen = list_spans_after_first(chart)
    rows = db.all(_sql(len(chosen)), user_id=user_id, **bind_spans(chosen))
    totals: dict[int, int] = {}
    moved: dict[int, list[int]] = defaultdict(chart.zeros_and_rest)
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
def _sql(number: int) -> str:
    """The CROSS JOIN fixes the join order in SQLite, which would otherwise read the sums of all users."""
    part = """
        SELECT o.currency_id, n.period, n.units FROM owned o CROSS JOIN net_worth n
        WHERE n.user_id = :user_id AND n.currency_id = o.currency_id AND {in_span}
        """
    queries = [part.format(in_span="n.grain = 'all' AND n.period = ''")]
    if number:
        queries.append(repeat_for_spans(number, part, "n"))
    return f"WITH RECURSIVE {_OWNED} {' UNION ALL '.join(queries)}"
