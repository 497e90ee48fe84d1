"""Shows sources and uses of money as nodes and links."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType

from farthing.kernel.money import Currency
from farthing.kernel.shown import Day, Number, number
from farthing.overviews.reports.breakdown import BreakdownRow, RowKind
from farthing.overviews.reports.cash_flow import CashFlowGraph, FlowEnd, FlowNode

from ..serializers.currencies import InCurrency, currency_fields
from .table import Cell
from .wire import ConvertedInto

ALL = "all"


class FlowNodeShown(Struct, gc=False, kw_only=True):
    """`side` is `source`, `use` or `all`; `row` is the type of the node."""

    key: str
    side: str
    row: str
    id: int | None
    name: str | None
    rows: int | UnsetType = UNSET
    amount: Number


class FlowLink(Struct, gc=False):
    """Connects two nodes by their keys."""

    source: str
    target: str
    amount: Number


class FlowGraph(InCurrency, gc=False, kw_only=True):
    nodes: list[FlowNodeShown]
    links: list[FlowLink]


class CashFlowMeta(Struct, gc=False):
    start: Day
    end: Day
    sources: str
    uses: str
    converted: ConvertedInto | UnsetType = UNSET


class CashFlowReport(Struct, gc=False):
    data: list[FlowGraph]
    meta: CashFlowMeta


def show(flows: Sequence[CashFlowGraph], currencies: Mapping[int, Currency], meta: CashFlowMeta) -> CashFlowReport:
    return CashFlowReport([_show_graph(flow, currencies[flow.currency_id]) for flow in flows], meta)


def _show_graph(flow: CashFlowGraph, currency: Currency) -> FlowGraph:
    centre = FlowNodeShown(key=ALL, side=ALL, row=ALL, id=None, name=None, amount=number(flow.total, currency.places))
    nodes = [_show_node(node, key, currency) for node, key in zip(flow.nodes, _keys(flow.nodes), strict=True)]
    links = [
        FlowLink(source=node.key, target=ALL, amount=node.amount)
        if node.side == "source"
        else FlowLink(source=ALL, target=node.key, amount=node.amount)
        for node in nodes
    ]
    return FlowGraph(**currency_fields(currency), nodes=[centre, *nodes], links=links)


def _keys(nodes: Sequence[FlowNode]) -> Iterator[str]:
    """Yields a unique key for each node: its name, or its side and number."""
    numbers = {True: 0, False: 0}
    for node in nodes:
        if isinstance(node.of, FlowEnd):
            yield node.of.value
            continue
        yield f"{_side(node)}-{numbers[node.is_source]}"
        numbers[node.is_source] += 1


def _side(node: FlowNode) -> str:
    return "source" if node.is_source else "use"


def _show_node(node: FlowNode, key: str, currency: Currency) -> FlowNodeShown:
    row = node.of if isinstance(node.of, BreakdownRow) else None
    name = row.name.label if row and row.name else None
    return FlowNodeShown(
        key=key,
        side=_side(node),
        row=row.kind if row else str(node.of),
        id=name.id if name else None,
        name=name.name if name else None,
        rows=row.rows_in[currency.id] if row and row.kind is RowKind.OTHER else UNSET,
        amount=number(node.units, currency.places),
    )


COLUMNS = ("side", "row", "id", "name", "currency", "amount")


def tabulate(report: CashFlowReport) -> Iterator[tuple[Cell, ...]]:
    for graph in report.data:
        for node in graph.nodes:
            if node.key != ALL:
                yield (node.side, node.row, node.id, node.name, graph.currency_code, node.amount)
