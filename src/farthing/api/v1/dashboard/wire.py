"""Shows the parts of the dashboard."""

from collections.abc import Mapping

from msgspec import Struct

from farthing.books.available_budgets.model import AvailableSum
from farthing.kernel.money import Currency
from farthing.kernel.shown import Day, Number, number

from ..charts.wire import AccountData, NetWorth
from ..objects.transactions import TransactionThing
from ..summary.wire import SummaryFigure
from ..upcoming.wire import UpcomingItem


class BudgetSum(Struct, gc=False):
    """All available budgets that lie in the period, in one currency, and what was spent on the days that they cover."""

    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    amount: Number
    spent: Number


class UpcomingPart(Struct, gc=False):
    """The first few of `total`."""

    total: int
    data: list[UpcomingItem]


class LongOverdue(Struct, gc=False):
    """How many payments of bills have been overdue for more than `days` days and less than a year, and the latest."""

    total: int
    days: int
    latest_date: Day | None


class BalancesPart(Struct, gc=False):
    """The first few of `total` accounts, week by week."""

    total: int
    data: list[AccountData]


class RecentPart(Struct, gc=False):
    """The latest of `total` transactions."""

    total: int
    data: list[TransactionThing]


class DashboardMeta(Struct, gc=False):
    """The period of the figures; how far ahead `coming` looks; the revision of the books that all of this shows."""

    start: Day
    end: Day
    days_ahead: int
    revision: str
    has_bills: bool


class DashboardData(Struct, gc=False):
    """`due` are bills that are due or overdue; in `coming`, a bill and the recurrence that pays it are one line, the
    bill's.
    """

    figures: list[SummaryFigure]
    budgets: list[BudgetSum]
    net_worth: NetWorth
    balances: BalancesPart
    due: UpcomingPart
    long_overdue: LongOverdue
    coming: UpcomingPart
    recent: RecentPart


class Dashboard(Struct, gc=False):
    data: DashboardData
    meta: DashboardMeta


def show_budgets(sums: Mapping[int, AvailableSum], currencies: Mapping[int, Currency]) -> list[BudgetSum]:
    return [_show_budget(total, currencies[currency_id]) for currency_id, total in sums.items()]


def _show_budget(total: AvailableSum, currency: Currency) -> BudgetSum:
    return BudgetSum(
        currency_id=currency.id,
        currency_code=currency.code,
        currency_symbol=currency.symbol,
        currency_dp=currency.places,
        amount=number(total.units, currency.places),
        spent=number(total.spent, currency.places),
    )
