"""Shows accounts in the lists of version 6."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from msgspec import Struct

from farthing.books.accounts import store
from farthing.books.accounts.model import USUAL_ROLES, WORD_OF_LIABILITY, Account, Direction
from farthing.books.exchange_rates.convert import DatedAmount
from farthing.books.lifecycle.settings import account_order
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call, Range
from farthing.kernel.shown import Instant, Number, exact
from farthing.ledger.kinds import ASSETS, LIABILITIES, Kind

from ..parts.amounts import show_amount
from ..parts.documents import make_thing
from ..parts.moments import show_day, show_end_of_day
from ..parts.primary import OwnCurrency, load_primary

_WORDS = {
    **dict.fromkeys(ASSETS, "asset"),
    **dict.fromkeys(LIABILITIES, "liability"),
    **dict.fromkeys((Kind.EXPENSE, Kind.BENEFICIARY), "expense"),
    Kind.REVENUE: "revenue",
    Kind.CASH: "cash",
    Kind.IMPORT: "import",
    Kind.INITIAL_BALANCE: "initial-balance",
    Kind.RECONCILIATION: "reconciliation",
}


class AccountAttributes(OwnCurrency, gc=False, kw_only=True):
    """`current_balance` includes the virtual balance. `balance_difference` is null without `start` and `end`.

    `debt_amount` is what is still owed, by the user or to the user. Accounts have no groups of objects.
    """

    created_at: Instant
    updated_at: Instant
    active: bool
    order: int | None
    name: str
    type: str
    account_role: str | None
    object_group_id: str | None = None
    object_group_order: int | None = None
    object_group_title: str | None = None
    current_balance: str
    pc_current_balance: str | None
    balance_difference: str | None
    pc_balance_difference: str | None
    opening_balance: str
    pc_opening_balance: str | None
    virtual_balance: str
    pc_virtual_balance: str | None
    debt_amount: str | None
    pc_debt_amount: str | None
    current_balance_date: Instant
    notes: str | None
    monthly_payment_date: Instant | None
    credit_card_type: str | None
    account_number: str | None
    iban: str | None
    bic: str | None
    opening_balance_date: Instant | None
    liability_type: str | None
    liability_direction: str | None
    interest: str | None
    interest_period: str | None
    include_net_worth: bool
    longitude: Number | None
    latitude: Number | None
    zoom_level: int | None
    last_activity: Instant | None


AccountThing = Thing[AccountAttributes]


def name_kind(kind: Kind) -> str:
    return _WORDS[kind]


def name_label(kind: Kind) -> str:
    """Returns the longer name of a kind. Version 6 has none for credit cards."""
    return Kind.DEBT.value if kind is Kind.CREDIT_CARD else kind.value


def name_role(account: Account) -> str | None:
    """Returns the role in the words of version 6, which has none for accounts that are valued by hand."""
    if account.kind not in ASSETS:
        return None
    return account.role if account.role in USUAL_ROLES else USUAL_ROLES[0]


def name_liability(kind: Kind) -> str | None:
    """Returns the type of a liability in the words of version 6, which has none for credit cards."""
    word = WORD_OF_LIABILITY.get(kind)
    return "debt" if kind is Kind.CREDIT_CARD else word


class _Amounts(Struct, frozen=True):
    """Holds the amounts of an account, each with the day on which it is converted into the primary currency."""

    balance: DatedAmount
    difference: DatedAmount | None
    opening: DatedAmount | None
    virtual: DatedAmount
    debt: DatedAmount | None

    def list_all(self) -> list[DatedAmount | None]:
        return [self.balance, self.difference, self.opening, self.virtual, self.debt]


def make_accounts(call: Call, accounts: Sequence[Account]) -> list[AccountThing]:
    """Shows accounts with their balance on the requested day, or today's balance after a change."""
    day, days = (call.today, None) if call.writes else (call.day or call.today, call.range())
    ids = [account.id for account in accounts]
    later = store.sum_booked_after(call.db, call.user_id, ids, day)
    differences = _read_differences(call, ids, days)
    latest = store.find_last_days(call.db, call.user_id, ids)
    orders, primary = account_order.number(call.db, call.user_id), load_primary(call)
    of_each = [_list_amounts(account, later[account.id], day, days, differences) for account in accounts]
    converted = iter(primary.convert([amount for amounts in of_each for amount in amounts.list_all()]))
    things = []
    for account, amounts in zip(accounts, of_each, strict=True):
        in_primary = [next(converted) for _ in amounts.list_all()]
        currency = primary.show_with(account.currency)
        order, last_on = orders.get(account.id), latest.get(account.id)
        attributes = _show(account, amounts, in_primary, currency, order, last_on, day, call.caller.timezone)
        things.append(make_thing(call, "accounts", account.id, attributes))
    return things


