"""Shows accounts in the lists of version 6."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import repeat
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from farthing.books.accounts import store
from farthing.books.accounts.model import USUAL_ROLES, WORD_OF_LIABILITY, Account, Direction
from farthing.books.exchange_rates.convert import DatedAmount
from farthing.books.lifecycle.settings import account_order
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call, Range
from farthing.kernel.money import Currency
from farthing.kernel.shown import Instant, Number, exact
from farthing.ledger.kinds import ASSETS, LIABILITIES, Kind

from ..parts.amounts import show_amount
from ..parts.documents import make_thing
from ..parts.moments import show_day, show_end_of_day
from ..parts.primary import OwnCurrency, Primary, load_primary

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


class AccountAttributes(OwnCurrency, gc=False):
    """`current_balance` includes the virtual balance. `balance_difference` is null without `start` and `end`.

    `debt_amount` is what is still owed, by the user or to the user. Accounts do not belong to object groups.
    """

    created_at: Instant
    updated_at: Instant
    active: bool
    order: int | None
    name: str
    type: str
    account_role: str | None
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
    object_group_id: str | None = None
    object_group_order: int | None = None
    object_group_title: str | None = None


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


_OwnCurrency = tuple[str, str, str, str, int, bool, str, str, str, str, int]


class _Units(Struct, frozen=True):
    """Holds the amounts of an account in units of its currency."""

    balance: int
    difference: int | None
    opening: int
    virtual: int
    debt: int | None


def make_accounts(call: Call, accounts: Sequence[Account]) -> list[AccountThing]:
    """Shows accounts with their balance on the requested day, or today's balance after a change."""
    day, days = (call.today, None) if call.writes else (call.day or call.today, call.range())
    ids = [account.id for account in accounts]
    later = store.sum_booked_after(call.db, call.user_id, ids, day)
    differences = _read_differences(call, ids, days)
    presenter = _AccountPresenter(
        day=day.isoformat(),
        zone=call.caller.timezone,
        latest=store.find_last_days(call.db, call.user_id, ids),
        orders=account_order.number(call.db, call.user_id),
        primary=load_primary(call),
    )
    of_each = [(account, _gather(account, later[account.id], differences.get(account.id))) for account in accounts]
    converted = presenter.convert(of_each, days)
    return [
        make_thing(call, "accounts", account.id, presenter.show(account, units, in_primary))
        for (account, units), in_primary in zip(of_each, converted, strict=True)
    ]


def _read_differences(call: Call, ids: Sequence[int], days: Range | None) -> dict[int, int]:
    """Reads by how much each account's balance changes within the range."""
    if days is None:
        return {}
    until = store.sum_booked_after(call.db, call.user_id, ids, days.end)
    since = store.sum_booked_after(call.db, call.user_id, ids, days.start - timedelta(days=1))
    return {account_id: since[account_id] - until[account_id] for account_id in ids}


def _gather(account: Account, later: int, difference: int | None) -> _Units:
    booked, direction = account.total_units - later, account.liability_direction
    debt = max(0, booked if direction is Direction.CREDIT else -booked) if direction else None
    return _Units(booked + account.virtual_units, difference, account.opening_units or 0, account.virtual_units, debt)


class _AccountPresenter:
    """Shows the accounts of one page with their balances at the end of a day."""

    def __init__(
        self, *, day: str, zone: str, latest: Mapping[int, str | None], orders: Mapping[int, int], primary: Primary
    ) -> None:
        self._day, self._zone, self._latest, self._orders, self._primary = day, zone, latest, orders, primary
        self._end_of_day = show_end_of_day(day, zone)
        self._currencies: dict[int, _OwnCurrency] = {}

    def convert(self, of_each: Sequence[tuple[Account, _Units]], days: Range | None) -> Iterable[Sequence[str | None]]:
        """Converts the amounts of each account into the primary currency, if the user wants this."""
        if not self._primary.converts:
            return repeat(_NOT_CONVERTED, len(of_each))
        end = days.end.isoformat() if days else self._day
        converted = self._primary.convert(
            [
                None if value is None else DatedAmount(account.currency.id, value, on)
                for account, units in of_each
                for value, on in zip(
                    astuple(units),
                    (self._day, end, account.opening_on or self._day, self._day, self._day),
                    strict=True,
                )
            ]
        )
        return zip(*[iter(converted)] * len(_NOT_CONVERTED), strict=True)

    def show(self, account: Account, units: _Units, in_primary: Sequence[str | None]) -> AccountAttributes:
        places, last_on = account.currency.places, self._latest.get(account.id)
        # Passes the attributes by position, in their order: so many keywords take several times as long.
        return AccountAttributes(
            *self._show_currency(account.currency),
            account.created_at, account.updated_at, account.active, self._orders.get(account.id), account.name,
            _WORDS[account.kind], name_role(account),
            show_amount(units.balance, places), in_primary[0],
            None if units.difference is None else show_amount(units.difference, places), in_primary[1],
            show_amount(units.opening, places), in_primary[2], show_amount(units.virtual, places), in_primary[3],
            None if units.debt is None else show_amount(units.debt, places), in_primary[4],
            self._end_of_day, account.notes, self._show_day(account.card_payment_on), account.card_type,
            account.account_number, account.iban, account.bic, self._show_day(account.opening_on),
            name_liability(account.kind), account.liability_direction, account.interest, account.interest_period,
            account.include_net_worth, exact(account.longitude), exact(account.latitude), account.zoom_level,
            self._show_day(last_on),
        )  # fmt: skip

    def _show_currency(self, currency: Currency) -> _OwnCurrency:
        if currency.id not in self._currencies:
            shown = self._primary.show_with(currency)
            fields: Any = tuple(shown[name] for name in OwnCurrency.__struct_fields__)
            self._currencies[currency.id] = fields
        return self._currencies[currency.id]

    def _show_day(self, day: str | None) -> str | None:
        return show_day(day, self._zone) if day else None


_NOT_CONVERTED = (None,) * len(_Units.__struct_fields__)
