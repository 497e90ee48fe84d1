"""How are piggy banks and their events answered? The same by themselves and along with accounts and transactions."""

from collections.abc import Iterable, Sequence
from typing import Any

from ..http.call import Call
from ..http.document import Thing, thing
from ..http.includes import Include, Related
from . import events, store, wire
from .model import Event, PiggyBank

PiggyBankThing = Thing[wire.PiggyBankAttributes]
EventThing = Thing[wire.EventAttributes]


def things(call: Call, of: Iterable[PiggyBank]) -> list[PiggyBankThing]:
    return [
        thing(call.base, "piggy_banks", one.id, wire.show(one, call.today), uri=f"/piggy_banks/{one.id}") for one in of
    ]


def event_things(call: Call, of: Iterable[Event]) -> list[EventThing]:
    """An event has no address of its own: it is found at its piggy bank."""
    found = []
    for one in of:
        shown = thing(call.base, "piggy_bank_events", one.id, wire.show_event(one))
        shown.links.self_ = f"{call.base}/api/v1/piggy_banks/{one.piggy_bank_id}/events"
        found.append(shown)
    return found


def _of_accounts(call: Call, accounts: Sequence[Any]) -> list[Related]:
    found = store.of_accounts(call.db, call.user_id, [account.id for account in accounts])
    return [list(things(call, found.get(account.id, ()))) for account in accounts]


def _of_lines(call: Call, shown: Sequence[Any]) -> list[Related]:
    """The events of a transaction belong to each of its splits."""
    found = events.of_entries(call.db, call.user_id, {line.entry_id for line in shown})
    return [list(event_things(call, (one for one in found if one.entry_id == line.entry_id))) for line in shown]


OF_ACCOUNTS = Include("piggy_banks", _of_accounts)
EVENTS_OF_TRANSACTIONS = Include("piggy_bank_events", _of_lines)
