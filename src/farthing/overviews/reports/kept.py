"""Reads reports from stored sums: one row per label and month, or day at the ends of the range, never splits."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

from farthing.ledger.kinds import Kind, Type
from farthing.storage.grains import HALVES, joined
from farthing.storage.unit import Unit

from ..charts import store as charts
from .kinds import OTHERS, OWN
from .model import Amounts, Dimension, Flows
from .ranges import ReportRange

_TABLES = {
    Dimension.CATEGORY: "categories",
    Dimension.TAG: "tags",
    Dimension.BUDGET: "budgets",
    Dimension.ACCOUNT: "accounts",
    Dimension.PAYEE: "accounts",
}
_KINDS: dict[Dimension, frozenset[Kind]] = {Dimension.ACCOUNT: OWN, Dimension.PAYEE: OTHERS}
_FLOWING = (Type.WITHDRAWAL, Type.DEPOSIT)
_BOUNDS = ("grain", "first", "beyond")


def sum_flows(db: Unit, user_id: int, within: ReportRange) -> Flows:
    """Everything that was spent and earned."""
    flows = charts.flows(db, user_id, within.chart)
    return {
        type_: {
            currency_id: of_type[type_] if within.period else [sum(of_type[type_])]
            for currency_id, of_type in flows.items()
        }
        for type_ in _FLOWING
    }


def sum_one(db: Unit, user_id: int, table: str, label_id: int, within: ReportRange) -> Flows:
    """What was spent and earned under one label."""
    found: Flows = {type_: {} for type_ in _FLOWING}
    chosen = "AND l.id = :label_id"
    for _, type_, currency_id, place, units in _read(db, user_id, table, chosen, within, label_id=label_id):
        if type_ in found:
            found[Type(type_)].setdefault(currency_id, within.nothing())[place] += units
    return found


def sum_each(db: Unit, user_id: int, dimension: Dimension, type_: Type, within: ReportRange) -> dict[int, Amounts]:
    """What was spent, or earned, under each label."""
    chosen, more = "AND s.type = :type", dict[str, Any](type=int(type_))
    if kinds := _KINDS.get(dimension):
        chosen += " AND l.kind IN :kinds"
        more["kinds"] = sorted(kind.value for kind in kinds)
    found: dict[int, Amounts] = defaultdict(dict)
    for label_id, _, currency_id, place, units in _read(db, user_id, _TABLES[dimension], chosen, within, **more):
        found[label_id].setdefault(currency_id, within.nothing())[place] += units
    return found


def table_of(dimension: Dimension) -> str:
    return _TABLES[dimension]


def _read(
    db: Unit, user_id: int, table: str, chosen: str, within: ReportRange, **more: Any
) -> Iterator[tuple[int, int, int, int, int]]:
    """Label, type, currency, part and units."""
    bounds = {f"{name}_{place}": getattr(one, name) for place, one in enumerate(within.spans) for name in _BOUNDS}
    if within.period is None:
        rows = db.all(_sum(table, chosen, len(within.spans), _WHOLE, _BY_LABEL), user_id=user_id, **bounds, **more)
        yield from ((label_id, type_, id_, 0, joined(high, low)) for label_id, type_, id_, high, low in rows)
        return
    rows = db.all(_sum(table, chosen, len(within.spans), _EACH, ""), user_id=user_id, **bounds, **more)
    places = within.places
    yield from ((label_id, type_, id_, places[period], units) for label_id, type_, id_, period, units in rows)


_WHOLE = HALVES.format(column="s.units")
_EACH = "s.period, s.units"
_BY_LABEL = "GROUP BY l.id, s.type, s.currency_id"


@cache
def _sum(table: str, chosen: str, spans: int, columns: str, grouped: str) -> str:
    """The CROSS JOIN fixes the join order in SQLite, which would otherwise read the sums of all labels and days."""
    return " UNION ALL ".join(
        f"""
        SELECT l.id, s.type, s.currency_id, {columns} FROM {table} l CROSS JOIN sums_of_{table} s
        WHERE l.user_id = :user_id AND s.user_id = :user_id AND s.label_id = l.id AND s.grain = :grain_{place}
            AND s.period >= :first_{place} AND s.period < :beyond_{place} {chosen} {grouped}
        """
        for place in range(spans)
    )
