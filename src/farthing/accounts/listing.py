"""How are accounts answered? The same by themselves and along with what lies on them."""

from collections.abc import Sequence
from datetime import date

from ..http.call import Call
from ..http.document import Thing, thing
from . import store, wire
from .model import Account

AccountThing = Thing[wire.AccountAttributes]


def things(call: Call, accounts: Sequence[Account], day: date) -> list[AccountThing]:
    """Each with its closing balance of the day."""
    later = store.booked_after(call.db, call.user_id, [account.id for account in accounts], day)
    return [
        thing(call.base, "accounts", one.id, wire.show(one, later[one.id], day), uri=f"/accounts/{one.id}")
        for one in accounts
    ]
