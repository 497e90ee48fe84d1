"""Shows from which sources to which uses money went, so that what comes in is what goes out."""

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from .breakdown import Breakdown, BreakdownRequest, BreakdownRow, break_down
from .model import Dimension


class FlowEnd(StrEnum):
    """Where money comes from or goes to beside the rows of a breakdown."""

    SAVED = "saved"
    DRAWN = "drawn"


class FlowNode(Struct, frozen=True):
    """Units are positive. `of` is the row it stands for, or what balances both sides."""

    is_source: bool
    of: BreakdownRow | FlowEnd
    units: int


class CashFlow(Struct, frozen=True):
    """In one currency: sources and uses have the same sum."""

    currency_id: int
    nodes: list[FlowNode]

    @property
    def total(self) -> int:
        return sum(node.units for node in self.nodes if node.is_source)


def trace(db: Unit, user_id: int, request: BreakdownRequest, *, sources: Dimension, uses: Dimension) -> list[CashFlow]:
    """`request` is about the whole range as one part; its dimension and type do not matter."""
    earned = break_down(db, user_id, replace(request, dimension=sources, type=Type.DEPOSIT))
    spent = break_down(db, user_id, replace(request, dimension=uses, type=Type.WITHDRAWAL))
    currency_ids = {*earned.totals.amounts, *spent.totals.amounts}
    ordered = sorted(currency_ids, key=lambda one: (one != request.own_currency_id, one))
    flows = (CashFlow(currency_id=one, nodes=_balance(earned, spent, one)) for one in ordered)
    return [flow for flow in flows if flow.nodes]


def _balance(earned: Breakdown, spent: Breakdown, currency_id: int) -> list[FlowNode]:
    nodes = [*_nodes(earned, currency_id, is_income=True), *_nodes(spent, currency_id, is_income=False)]
    left = sum(node.units if node.is_source else -node.units for node in nodes)
    if left > 0:
        nodes.append(FlowNode(is_source=False, of=FlowEnd.SAVED, units=left))
    if left < 0:
        nodes.append(FlowNode(is_source=True, of=FlowEnd.DRAWN, units=-left))
    return sorted(nodes, key=lambda node: not node.is_source)


def _nodes(found: Breakdown, currency_id: int, *, is_income: bool) -> Iterator[FlowNode]:
    """What got more back than was spent on it is a source."""
    for row in found.rows:
        units = sum(row.amounts.amounts.get(currency_id, ()))
        if units:
            yield FlowNode(is_source=(units > 0) == is_income, of=row, units=abs(units))
