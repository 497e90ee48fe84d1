"""Groups the user's own accounts, such as savings and cards, with subtotals that add up to the net worth of a day."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from msgspec import Struct

from farthing.books.accounts.model import AccountGroup, group_of
from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import ACCOUNT_ORDER, GROUP_ORDER, put_first
from farthing.books.transactions.stored_sums.sums import COUNTS, OWN
from farthing.storage.unit import Unit

from ..reports.reading.converting import Converter
from ..reports.reading.ranges import ReportRange
from . import by_account
from .by_account import CountedAccount

# Amounts in units, by the id of their currency.
Amounts = Mapping[int, int]


class OwnAccount(CountedAccount, frozen=True):
    """Describes one of the user's own accounts. `is_counted` tells whether it is part of the net worth."""

    role: str | None
    currency_id: int
    active: bool
    is_counted: bool
    interest: str | None
    interest_period: str | None


class GroupedAccount(Struct, frozen=True):
    """Holds an account and its balance in each currency that it holds."""

    account: OwnAccount
    held: Amounts


class Group(Struct, frozen=True):
    """Holds the accounts of a group. `totals` adds up those that are part of the net worth."""

    group: AccountGroup
    accounts: Sequence[GroupedAccount]
    totals: Amounts


class Grouping(Struct, frozen=True):
    """Holds all groups that have accounts. `totals` is the net worth, to which the totals of the groups add up."""

    groups: Sequence[Group]
    totals: Amounts


def read(db: Unit, user_id: int, day: date) -> Grouping:
    accounts = db.structs(OwnAccount, _OWN_ACCOUNTS, user_id=user_id)
    worths = by_account.read(db, user_id, accounts, ReportRange(day, day)) if accounts else {}
    held: dict[int, Counter[int]] = defaultdict(Counter)
    for currency_id, of_accounts in worths.items():
        for worth in of_accounts:
            held[worth.account.id][currency_id] = worth.closings[0]
    chosen = preferences.values(db, user_id, (ACCOUNT_ORDER, GROUP_ORDER))
    members: dict[AccountGroup, list[GroupedAccount]] = {
        group: [] for group in put_first(list(AccountGroup), chosen[GROUP_ORDER])
    }
    for account in put_first(accounts, chosen[ACCOUNT_ORDER], key=lambda account: account.id):
        members[group_of(account.kind, account.role)].append(GroupedAccount(account, held[account.id]))
    groups = [Group(group, of_group, _add_counted(of_group)) for group, of_group in members.items() if of_group]
    return Grouping(groups, _add(group.totals for group in groups))


def convert(into: Converter, grouping: Grouping, day: date) -> Grouping:
    """Converts the totals. Rounds the net worth once, and adjusts the largest group so that the groups add up to it."""
    amounts = [*(group.totals for group in grouping.groups), grouping.totals]
    converted = into.convert(({id_: [units] for id_, units in of.items()} for of in amounts), [day.isoformat()])
    *of_groups, total = (Counter({id_: units for id_, [units] in of.items()}) for of in converted)
    if of_groups:
        largest = max(of_groups, key=lambda of: abs(of[into.to.id]))
        largest[into.to.id] += total[into.to.id] - sum(of[into.to.id] for of in of_groups)
    groups = [
        Group(group.group, group.accounts, totals) for group, totals in zip(grouping.groups, of_groups, strict=True)
    ]
    return Grouping(groups, total)


def _add_counted(accounts: Iterable[GroupedAccount]) -> Counter[int]:
    return _add(account.held for account in accounts if account.account.is_counted)


def _add(amounts: Iterable[Amounts]) -> Counter[int]:
    total: Counter[int] = Counter()
    for held in amounts:
        total.update(held)
    return total


_OWN_ACCOUNTS = f"""
SELECT a.id, a.name, a.kind, a.role, a.currency_id, a.active, CASE WHEN {COUNTS} THEN 1 ELSE 0 END AS is_counted,
    a.interest, a.interest_period
FROM accounts a WHERE a.user_id = :user_id AND ({OWN}) ORDER BY a.name_fold, a.id
"""
