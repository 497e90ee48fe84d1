"""Shows the user's own accounts by group, with subtotals that add up to the net worth."""

from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType

from farthing.books.currencies import store as currencies
from farthing.http.request.call import Answer, Call
from farthing.http.route import DATE, OVERVIEW, Route
from farthing.kernel.money import Currency
from farthing.kernel.shown import Number, ShownDay, exact, number
from farthing.overviews.net_worth import by_group
from farthing.overviews.net_worth.by_group import Amounts, GroupedAccount
from farthing.overviews.reports.reading.converting import Converter

from ..exchange_rates.totals import CONVERT, find_target
from ..reports.report import ConvertedInto, show_converter
from ..serializers.currencies import InCurrency, currency_fields


class GroupAmount(InCurrency, gc=False, kw_only=True):
    """Holds an amount at the end of the day."""

    amount: Number


class AccountInGroup(Struct, gc=False):
    """Holds an account and its balances, one in each currency, beginning with the account's own currency.

    An account that is not `counted` is not part of the net worth. Virtual balances are not included.
    """

    id: str
    name: str
    type: str
    account_role: str | None
    active: bool
    counted: bool
    interest: Number | None
    interest_period: str | None
    balances: list[GroupAmount]


class AccountGroupShown(Struct, gc=False):
    """Holds a group of accounts. `totals` adds up the accounts that are part of the net worth."""

    group: str
    totals: list[GroupAmount]
    accounts: list[AccountInGroup]


class AccountGroupsMeta(Struct, gc=False):
    """`net_worth` holds the sums of the groups' totals. `converted` is present only if requested."""

    date: ShownDay
    net_worth: list[GroupAmount]
    converted: ConvertedInto | UnsetType = UNSET


class AccountGroups(Struct, gc=False):
    data: list[AccountGroupShown]
    meta: AccountGroupsMeta


def group(call: Call) -> Answer:
    return Answer(group_accounts(call))


def group_accounts(call: Call) -> AccountGroups:
    day, target = call.day or call.today, find_target(call)
    grouping = by_group.read(call.db, call.user_id, day)
    into = Converter(call.db, call.user_id, target) if target else None
    if into:
        grouping = by_group.convert(into, grouping, day)
    by_id = currencies.by_ids(call.db, _list_currencies(grouping))
    data = [
        AccountGroupShown(
            group=group.group.value,
            totals=_show_amounts(group.totals, by_id),
            accounts=[_show_account(account, by_id) for account in group.accounts],
        )
        for group in grouping.groups
    ]
    meta = AccountGroupsMeta(day.isoformat(), _show_amounts(grouping.totals, by_id), show_converter(call, into))
    return AccountGroups(data, meta)


def _list_currencies(grouping: by_group.Grouping) -> set[int]:
    accounts = [account for group in grouping.groups for account in group.accounts]
    of_accounts = {id_ for account in accounts for id_ in (account.account.currency_id, *account.held)}
    return of_accounts | set(grouping.totals).union(*(group.totals for group in grouping.groups))


def _show_account(grouped: GroupedAccount, by_id: Mapping[int, Currency]) -> AccountInGroup:
    account = grouped.account
    others = {currency_id: units for currency_id, units in grouped.held.items() if currency_id != account.currency_id}
    own = by_id[account.currency_id]
    return AccountInGroup(
        id=str(account.id),
        name=account.name,
        type=account.kind.value,
        account_role=account.role,
        active=account.active,
        counted=account.is_counted,
        interest=exact(account.interest),
        interest_period=account.interest_period,
        balances=[_show_amount(own, grouped.held.get(own.id, 0)), *_show_amounts(others, by_id)],
    )


def _show_amounts(amounts: Amounts, by_id: Mapping[int, Currency]) -> list[GroupAmount]:
    """Shows one amount for each currency, except amounts that are zero."""
    return [_show_amount(by_id[currency_id], units) for currency_id, units in sorted(amounts.items()) if units]


def _show_amount(currency: Currency, units: int) -> GroupAmount:
    return GroupAmount(**currency_fields(currency), amount=number(units, currency.places))


ROUTE = Route(
    "GET", "/accounts/groups", group, "List your own accounts by group, with subtotals that add up to the net worth",
    gives=AccountGroups, parameters=(DATE, CONVERT), runs=OVERVIEW,
)  # fmt: skip
