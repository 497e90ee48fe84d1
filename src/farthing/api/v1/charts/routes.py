"""Serves charts."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from farthing.books.accounts import store as accounts
from farthing.books.accounts.model import Account
from farthing.books.currencies import store as currencies
from farthing.books.exchange_rates.convert import total_by_day
from farthing.books.preferences import store as preferences
from farthing.http.request.call import Answer, Call, Range
from farthing.http.route import OVERVIEW, RANGE_NEEDED, RANGED, Parameter, Route
from farthing.kernel.errors import refuse_field
from farthing.kernel.fields import parse_complete
from farthing.ledger.kinds import ASSETS, Type
from farthing.overviews.charts import store
from farthing.overviews.charts.model import DAYS_MAX, FIGURES_MAX, ChartRange, closings, finest
from farthing.schedule.periods import Period

from ..exchange_rates.totals import CONVERT, find_target
from . import wire

ACCOUNTS_MAX = 100
_A_YEAR = timedelta(days=365)


def account_overview(call: Call) -> Answer:
    days = call.required_range()
    selected = _accounts(call)
    data = chart_balances(call, selected, _choose_range(call, days, len(selected)))
    return Answer(data, media_type="application/json")


def chart_balances(call: Call, selected: Sequence[Account], chart: ChartRange) -> list[wire.AccountData]:
    ids = [account.id for account in selected]
    moved = store.balances(call.db, call.user_id, ids, chart) if ids else {}
    return [
        wire.show_account(account, chart, closings(account.total_units + account.virtual_units, moved[account.id]))
        for account in selected
    ]


def net_worth(call: Call) -> Answer:
    return Answer(chart_net_worth(call, _choose_range(call, _days(call), 1)))


def chart_net_worth(call: Call, chart: ChartRange) -> wire.NetWorth:
    worth, to = store.net_worth(call.db, call.user_id, chart), find_target(call)
    currencies_by_id = currencies.by_ids(call.db, worth.keys())
    figures = wire.show_net_worth(chart, worth, currencies_by_id)
    if to:
        totals = total_by_day(call.db, call.user_id, worth, chart.lasts, to.id)
        figures.converted = wire.show_converted_worth(chart, totals, to, currencies_by_id)
    return figures


def cash_flow(call: Call) -> Answer:
    chart, to = _choose_range(call, _days(call), 1), find_target(call)
    flows = store.flows(call.db, call.user_id, chart)
    currencies_by_id = currencies.by_ids(call.db, flows.keys())
    figures = wire.show_cash_flow(chart, flows, currencies_by_id)
    if to:
        spent, earned = (
            total_by_day(call.db, call.user_id, _of_type(flows, type_), chart.lasts, to.id)
            for type_ in (Type.WITHDRAWAL, Type.DEPOSIT)
        )
        figures.converted = wire.show_converted_flow(chart, spent, earned, to, currencies_by_id)
    return Answer(figures)


def _of_type(flows: Mapping[int, Mapping[Type, Sequence[int]]], type_: Type) -> dict[int, Sequence[int]]:
    return {currency_id: of_type[type_] for currency_id, of_type in flows.items()}


def _days(call: Call) -> Range:
    return call.whole_range() or Range(call.today - _A_YEAR, call.today)


def _choose_range(call: Call, days: Range, lines: int) -> ChartRange:
    """Returns the requested period, if the answer stays within the limits, or the finest period that does."""
    period = parse_complete(wire.ChartQuery, call.query).period
    if period is None:
        return finest(days.start, days.end, max(lines, 1))
    chart = ChartRange(period, days.start, days.end)
    if not chart.fits(max(lines, 1)):
        sentence = f"An answer holds at most {FIGURES_MAX} figures, and {DAYS_MAX} days by day or week"
        refuse_field("period", f"{sentence}: choose a longer `period`, or a shorter range of days.")
    return chart


def _accounts(call: Call) -> list[Account]:
    """Returns the requested accounts, or those of the front page."""
    account_ids = call.ids(most=ACCOUNTS_MAX)
    if not account_ids:
        return choose_front_page_accounts(call)
    selected = _in_order(call, account_ids)
    if len(selected) < len(account_ids):
        gone = sorted(set(account_ids) - {account.id for account in selected})
        refuse_field("ids", f"The selected ids are invalid: there is no account {', '.join(map(str, gone))}.")
    return selected


def choose_front_page_accounts(call: Call) -> list[Account]:
    """Returns those of the preference, or the active asset accounts."""
    preference = preferences.get_named(call.db, call.user_id, "frontPageAccounts")
    if preference and isinstance(preference.data, list) and preference.data:
        return _in_order(call, [int(str(account_id)) for account_id in preference.data[:ACCOUNTS_MAX]])
    _, owned = accounts.page(call.db, call.user_id, ASSETS, limit=ACCOUNTS_MAX, offset=0)
    return [account for account in owned if account.active]


def _in_order(call: Call, account_ids: list[int]) -> list[Account]:
    by_id = {account.id: account for account in accounts.get_some(call.db, call.user_id, account_ids)}
    return [by_id[account_id] for account_id in dict.fromkeys(account_ids) if account_id in by_id]


_PERIOD = Parameter(
    "period",
    {"type": "string", "enum": [period.value for period in Period]},
    f"The length of a part; weeks begin on Monday. Defaults to the finest with at most {FIGURES_MAX} figures in all,"
    f" and at most {DAYS_MAX} days for days and weeks.",
)
_IDS = Parameter(
    "ids",
    {"type": "string"},
    f"The accounts, comma-separated, at most {ACCOUNTS_MAX}. Defaults to those of the preference `frontPageAccounts`,"
    " or to all active asset accounts.",
)

ROUTES = (
    Route(
        "GET", "/chart/account/overview", account_overview, "Chart the balances of several accounts",
        gives=list[wire.AccountData], parameters=(*RANGE_NEEDED, _PERIOD, _IDS), runs=OVERVIEW,
    ),
    Route(
        "GET", "/chart/net_worth", net_worth, "Chart the net worth in each currency",
        gives=wire.NetWorth, parameters=(*RANGED, _PERIOD, CONVERT), runs=OVERVIEW,
    ),
    Route(
        "GET", "/chart/cash_flow", cash_flow, "Chart income and expenses in each currency",
        gives=wire.CashFlow, parameters=(*RANGED, _PERIOD, CONVERT), runs=OVERVIEW,
    ),
)  # fmt: skip
