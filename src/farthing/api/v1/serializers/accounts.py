"""Shows accounts, by themselves and as related objects."""

from collections.abc import Sequence
from datetime import date

from msgspec import Raw

from farthing.books.accounts import store
from farthing.books.accounts.model import WORD_OF_LIABILITY, Account, Direction
from farthing.http.answer.document import Thing, thing
from farthing.http.request.call import Call
from farthing.kernel.shown import Dated, Number, ShownDay, exact, number
from farthing.ledger.kinds import ASSETS


class AccountAttributes(Dated, gc=False):
    name: str
    active: bool
    type: str
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    current_balance: Number
    current_balance_date: ShownDay
    notes: str | None
    monthly_payment_date: ShownDay | None
    credit_card_type: str | None
    account_number: str | None
    iban: str | None
    bic: str | None
    virtual_balance: Number
    opening_balance: Number | None
    opening_balance_date: ShownDay | None
    role: str | None
    account_role: str | None
    include_net_worth: bool
    interest: Number | None
    interest_period: str | None
    liability_type: str | None
    liability_amount: Number | None
    liability_start_date: ShownDay | None
    liability_direction: str | None
    latitude: Number | None
    longitude: Number | None
    zoom_level: int | None


def show(account: Account, later_units: int, day: date) -> AccountAttributes:
    """Shows an account with its balance at the end of the day. `later_units` is the sum booked after that day."""
    currency, places = account.currency, account.currency.places
    balance = account.total_units - later_units + account.virtual_units
    opening, opening_on = _show_opening(account)
    liability, owed, owed_on = _show_liability(account)
    # Passes the attributes by position, in their order: keywords take twice as long, and a page shows fifty accounts.
    return AccountAttributes(
        account.updated_at, account.created_at, account.name, account.active, str(account.kind),
        currency.id, currency.code, currency.symbol, places,
        number(balance, places), day.isoformat(), account.notes, account.card_payment_on, account.card_type,
        account.account_number, account.iban, account.bic, number(account.virtual_units, places),
        opening, opening_on, account.role, account.role, account.include_net_worth,
        exact(account.interest), account.interest_period,
        liability, owed, owed_on, account.liability_direction,
        exact(account.latitude), exact(account.longitude), account.zoom_level,
    )  # fmt: skip


def _show_opening(account: Account) -> tuple[Raw | None, str | None]:
    if account.opening_units is None or account.kind not in ASSETS:
        return None, None
    return number(account.opening_units, account.currency.places), account.opening_on


def _show_liability(account: Account) -> tuple[str | None, Raw | None, str | None]:
    """Returns the type of the liability, the amount that was owed at its start, and the day of its start."""
    word, units = WORD_OF_LIABILITY.get(account.kind), account.opening_units
    if word is None:
        return None, None, None
    if units is None:
        return word, None, account.opening_on
    owed = units if account.liability_direction is Direction.CREDIT else -units
    return word, number(owed, account.currency.places), account.opening_on


AccountThing = Thing[AccountAttributes]


def things(call: Call, accounts: Sequence[Account], day: date) -> list[AccountThing]:
    """Shows each account with its closing balance on the given day."""
    later = store.sum_booked_after(call.db, call.user_id, [account.id for account in accounts], day)
    return [
        thing(call.base, "accounts", account.id, show(account, later[account.id], day), uri=f"/accounts/{account.id}")
        for account in accounts
    ]
