"""Serves insights."""

from collections.abc import Iterable, Iterator
from typing import Any

from farthing.books.currencies import store as currencies
from farthing.books.transactions.model import OWN
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE_OVERVIEW, RANGE_NEEDED, Parameter, Route
from farthing.overviews.insight import find, sums
from farthing.overviews.insight.model import InsightBy, InsightFlow, InsightQuery
from farthing.overviews.reports.reading.ranges import ReportRange

from ..parts.id_lists import describe_ids, read_accounts, read_ids
from . import wire
from .wire import Currencies, InsightGroup, InsightTotal, InsightTransfer

# The words in the addresses, with what they sum up by and the parameter that selects some of the rows.
_GROUPS: dict[InsightFlow, dict[str, tuple[InsightBy, str | None]]] = {
    InsightFlow.EXPENSE: {
        "expense": (InsightBy.PAYEE, None),
        "asset": (InsightBy.ACCOUNT, None),
        "bill": (InsightBy.BILL, "bills"),
        "budget": (InsightBy.BUDGET, "budgets"),
        "category": (InsightBy.CATEGORY, "categories"),
        "tag": (InsightBy.TAG, "tags"),
    },
    InsightFlow.INCOME: {
        "revenue": (InsightBy.PAYEE, None),
        "asset": (InsightBy.ACCOUNT, None),
        "category": (InsightBy.CATEGORY, "categories"),
        "tag": (InsightBy.TAG, "tags"),
    },
    InsightFlow.TRANSFER: {"category": (InsightBy.CATEGORY, "categories"), "tag": (InsightBy.TAG, "tags")},
}
_WITHOUT = ("bill", "budget", "category", "tag")
_WHAT = {InsightFlow.EXPENSE: "expenses", InsightFlow.INCOME: "income", InsightFlow.TRANSFER: "transfers"}
_NAMES = {InsightBy.ACCOUNT: "own account", InsightBy.PAYEE: "account on the other side"}


def transfer_asset(call: Call) -> Answer:
    query, _ = _read(call, InsightFlow.TRANSFER)
    rows = find.find_transfers(call.db, call.user_id, query)
    return _answer(wire.show_transfers(rows, _currencies(call, (row.currency_id for row in rows))))


def _answer_group(call: Call, flow: InsightFlow, by: InsightBy, parameter: str | None) -> Answer:
    query, payee_ids = _read(call, flow)
    label_ids = read_ids(call, parameter) if parameter else []
    rows = find.find_rows(call.db, call.user_id, query, by, payee_ids if by is InsightBy.PAYEE else label_ids)
    return _answer(wire.show_rows(flow, rows, _currencies(call, (row.currency_id for row in rows))))


def _answer_total(call: Call, flow: InsightFlow, without: InsightBy | None = None) -> Answer:
    query, _ = _read(call, flow)
    if without:
        units = sums.sum_without(call.db, call.user_id, query, without)
    else:
        units = sums.sum_all(call.db, call.user_id, query)
    return _answer(wire.show_total(flow, units, _currencies(call, units)))


def _read(call: Call, flow: InsightFlow) -> tuple[InsightQuery, list[int]]:
    """Reads the range and the accounts. The user's own accounts narrow the query; other accounts select payees."""
    days, accounts = call.required_range(), read_accounts(call)
    own_ids = tuple(account.id for account in accounts if account.kind in OWN)
    query = InsightQuery(flow=flow, days=ReportRange(start=days.start, end=days.end), account_ids=own_ids)
    return query, [account.id for account in accounts if account.kind not in OWN]


def _currencies(call: Call, currency_ids: Iterable[int]) -> Currencies:
    return currencies.by_ids(call.db, set(currency_ids))


def _answer(document: list[Any]) -> Answer:
    return Answer(document, media_type="application/json")


_ACCOUNTS = describe_ids(
    "accounts",
    "Only transactions of these own accounts are summed. Lists of payees contain only the payees named here, if any.",
)


def _make_route(flow: InsightFlow, word: str, summary: str, gives: Any, answer: Any, *more: Parameter) -> Route:
    def handler(call: Call) -> Answer:
        result: Answer = answer(call)
        return result

    # The name of a route consists of the name of its handler and its folder.
    handler.__name__ = f"{flow}_{word.replace('-', '_')}"
    parameters = (*RANGE_NEEDED, *more, _ACCOUNTS)
    path = f"/insight/{flow}/{word}"
    return Route("GET", path, handler, summary, gives=gives, parameters=parameters, runs=LARGE_OVERVIEW)


def _make_routes(flow: InsightFlow) -> Iterator[Route]:
    what = _WHAT[flow]
    for word, (by, parameter) in _GROUPS[flow].items():
        more = [describe_ids(parameter, f"The {parameter} to include; defaults to all.")] if parameter else []
        yield _make_route(
            flow,
            word,
            f"Sum up {what} by {_NAMES.get(by, by)}",
            list[InsightGroup],
            lambda call, by=by, parameter=parameter: _answer_group(call, flow, by, parameter),
            *more,
        )
        if word in _WITHOUT:
            yield _make_route(
                flow,
                f"no-{word}",
                f"Sum up {what} without a {word}",
                list[InsightTotal],
                lambda call, by=by: _answer_total(call, flow, by),
            )
    yield _make_route(flow, "total", f"Sum up all {what}", list[InsightTotal], lambda call: _answer_total(call, flow))


ROUTES = (
    *(route for flow in InsightFlow for route in _make_routes(flow)),
    Route(
        "GET", "/insight/transfer/asset", transfer_asset, "Sum up transfers by own account",
        gives=list[InsightTransfer], parameters=(*RANGE_NEEDED, _ACCOUNTS), runs=LARGE_OVERVIEW,
    ),
)  # fmt: skip
