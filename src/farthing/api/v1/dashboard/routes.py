"""Serves the dashboard. All its overviews show the books at the same moment."""

from collections.abc import Sequence
from datetime import timedelta

from msgspec import Struct

from farthing.books.bills import store as bills
from farthing.books.bills.model import PaymentState
from farthing.books.transactions import lines
from farthing.books.transactions.counts import Book, Days, total
from farthing.books.transactions.model import types_named
from farthing.http.request.call import Answer, Call, Range
from farthing.http.route import RANGED, Parameter, Route
from farthing.kernel.shown import ShownDay
from farthing.overviews.charts import front_page
from farthing.overviews.charts.model import ChartRange, finest
from farthing.overviews.reports.reading.ranges import Comparison, ReportRange
from farthing.overviews.upcoming import gather
from farthing.overviews.upcoming.gather import ExpectedItem, count_overdue
from farthing.schedule.periods import Period

from ..accounts.groups import AccountGroups, group_accounts
from ..budgets.left_to_spend import BudgetSum, find_month, list_left
from ..charts.routes import ACCOUNTS_MAX, AccountData, NetWorth, chart_balances, chart_net_worth
from ..exchange_rates.totals import CONVERT
from ..serializers.transactions import TransactionThing, things
from ..summary.routes import SummaryFigure, sum_flows
from ..upcoming.routes import UpcomingItem, show_item


class UpcomingPart(Struct, gc=False):
    """`data` holds the first few of all `total` items."""

    total: int
    data: list[UpcomingItem]


class LongOverdue(Struct, gc=False):
    """Counts the bill payments that have been overdue for more than `days` days, but less than a year."""

    total: int
    days: int
    latest_date: ShownDay | None


class BalancesPart(Struct, gc=False):
    """`data` holds the first few of all `total` accounts, with weekly balances."""

    total: int
    data: list[AccountData]


class RecentPart(Struct, gc=False):
    """`data` holds the latest few of all `total` transactions."""

    total: int
    data: list[TransactionThing]


class FiguresBefore(Struct, gc=False):
    """Holds the figures of the previous period. If the current period is not over, they cover equally many days."""

    start: ShownDay
    end: ShownDay
    figures: list[SummaryFigure]


class DashboardMeta(Struct, gc=False):
    """`start` and `end` are the period of the figures, and `coming` covers the next `days_ahead` days.

    All parts show the books at the same `revision`.
    """

    start: ShownDay
    end: ShownDay
    days_ahead: int
    revision: str
    has_bills: bool


class DashboardData(Struct, gc=False):
    """`budgets` is what is left to spend, by currency. `due` lists bills that are due, overdue or probably paid.

    In `coming`, a bill replaces the recurrence that pays it.
    """

    figures: list[SummaryFigure]
    before: FiguresBefore
    budgets: list[BudgetSum]
    net_worth: NetWorth
    balances: BalancesPart
    accounts: AccountGroups
    due: UpcomingPart
    long_overdue: LongOverdue
    coming: UpcomingPart
    recent: RecentPart


class Dashboard(Struct, gc=False):
    data: DashboardData
    meta: DashboardMeta


_DAY, _A_YEAR = timedelta(days=1), timedelta(days=365)
_AHEAD, _BEHIND, _BALANCES = timedelta(days=30), timedelta(days=60), timedelta(days=90)
# How many transactions, accounts and upcoming items the page shows at first.
RECENT, ACCOUNTS, ITEMS = 8, 12, 12


# Payments in these states need attention: people have to pay, or confirm that they have paid.
_ASKED = (PaymentState.DUE, PaymentState.OVERDUE, PaymentState.PROBABLE)
_NOT_AHEAD = (PaymentState.PAID, PaymentState.OVERDUE, PaymentState.PROBABLE)


def show(call: Call) -> Answer:
    days = call.whole_range() or find_month(call.today)
    chart = call.other_range("chart_start", "chart_end") or Range(call.today - _A_YEAR, call.today)
    expected, _ = gather.find_between(call.db, call.user_id, call.today - _BEHIND, call.today + _AHEAD, call.today)
    due = [item for item in expected if item.kind == "bill" and item.state in _ASKED]
    ahead = [item for item in expected if item.on >= call.today and item.state not in _NOT_AHEAD]
    overdue = count_overdue(call.db, call.user_id, call.today - _A_YEAR, call.today - _BEHIND - _DAY)
    data = DashboardData(
        figures=sum_flows(call, days),
        before=_sum_before(call, days),
        budgets=list_left(call, days),
        net_worth=chart_net_worth(call, finest(chart.start, chart.end, 1)),
        balances=_chart_balances(call),
        accounts=group_accounts(call),
        due=_cut(due),
        long_overdue=LongOverdue(total=overdue.many, days=_BEHIND.days, latest_date=overdue.latest_on),
        coming=_cut(_merge_pairs(ahead)),
        recent=_list_recent(call),
    )
    return Answer(Dashboard(data=data, meta=_describe(call, days)))


def _sum_before(call: Call, days: Range) -> FiguresBefore:
    then = ReportRange(start=days.start, end=days.end, today=call.today).compared_with(Comparison.BEFORE)
    return FiguresBefore(
        start=then.start.isoformat(),
        end=then.end.isoformat(),
        figures=sum_flows(call, Range(then.start, then.end)),
    )


def _chart_balances(call: Call) -> BalancesPart:
    accounts = front_page.choose(call.db, call.user_id, most=ACCOUNTS_MAX)
    chart = ChartRange(Period.WEEK, call.today - _BALANCES, call.today)
    return BalancesPart(total=len(accounts), data=chart_balances(call, accounts[:ACCOUNTS], chart))


def _merge_pairs(items: Sequence[ExpectedItem]) -> list[ExpectedItem]:
    """Drops a recurrence if the bill that it pays is in the list, so that no payment is listed twice."""
    bill_days = {(item.id, item.on) for item in items if item.kind == "bill"}
    return [
        item for item in items if item.kind == "bill" or not item.counterpart or item.counterpart.day not in bill_days
    ]


def _cut(items: Sequence[ExpectedItem]) -> UpcomingPart:
    return UpcomingPart(total=len(items), data=[show_item(item) for item in items[:ITEMS]])


def _list_recent(call: Call) -> RecentPart:
    book = Book(call.user_id, types_named("default"))
    newest = lines.page(call.db, book, Days(), limit=RECENT, offset=0)
    return RecentPart(total=total(call.db, book, Days()), data=things(call, newest))


def _describe(call: Call, days: Range) -> DashboardMeta:
    many, _ = bills.page(call.db, call.user_id, limit=1, offset=0)
    return DashboardMeta(
        start=days.start.isoformat(),
        end=days.end.isoformat(),
        days_ahead=_AHEAD.days,
        revision=str(call.caller.revision),
        has_bills=many > 0,
    )


_DATE = {"type": "string", "format": "date"}
_CHARTED = (
    Parameter("chart_start", _DATE, "First day of the net worth chart. Requires `chart_end`."),
    Parameter(
        "chart_end", _DATE, "Last day of the net worth chart. If both days are omitted, the chart shows the last year."
    ),
)
ROUTES = (
    Route(
        "GET", "/dashboard", show, "Show the dashboard of a period; defaults to this month",
        gives=Dashboard, parameters=(*RANGED, *_CHARTED, CONVERT),
    ),
)  # fmt: skip
