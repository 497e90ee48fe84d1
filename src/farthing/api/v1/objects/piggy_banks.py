"""Shows piggy banks and their events, by themselves and with accounts and transactions."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from msgspec import Struct

from farthing.books.piggy_banks import events, store
from farthing.books.piggy_banks.model import PiggyBank, PiggyBankEvent
from farthing.http.answer.document import Thing, thing
from farthing.http.answer.includes import Include, Related
from farthing.http.request.call import Call
from farthing.http.request.public_address import API
from farthing.kernel.shown import Day as ShownDay
from farthing.kernel.shown import Instant, Number, number


class PiggyBankAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    name: str
    account_id: int
    account_name: str
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    target_amount: Number
    percentage: int
    current_amount: Number
    left_to_save: Number
    save_per_month: Number
    start_date: ShownDay | None
    target_date: ShownDay | None
    order: int
    active: bool
    notes: str | None


def show(one: PiggyBank, today: date) -> PiggyBankAttributes:
    places = one.currency.places
    return PiggyBankAttributes(
        updated_at=one.updated_at,
        created_at=one.created_at,
        name=one.name,
        account_id=one.account_id,
        account_name=one.account_name,
        currency_id=one.currency.id,
        currency_code=one.currency.code,
        currency_symbol=one.currency.symbol,
        currency_dp=places,
        target_amount=number(one.target_units, places),
        percentage=one.percentage,
        current_amount=number(one.current_units, places),
        left_to_save=number(one.left_units, places),
        save_per_month=number(one.units_per_month(today), places),
        start_date=one.start_on,
        target_date=one.target_on,
        order=one.order,
        active=one.active,
        notes=one.notes,
    )


class EventAttributes(Struct, gc=False):
    """`journal_id` is that of the transfer which moved the money; none when it was moved by hand."""

    updated_at: Instant
    created_at: Instant
    date: ShownDay
    amount: Number
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    piggy_bank_id: int
    journal_id: int | None


def show_event(one: PiggyBankEvent) -> EventAttributes:
    """Events never change, so `updated_at` is `created_at`."""
    return EventAttributes(
        updated_at=one.created_at,
        created_at=one.created_at,
        date=one.on,
        amount=number(one.units, one.currency.places),
        currency_id=one.currency.id,
        currency_code=one.currency.code,
        currency_symbol=one.currency.symbol,
        currency_dp=one.currency.places,
        piggy_bank_id=one.piggy_bank_id,
        journal_id=one.entry_id,
    )


PiggyBankThing = Thing[PiggyBankAttributes]
EventThing = Thing[EventAttributes]


def things(call: Call, of: Iterable[PiggyBank]) -> list[PiggyBankThing]:
    return [thing(call.base, "piggy_banks", one.id, show(one, call.today), uri=f"/piggy_banks/{one.id}") for one in of]


def event_things(call: Call, of: Iterable[PiggyBankEvent]) -> list[EventThing]:
    """An event has no address of its own, only that of its piggy bank."""
    found = []
    for one in of:
        shown = thing(call.base, "piggy_bank_events", one.id, show_event(one))
        shown.links.self_ = f"{call.base}{API}/piggy_banks/{one.piggy_bank_id}/events"
        found.append(shown)
    return found


def _of_accounts(call: Call, accounts: Sequence[Any]) -> list[Related]:
    found = store.of_accounts(call.db, call.user_id, [account.id for account in accounts])
    return [list(things(call, found.get(account.id, ()))) for account in accounts]


def _of_lines(call: Call, shown: Sequence[Any]) -> list[Related]:
    """A transaction's events belong to each of its splits."""
    found = events.of_entries(call.db, call.user_id, {line.entry_id for line in shown})
    return [list(event_things(call, (one for one in found if one.entry_id == line.entry_id))) for line in shown]


OF_ACCOUNTS = Include("piggy_banks", _of_accounts)
EVENTS_OF_TRANSACTIONS = Include("piggy_bank_events", _of_lines)
