"""Shows the parts of the dashboard."""

from collections.abc import Mapping

from msgspec import Struct

from farthing.books.available_budgets.model import AvailableSum
from farthing.kernel.money import Currency
from farthing.kernel.shown import Day, Number, number

from ..charts.wire import AccountData, NetWorth
from ..serializers.currencies import InCurrency, currency_fields
from ..serializers.transactions import TransactionThing
from ..summary.routes import SummaryFigure
from ..upcoming.routes import UpcomingItem


class BudgetSum(InCurrency, gc=False, kw_only=True):
    """Adds up the available budgets within the period in one currency, and what was spent on the days they cover."""

    amount: Number
    spent: Number


class UpcomingPart(Struct, gc=False):
    """`data` holds the first few of `total`."""

    total: int
    data: list[UpcomingItem]


class LongOverdue(Struct, gc=False):
    """Counts the bill payments that have been overdue for more than `days` days, but less than a year."""

    total: int
    days: int
    latest_date: Day | None


class BalancesPart(Struct, gc=False):
    """`data` holds the first few of `total` accounts, week by week."""

    total: int
    data: list[AccountData]


class RecentPart(Struct, gc=False):
    """`data` holds the latest of `total` transactions."""

    total: int
    data: list[TransactionThing]


class DashboardMeta(Struct, gc=False):
    """`start` and `end` are the period of the figures, `days_ahead` is the horizon of `coming`, and `revision` is the
    revision of the books that all parts show.
    """

    start: Day
    end: Day
    days_ahead: int
    revision: str
    has_bills: bool


class DashboardData(Struct, gc=False):
    """`due` lists bills that are due or overdue. In `coming`, a bill replaces the recurrence that pays it."""

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
    places = currency.places
    return BudgetSum(**currency_fields(currency), amount=number(total.units, places), spent=number(total.spent, places))