def _read_differences(call: Call, ids: Sequence[int], days: Range | None) -> dict[int, int]:
    """Reads by how much each account's balance changes within the range."""
    if days is None:
        return {}
    until = store.sum_booked_after(call.db, call.user_id, ids, days.end)
    since = store.sum_booked_after(call.db, call.user_id, ids, days.start - timedelta(days=1))
    return {account_id: since[account_id] - until[account_id] for account_id in ids}


def _list_amounts(
    account: Account, later: int, day: date, days: Range | None, differences: Mapping[int, int]
) -> _Amounts:
    booked, direction = account.total_units - later, account.liability_direction

    def date_amount(units: int, on: str) -> DatedAmount:
        return DatedAmount(account.currency.id, units, on)

    today = day.isoformat()
    debt = max(0, booked if direction is Direction.CREDIT else -booked)
    return _Amounts(
        balance=date_amount(booked + account.virtual_units, today),
        difference=date_amount(differences[account.id], days.end.isoformat()) if days else None,
        opening=date_amount(account.opening_units or 0, account.opening_on or today),
        virtual=date_amount(account.virtual_units, today),
        debt=date_amount(debt, today) if direction else None,
    )


def _show(
    account: Account,
    amounts: _Amounts,
    in_primary: Sequence[str | None],
    currency: Mapping[str, Any],
    order: int | None,
    last_on: str | None,
    day: date,
    zone: str,
) -> AccountAttributes:
    places = account.currency.places

    def show(amount: DatedAmount | None) -> str | None:
        return None if amount is None else show_amount(amount.units, places)

    def show_moment(on: str | None) -> str | None:
        return None if on is None else show_day(on, zone)

    fields = {name: getattr(account, name) for name in _AS_STORED}
    return AccountAttributes(
        **currency,
        **fields,
        order=order,
        type=_WORDS[account.kind],
        account_role=name_role(account),
        current_balance=show_amount(amounts.balance.units, places),
        balance_difference=show(amounts.difference),
        opening_balance=show_amount(account.opening_units or 0, places),
        virtual_balance=show_amount(account.virtual_units, places),
        debt_amount=show(amounts.debt),
        pc_current_balance=in_primary[0],
        pc_balance_difference=in_primary[1],
        pc_opening_balance=in_primary[2],
        pc_virtual_balance=in_primary[3],
        pc_debt_amount=in_primary[4],
        current_balance_date=show_end_of_day(day.isoformat(), zone),
        monthly_payment_date=show_moment(account.card_payment_on),
        credit_card_type=account.card_type,
        opening_balance_date=show_moment(account.opening_on),
        liability_type=name_liability(account.kind),
        longitude=exact(account.longitude),
        latitude=exact(account.latitude),
        last_activity=show_moment(last_on),
    )


_AS_STORED = (
    "created_at", "updated_at", "active", "name", "notes", "account_number", "iban", "bic", "liability_direction",
    "interest", "interest_period", "include_net_worth", "zoom_level",
)  # fmt: skip
