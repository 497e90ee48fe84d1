"""Serves reports."""

from collections.abc import Iterable
from typing import Any

from msgspec import UnsetType

from farthing.books.currencies import store as currencies
from farthing.books.transactions.model import types_named
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE_OVERVIEW, Route
from farthing.kernel.errors import Invalid
from farthing.kernel.money import Currency
from farthing.ledger.kinds import Type
from farthing.overviews.net_worth import by_account as worths
from farthing.overviews.reports import cash_flow as flows
from farthing.overviews.reports.breakdown import BreakdownRequest, break_down
from farthing.overviews.reports.budgets import report_budgets
from farthing.overviews.reports.reading import amounts
from farthing.overviews.reports.reading.converting import Converter
from farthing.overviews.reports.reading.model import Dimension, currencies_in
from farthing.overviews.reports.reading.ranges import ReportRange
from farthing.overviews.reports.totals import add_up, convert, find_first_day

from . import breakdown as breakdown_wire
from . import budgets as budgets_wire
from . import cash_flow as cash_flow_wire
from . import income_expense as income_expense_wire
from . import net_worth as net_worth_wire
from . import query
from . import totals as totals_wire
from .table import Table, answer_table
from .wire import ConvertedInto, ReportMeta, show_converter, show_meta

Report = (
    breakdown_wire.BreakdownReport
    | income_expense_wire.IncomeExpenseReport
    | net_worth_wire.NetWorthReport
    | cash_flow_wire.CashFlowReport
    | budgets_wire.BudgetsReport
    | totals_wire.TotalsReport
)


def breakdown(call: Call) -> Answer:
    parsed = query.read(call, query.BreakdownQuery)
    parsed.require("by")
    parsed.finish()
    values = parsed.values
    assert isinstance(values, query.BreakdownQuery)
    asked_request = query.read_request(call, values)
    word = values.type or "spent"
    request = BreakdownRequest(
        question=asked_request.question,
        dimension=values.by or Dimension.CATEGORY,
        type=query.TYPES[word],
        within=asked_request.within,
        limit=query.choose_limit(asked_request.within, values.limit),
        own_currency_id=asked_request.own_currency_id,
        compare=asked_request.compare,
        folds_children=values.children == "fold",
    )
    result = break_down(call.db, call.user_id, request)
    currencies_by_id = currencies.by_ids(call.db, breakdown_wire.currencies_of(result))
    meta = _describe(call, asked_request)
    report = breakdown_wire.show(request, result, currencies_by_id, meta, word)
    return _answer(values, report, Table(breakdown_wire.COLUMNS, breakdown_wire.tabulate(report)), "breakdown")


def income_expense(call: Call) -> Answer:
    values, request = _read(call)
    ranges = [request.within, *map(request.within.compared_with, request.compare)]
    flows_now, *others = amounts.of_flows(call.db, call.user_id, request.question, ranges)
    compared = dict(zip(request.compare, others, strict=True))
    every = [of_type for flows_of in (flows_now, *compared.values()) for of_type in flows_of.values()]
    in_order = _in_order(call, currencies_in(every), request.own_currency_id)
    meta = _describe(call, request)
    report = income_expense_wire.show(flows_now, compared, in_order, meta)
    table = Table(income_expense_wire.COLUMNS, income_expense_wire.tabulate(report))
    return _answer(values, report, table, "income-expense")


def net_worth(call: Call) -> Answer:
    query.refuse_others(call, ("account_id",))
    values, request = _read(call)
    accounts = worths.list_accounts(call.db, call.user_id, request.question.filters.account_id)
    query.refuse_figures(request.within, len(accounts))
    account_worths = worths.read(call.db, call.user_id, accounts, request.within)
    if request.question.into:
        account_worths = worths.convert(request.question.into, account_worths, request.within)
    in_order = _in_order(call, account_worths, request.own_currency_id)
    report = net_worth_wire.show(account_worths, in_order, _describe(call, request))
    return _answer(values, report, Table(net_worth_wire.COLUMNS, net_worth_wire.tabulate(report)), "net-worth")


def cash_flow(call: Call) -> Answer:
    values, asked_request = _read(call, sides=2)
    within = ReportRange(start=asked_request.within.start, end=asked_request.within.end)
    sources, uses = values.sources or Dimension.CATEGORY, values.uses or Dimension.CATEGORY
    request = BreakdownRequest(
        question=asked_request.question,
        dimension=sources,
        type=Type.DEPOSIT,
        within=within,
        limit=query.choose_nodes(values.limit),
        own_currency_id=asked_request.own_currency_id,
        folds_children=values.children == "fold",
    )
    traced = flows.trace(call.db, call.user_id, request, sources=sources, uses=uses)
    currencies_by_id = currencies.by_ids(call.db, {flow.currency_id for flow in traced})
    meta = cash_flow_wire.CashFlowMeta(within.start.isoformat(), within.end.isoformat(), sources, uses)
    meta.converted = _show_converter(call, asked_request.question.into)
    report = cash_flow_wire.show(traced, currencies_by_id, meta)
    return _answer(values, report, Table(cash_flow_wire.COLUMNS, cash_flow_wire.tabulate(report)), "cash-flow")


