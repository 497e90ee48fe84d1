"""Reports where money came from and where it went, balanced so that both sides have the same sum."""

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

from .breakdown import Breakdown, BreakdownRequest, BreakdownRow, break_down
from .reading.model import Dimension


class FlowEnd(StrEnum):
    """The nodes that are added to make both sides equal: money saved, or drawn from savings."""

    SAVED = "saved"
    DRAWN = "drawn"


class FlowNode(Struct, frozen=True):
    """`units` is positive. `of` is a row of a breakdown, or the `FlowEnd` that makes both sides equal.

    `type` is that of the row's transactions: a source can be spending, if more came back than was spent.
    """

    is_source: bool
    of: BreakdownRow | FlowEnd
    units: int
    type: Type | None = None


class CashFlowGraph(Struct, frozen=True):
    """The sources and uses of money in one currency. Both have the same sum."""

    currency_id: int
    nodes: list[FlowNode]

    @property
    def total(self) -> int:
        return sum(node.units for node in self.nodes if node.is_source)


def trace(
    db: Unit, user_id: int, request: BreakdownRequest, *, sources: Dimension, uses: Dimension
) -> list[CashFlowGraph]:
    """Traces the cash flow in each currency. Expects a request without periods, and ignores its dimension and type."""
    earned = break_down(db, user_id, replace(request, dimension=sources, type=Type.DEPOSIT))
    spent = break_down(db, user_id, replace(request, dimension=uses, type=Type.WITHDRAWAL))
    currency_ids = {*earned.totals.amounts, *spent.totals.amounts}
    ordered = sorted(currency_ids, key=lambda currency_id: (currency_id != request.own_currency_id, currency_id))
    flows = (
        CashFlowGraph(currency_id=currency_id, nodes=_balance(earned, spent, currency_id)) for currency_id in ordered
    )
    return [flow for flow in flows if flow.nodes]


def _balance(earned: Breakdown, spent: Breakdown, currency_id: int) -> list[FlowNode]:
    nodes = [*_nodes(earned, currency_id, is_income=True), *_nodes(spent, currency_id, is_income=False)]
    left = sum(node.units if node.is_source else -node.units for node in nodes)
    if left > 0:
        nodes.append(FlowNode(is_source=False, of=FlowEnd.SAVED, units=left))
    if left < 0:
        nodes.append(FlowNode(is_source=True, of=FlowEnd.DRAWN, units=-left))
    return sorted(nodes, key=lambda node: not node.is_source)


def _nodes(breakdown: Breakdown, currency_id: int, *, is_income: bool) -> Iterator[FlowNode]:
    """Turns the rows of a breakdown into nodes. A row with more refunds than spending becomes a source."""
    for row in breakdown.rows:
        units = sum(row.amounts.amounts.get(currency_id, ()))
        if units:
            type_ = Type.DEPOSIT if is_income else Type.WITHDRAWAL
            yield FlowNode(is_source=(units > 0) == is_income, of=row, units=abs(units), type=type_)
