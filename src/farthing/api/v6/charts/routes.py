"""Serves charts."""

from collections.abc import Mapping
from itertools import chain

from farthing.books.accounts import store as accounts
from farthing.books.accounts.model import Account
from farthing.books.currencies import store as currencies
from farthing.books.transactions.model import OWN
from farthing.http.request.call import Answer, Call, Range
from farthing.http.route import LARGE_OVERVIEW, RANGE_NEEDED, Parameter, Route
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import parse_complete
from farthing.kernel.money import Currency
from farthing.ledger.kinds import ASSETS, FLOWING, LIABILITIES, Kind, Type
from farthing.overviews.charts import front_page, store
from farthing.overviews.charts.model import ChartRange
from farthing.overviews.reports.breakdown import load
from farthing.overviews.reports.budgets import report_budgets
from farthing.overviews.reports.reading import amounts
from farthing.overviews.reports.reading.model import Dimension, ReportQuestion
from farthing.overviews.reports.reading.ranges import ReportRange

from ..parts.id_lists import IDS_MAX, describe_ids, read_accounts
from . import wire
from .wire import ChartDataSet, ChartLine, ChartQuery, Figure

# Clients ask for three years by day.
_DAYS_MAX = 1200
_FIGURES_MAX = 100_000
_KINDS: dict[str, frozenset[Kind]] = {wire.EVERYTHING: OWN, wire.ASSETS: ASSETS, wire.LIABILITIES: LIABILITIES}
_FLOWS = {Type.DEPOSIT: "earned", Type.WITHDRAWAL: "spent"}


def account_overview(call: Call) -> Answer:
    """Charts the balance of each account at the end of each period."""
    days, query = call.required_range(), parse_complete(ChartQuery, call.query)
    selected = _choose_accounts(call, query)
    chart = _choose_range(days, query, len(selected))
    lines = (
        ChartLine(
            account.name,
            account.currency,
            [Figure(wire.show_moment(call, day), units, day) for day, units in zip(chart.lasts, balances, strict=True)],
        )
        for account, balances in zip(
            selected, store.closing_balances(call.db, call.user_id, selected, chart), strict=True
        )
    )
    return _answer(wire.show(call, days, lines, kind="line", period=query.period or "1D"))


def balance(call: Call) -> Answer:
    """Charts what was earned and spent in each period, in each currency."""
    days, query = call.required_range(), parse_complete(ChartQuery, call.query)
    chart = _choose_range(days, query, len(FLOWING))
    account_ids = [account.id for account in _choose_accounts(call, query)]
    flows = store.flows(call.db, call.user_id, chart, account_ids)
    by_id = currencies.by_ids(call.db, flows.keys())
    lines = (
        ChartLine(
            label,
            by_id[currency_id],
            [
                Figure(wire.show_moment(call, part.first), units, part.last.isoformat())
                for part, units in zip(chart.parts, of_type[type_], strict=True)
            ],
        )
        for currency_id, of_type in flows.items()
        for type_, label in _FLOWS.items()
    )
    return _answer(wire.show(call, days, lines, kind="bar", period=query.period or "1D"))


def budget_overview(call: Call) -> Answer:
    """Charts the limit of each budget and what was spent."""
    days = call.required_range()
    reports = report_budgets(call.db, call.user_id, ReportQuestion(), ReportRange(days.start, days.end))
    ids = chain.from_iterable((*report.limits, *report.spent) for report in reports)
    by_id = currencies.by_ids(call.db, set(ids))
    lines = []
    for report in reports:
        for currency_id in dict.fromkeys((*report.limits, *report.spent)):
            limit, carried = ((of.get(currency_id) or [None])[0] for of in (report.limits, report.carried))
            [spent] = report.spent.get(currency_id, [0])
            left = 0 if limit is None else limit + (carried or 0) - spent
            figures = {"budgeted": limit or 0, "spent": spent, "left": max(left, 0), "overspent": max(-left, 0)}
            name = report.budget.name if report.budget else "(no budget)"
            lines.append(_make_bar(name, by_id[currency_id], figures, days))
    return _answer(wire.show(call, days, lines, kind="bar"))