def budgets(call: Call) -> Answer:
    values, request = _read(call)
    reported = report_budgets(call.db, call.user_id, request.question, request.within)
    query.refuse_figures(request.within, len(reported))
    currencies_by_id = currencies.by_ids(
        call.db, {id_ for budget in reported for id_ in (*budget.limits, *budget.spent, *budget.carried)}
    )
    report = budgets_wire.show(reported, currencies_by_id, request.own_currency_id, _describe(call, request))
    return _answer(values, report, Table(budgets_wire.COLUMNS, budgets_wire.tabulate(report)), "budgets")


def totals(call: Call) -> Answer:
    parsed = query.read(call)
    parsed.finish()
    question = query.read_question(call, types_named(call.query.get("type") or "all"))
    summed = add_up(call.db, call.user_id, question)
    own = question.into.to if question.into else currencies.by_code(call.db, call.caller.currency_code)
    if question.into:
        summed = convert(question.into, summed, min(question.filters.days.end, call.today.isoformat()))
    in_order = _in_order(call, summed.currencies, own.id if own else None)
    report = totals_wire.show(summed, in_order, of_account=question.filters.account_id is not None)
    report.meta.converted = _show_converter(call, question.into)
    return _answer(parsed.values, report, Table(totals_wire.COLUMNS, totals_wire.tabulate(report)), "totals")


def _read(call: Call, *, sides: int = 1) -> tuple[query.ReportQuery, query.ReportRequest]:
    parsed = query.read(call)
    parsed.finish()
    return parsed.values, query.read_request(call, parsed.values, sides=sides)


def _describe(call: Call, request: query.ReportRequest) -> ReportMeta:
    """Describes the report. Call it after the amounts were read, because it names the rates they needed."""
    meta = show_meta(request.within, call.today, find_first_day(call.db, call.user_id), request.compare)
    meta.converted = _show_converter(call, request.question.into)
    return meta


def _show_converter(call: Call, into: Converter | None) -> ConvertedInto | UnsetType:
    currencies_by_id = currencies.by_ids(call.db, {*into.rates_on, *into.missing}) if into else {}
    return show_converter(into, currencies_by_id)


def _in_order(call: Call, currency_ids: Iterable[int], own_currency_id: int | None) -> list[Currency]:
    """Returns the user's own currency first."""
    unordered = currencies.by_ids(call.db, set(currency_ids)).values()
    return sorted(unordered, key=lambda currency: (currency.id != own_currency_id, currency.id))


def _answer(values: query.ReportQuery, report: Report, table: Table, name: str) -> Answer:
    if values.format != "csv":
        return Answer(report)
    converted = report.meta.converted
    if isinstance(converted, ConvertedInto):
        rates = ", ".join(f"{rate.currency_code} {rate.date}" for rate in converted.rates)
        table = table.with_columns(rates=rates, not_converted=", ".join(converted.missing))
    return answer_table(name, table)


def _report(path: str, handler: Any, summary: str, gives: Any, parameters: tuple[Any, ...]) -> Route:
    return Route(
        "GET", f"/reports/{path}", handler, summary, gives=gives, parameters=parameters,
        fails=(Invalid,), runs=LARGE_OVERVIEW,
    )  # fmt: skip


ROUTES = (
    _report(
        "breakdown", breakdown, "Report what was spent or earned by category, tag, payee, account or budget",
        breakdown_wire.BreakdownReport, query.BREAKDOWN,
    ),
    _report(
        "income_expense", income_expense, "Report income against expense, with the savings rate",
        income_expense_wire.IncomeExpenseReport, query.INCOME_EXPENSE,
    ),
    _report(
        "net_worth", net_worth, "Report net worth by account and by kind",
        net_worth_wire.NetWorthReport, query.NET_WORTH,
    ),
    _report(
        "cash_flow", cash_flow, "Report which sources the money came from, and how it was used",
        cash_flow_wire.CashFlowReport, query.CASH_FLOW,
    ),
    _report("budgets", budgets, "Report budgets against what was spent", budgets_wire.BudgetsReport, query.BUDGETS),
    _report(
        "totals", totals, "Add up a filtered list of transactions", totals_wire.TotalsReport, query.TOTALS
    ),
)  # fmt: skip
