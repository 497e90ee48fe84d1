"""Shows piggy banks and their events, by themselves and with accounts and transactions."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from msgspec import Struct

from farthing.books.piggy_banks import events, store
from farthing.books.piggy_banks.model import PiggyBank, PiggyBankEvent, Share
from farthing.http.answer.document import Thing, thing
from farthing.http.answer.includes import Include, Related
from farthing.http.request.call import Call
from farthing.http.request.public_address import API
from farthing.kernel.shown import Dated, Number, ShownDay, number, show_as

from ..resources.lists import make_thing
from .currencies import currency_fields


class PiggyBankAccountShown(Struct, gc=False):
    account_id: int
    account_name: str
    current_amount: Number


class PiggyBankAttributes(Dated, gc=False):
    """A piggy bank without a target, which other versions can create, has the target 0."""

    name: str
    account_id: int
    account_name: str
    accounts: list[PiggyBankAccountShown]
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
    object_group_id: int | None
    object_group_title: str | None
    object_group_order: int | None


def show(piggy_bank: PiggyBank, shares: Sequence[Share], today: date) -> PiggyBankAttributes:
    places = piggy_bank.currency.places
    return show_as(
        PiggyBankAttributes,
        piggy_bank,
        **currency_fields(piggy_bank.currency),
        accounts=[
            PiggyBankAccountShown(share.account_id, share.account_name, number(share.units, places)) for share in shares
        ],
        target_amount=number(piggy_bank.target_units if piggy_bank.has_target else 0, places),
        current_amount=number(piggy_bank.current_units, places),
        left_to_save=number(piggy_bank.left_units, places),
        save_per_month=number(piggy_bank.units_per_month(today), places),
        start_date=piggy_bank.start_on,
        target_date=piggy_bank.target_on,
    )


class EventAttributes(Dated, gc=False):
    """`journal_id` is the id of the transfer that moved the money, or null if the money was moved by hand."""

    date: ShownDay
    amount: Number
    currency_id: int
    currency_code: str
    currency_symbol: str
    currency_dp: int
    piggy_bank_id: int
    account_id: int
    journal_id: int | None


def show_event(event: PiggyBankEvent) -> EventAttributes:
    """Shows `created_at` as `updated_at`, because events never change."""
    return show_as(
        EventAttributes,
        event,
        updated_at=event.created_at,
        date=event.on,
        amount=number(event.units, event.currency.places),
        **currency_fields(event.currency),
        journal_id=event.entry_id,
    )


PiggyBankThing = Thing[PiggyBankAttributes]
EventThing = Thing[EventAttributes]


def things(call: Call, of: Sequence[PiggyBank]) -> list[PiggyBankThing]:
    shares = store.load_shares(call.db, call.user_id, {piggy_bank.id for piggy_bank in of})
    return [
        make_thing(call, "piggy_banks", piggy_bank.id, show(piggy_bank, shares[piggy_bank.id], call.today))
        for piggy_bank in of
    ]


def event_things(call: Call, of: Iterable[PiggyBankEvent]) -> list[EventThing]:
    """Links each event to the events of its piggy bank, because an event has no address of its own."""
    listed = []
    for event in of:
        event_thing = thing(call.base, "piggy_bank_events", event.id, show_event(event))
        event_thing.links.self_ = f"{call.base}{API}/piggy_banks/{event.piggy_bank_id}/events"
        listed.append(event_thing)
    return listed


def _of_accounts(call: Call, accounts: Sequence[Any]) -> list[Related]:
    by_account = store.of_accounts(call.db, call.user_id, [account.id for account in accounts])
    shown = {int(thing.id): thing for thing in things(call, [bank for of in by_account.values() for bank in of])}
    return [[shown[piggy_bank.id] for piggy_bank in by_account.get(account.id, ())] for account in accounts]


def _of_lines(call: Call, lines: Sequence[Any]) -> list[Related]:
    """Includes the events of a transaction with each of its splits."""
    moved = events.of_entries(call.db, call.user_id, {line.entry_id for line in lines})
    return [list(event_things(call, (event for event in moved if event.entry_id == line.entry_id))) for line in lines]


OF_ACCOUNTS = Include("piggy_banks", _of_accounts)
EVENTS_OF_TRANSACTIONS = Include("piggy_bank_events", _of_lines)