def category_overview(call: Call) -> Answer:
    """Charts what was spent and earned in each category."""
    days = call.required_range()
    within = [ReportRange(days.start, days.end)]
    earned, spent = (
        amounts.of_labels(call.db, call.user_id, ReportQuestion(), Dimension.CATEGORY, type_, within)[0].labels
        for type_ in _FLOWS
    )
    names = {label.id: label.name for label in load(call.db, call.user_id, Dimension.CATEGORY, _ids(spent, earned))}
    every = [of for labels in (spent, earned) for of in labels.values()]
    by_id = currencies.by_ids(call.db, {currency_id for of in every for currency_id in of})
    lines = []
    for category_id in (*sorted(names, key=lambda id_: names[id_]), None):
        out, in_ = spent.get(category_id, {}), earned.get(category_id, {})
        for currency_id in dict.fromkeys((*out, *in_)):
            figures = {"spent": sum(out.get(currency_id, ())), "earned": sum(in_.get(currency_id, ()))}
            if any(figures.values()):
                name = names[category_id] if category_id else "(no category)"
                lines.append(_make_bar(name, by_id[currency_id], figures, days))
    return _answer(wire.show(call, days, lines, kind="bar"))


def _ids(*labels: Mapping[int | None, object]) -> set[int]:
    return {label_id for of in labels for label_id in of if label_id is not None}


def _make_bar(label: str, currency: Currency, figures: Mapping[str, int], days: Range) -> ChartLine:
    on = days.end.isoformat()
    return ChartLine(label, currency, [Figure(key, units, on) for key, units in figures.items()])


def _choose_range(days: Range, query: ChartQuery, lines: int) -> ChartRange:
    chart = ChartRange(wire.PERIODS[query.period or "1D"], days.start, days.end)
    if not chart.fits(max(lines, 1), days=_DAYS_MAX, figures=_FIGURES_MAX):
        sentence = f"An answer holds at most {_FIGURES_MAX} figures, and at most {_DAYS_MAX} days by day or week"
        refuse_field("period", f"{sentence}. Choose a longer `period` or a shorter range of days.")
    return chart


def _choose_accounts(call: Call, query: ChartQuery) -> list[Account]:
    if kinds := _KINDS.get(query.preselected or wire.FRONT_PAGE):
        _, owned = accounts.page(call.db, call.user_id, kinds, limit=IDS_MAX, offset=0)
        return [account for account in owned if account.active]
    selected = read_accounts(call) or front_page.choose(call.db, call.user_id, most=IDS_MAX)
    return [account for account in selected if account.kind in OWN]


_PERIOD = Parameter(
    "period",
    {"type": "string", "enum": list(wire.PERIODS)},
    "The length of each period, from a day (`1D`, the default) to a year (`1Y`). Weeks begin on Monday.",
)
_PRESELECTED = Parameter(
    "preselected",
    {"type": "string", "enum": list(wire.PRESELECTED)},
    "Chooses active accounts. `empty`, the default, means `accounts[]` or, if there are none, the accounts in the"
    " preference `frontPageAccounts` or all active asset accounts.",
)
_ACCOUNTS = describe_ids("accounts", "The accounts to include. Only your own accounts appear in charts.")
_SELECTED = (*RANGE_NEEDED, _PERIOD, _PRESELECTED, _ACCOUNTS)
_SETS = list[ChartDataSet]
ROUTES = (
    Route(
        "GET", "/chart/account/overview", account_overview, "Chart the balances of accounts",
        gives=_SETS, parameters=_SELECTED, runs=LARGE_OVERVIEW,
    ),
    Route(
        "GET", "/chart/balance/balance", balance, "Chart income and expenses",
        gives=_SETS, parameters=_SELECTED, runs=LARGE_OVERVIEW,
    ),
    Route(
        "GET", "/chart/budget/overview", budget_overview, "Chart the limits and the spending of budgets",
        gives=_SETS, parameters=RANGE_NEEDED, runs=LARGE_OVERVIEW,
    ),
    Route(
        "GET", "/chart/category/overview", category_overview, "Chart spending and income by category",
        gives=_SETS, parameters=RANGE_NEEDED, runs=LARGE_OVERVIEW,
    ),
)  # fmt: skip


def _answer(data: list[ChartDataSet]) -> Answer:
    return Answer(data, media_type="application/json")
