"""Shows the parts of the dashboard."""

from collections.abc import Sequence

from msgspec import Struct

from farthing.books.available_budgets.model import AvailableBudget
from farthing.kernel.shown import Day, Number, number

from ..charts.wire import AccountData, NetWorth
from ..objects.transactions import TransactionThing
from ..summary.wire import SummaryFigure
from ..upcoming.wire import UpcomingItem


class BudgetSum(Struct, gc=False):
    """All available budgets of the period in one currency, and what was spent of them."""

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


def sum_budgets(budgets: Sequence[AvailableBudget], spent: dict[int, int]) -> list[BudgetSum]:
    of_currency: dict[int, list[AvailableBudget]] = {}
    for one in budgets:
        of_currency.setdefault(one.currency_id, []).append(one)
    return [
        BudgetSum(
            currency_id=currency_id,
            currency_code=some[0].code,
            currency_symbol=some[0].symbol,
            currency_dp=some[0].places,
            amount=number(sum(one.units for one in some), some[0].places),
            spent=number(sum(spent[one.id] for one in some), some[0].places),
        )
        for currency_id, some in sorted(of_currency.items())
    ]
