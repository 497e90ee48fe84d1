"""Reads the amounts of reports from stored sums by month, or by day at the ends of a range. Never reads splits."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from farthing.books.transactions.model import OWN
from farthing.ledger.kinds import COUNTERPARTIES, FLOWING, Kind, Type
from farthing.storage.grains import HALVES, join_halves
from farthing.storage.unit import Unit

from ...charts import store as charts
from .model import Amounts, Dimension, Flows
from .ranges import ReportRange, as_table, join_sums

_TABLES = {
    Dimension.CATEGORY: "categories",
    Dimension.TAG: "tags",
    Dimension.BUDGET: "budgets",
    Dimension.ACCOUNT: "accounts",
    Dimension.PAYEE: "accounts",
}
# A payee is the account on the other side of spending or income.
_KINDS: dict[Dimension, frozenset[Kind]] = {Dimension.ACCOUNT: OWN, Dimension.PAYEE: COUNTERPARTIES}


def sum_flows(db: Unit, user_id: int, within: ReportRange) -> Flows:
    flows = charts.flows(db, user_id, within.chart)
    return {
        type_: {
            currency_id: of_type[type_] if within.period else [sum(of_type[type_])]
            for currency_id, of_type in flows.items()
        }
        for type_ in FLOWING
    }


def sum_some(db: Unit, user_id: int, table: str, label_ids: list[int], within: ReportRange) -> Flows:
    """Sums the spending and the income of all these labels together."""
    flows: Flows = {type_: {} for type_ in FLOWING}
    chosen = "AND l.id IN :label_ids"
    for _, type_, currency_id, index, units in _read(db, user_id, table, chosen, within, label_ids=label_ids):
        if type_ in flows:
            flows[Type(type_)].setdefault(currency_id, within.zeros())[index] += units
    return flows


def sum_each(
    db: Unit,
    user_id: int,
    dimension: Dimension,
    type_: Type,
    within: ReportRange,
    label_ids: list[int] | None = None,
) -> dict[int, Amounts]:
    """Sums the spending, or the income, of each label, or only of the labels in `label_ids`."""
    chosen, more = "AND s.type = :type", dict[str, Any](type=int(type_))
    if kinds := _KINDS.get(dimension):
        chosen += " AND l.kind IN :kinds"
        more["kinds"] = sorted(kind.value for kind in kinds)
    if label_ids is not None:
        chosen += " AND l.id IN :label_ids"
        more["label_ids"] = label_ids
    by_label: dict[int, Amounts] = defaultdict(dict)
    for label_id, _, currency_id, index, units in _read(db, user_id, _TABLES[dimension], chosen, within, **more):
        by_label[label_id].setdefault(currency_id, within.zeros())[index] += units
    return by_label


def table_of(dimension: Dimension) -> str:
    return _TABLES[dimension]


def _read(
    db: Unit, user_id: int, table: str, chosen: str, within: ReportRange, **more: Any
) -> Iterator[tuple[int, int, int, int, int]]:
    """Yields label, type, currency, part and units."""
    sums = join_sums(db, f"sums_of_{table}", "s.user_id = :user_id AND s.label_id = l.id")
    sql = f"""
        WITH {as_table(within.pieces)}
        SELECT l.id, s.type, s.currency_id, p.place, {HALVES.format(column="s.units")}
        FROM {table} l CROSS JOIN pieces p {sums} AND l.user_id = :user_id {chosen}
        AND (s.units <> 0 OR s.splits <> 0)
        GROUP BY l.id, p.place, s.type, s.currency_id
    """
    rows = db.all(sql, user_id=user_id, **more)
    for label_id, type_, id_, index, high, low in rows:
        yield label_id, type_, id_, index, join_halves(high, low)
