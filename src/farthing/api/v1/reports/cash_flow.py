"""Shows sources and uses of money as nodes and links."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET, Struct, UnsetType

from farthing.books.currencies import store as currencies
from farthing.http.request.call import Answer, Call
from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, ShownDay, number
from farthing.ledger.kinds import Type
from farthing.overviews.reports.breakdown import BreakdownRequest, BreakdownRow, RowKind
from farthing.overviews.reports.cash_flow import CashFlowGraph, FlowEnd, FlowNode, trace
from farthing.overviews.reports.reading.model import Dimension
from farthing.overviews.reports.reading.ranges import ReportRange

from ..serializers.currencies import InCurrency, currency_fields
from . import query
from .report import ConvertedInto, answer, read, route, show_converter
from .table import Cell, Table

ALL = "all"
_FLOWS = {Type.WITHDRAWAL: "spent", Type.DEPOSIT: "earned"}


class FlowNodeShown(Struct, gc=False, kw_only=True):
    """`side` is `source`, `use`, or `all` for the node in the middle.

    `row` is `label`, `other` or `none` as in a breakdown, `saved` or `drawn` for a node that balances both sides, or
    `all`. `flow` is the filter of the list behind the node: `spent` or `earned`.
    """

    key: str
    side: str
    row: str
    id: int | None
    name: str | None
    flow: str | None = None
    colour: str | UnsetType = UNSET
    rows: int | UnsetType = UNSET
    amount: Number


class FlowLink(Struct, gc=False):
    """Connects two nodes, which are named by their keys."""

    source: str
    target: str
    amount: Number


class FlowGraph(InCurrency, gc=False, kw_only=True):
    nodes: list[FlowNodeShown]
    links: list[FlowLink]


class CashFlowMeta(Struct, gc=False):
    start: ShownDay
    end: ShownDay
    sources: str
    uses: str
    converted: ConvertedInto | UnsetType = UNSET


class CashFlowReport(Struct, gc=False):
    data: list[FlowGraph]
    meta: CashFlowMeta


def cash_flow(call: Call) -> Answer:
    values, report_request = read(call, sides=2)
    within = ReportRange(start=report_request.within.start, end=report_request.within.end)
    sources, uses = values.sources or Dimension.CATEGORY, values.uses or Dimension.CATEGORY
    request = BreakdownRequest(
        question=report_request.question,
        dimension=sources,
        type=Type.DEPOSIT,
        within=within,
        limit=query.choose_nodes(values.limit),
        own_currency_id=report_request.own_currency_id,
        folds_children=values.children == "fold",
    )
    flows = trace(call.db, call.user_id, request, sources=sources, uses=uses)
    currencies_by_id = currencies.by_ids(call.db, {flow.currency_id for flow in flows})
    meta = CashFlowMeta(within.start.isoformat(), within.end.isoformat(), sources, uses)
    meta.converted = show_converter(call, report_request.question.into)
    report = CashFlowReport([_show_graph(flow, currencies_by_id[flow.currency_id]) for flow in flows], meta)
    return answer(values, report, Table(_COLUMNS, _list_rows(report)), "cash-flow")


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
        flow=_FLOWS.get(node.type) if node.type else None,
        colour=(name.colour if name else None) or UNSET,
        rows=row.rows_in[currency.id] if row and row.kind is RowKind.OTHER else UNSET,
        amount=number(node.units, currency.places),
    )


_COLUMNS = ("side", "row", "id", "name", "currency", "amount")


def _list_rows(report: CashFlowReport) -> Iterator[tuple[Cell, ...]]:
    for graph in report.data:
        for node in graph.nodes:
            if node.key != ALL:
                yield (node.side, node.row, node.id, node.name, graph.currency_code, node.amount)


ROUTE = route(
    "cash_flow",
    cash_flow,
    "Report which sources the money came from, and how it was used",
    CashFlowReport,
    query.CASH_FLOW,
)
