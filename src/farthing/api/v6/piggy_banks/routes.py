"""Serves piggy banks."""

from farthing.books.attachments.model import Model
from farthing.books.lifecycle.saving import piggy_banks as lifecycle
from farthing.books.piggy_banks import events, store
from farthing.http.request.call import Answer, Call
from farthing.http.resources.lists import answer_page
from farthing.http.route import LARGE

from ..objects.attachments import list_route
from ..objects.piggy_banks import PiggyBankEventThing, PiggyBankThing, event_things, things
from ..parts.resource import Resource
from . import wire


def moved(call: Call) -> Answer:
    piggy_bank_id = PIGGY_BANKS.find(call).id
    path = f"/piggy-banks/{piggy_bank_id}/events"
    return answer_page(
        call, path, lambda db, user_id, **at: events.page(db, user_id, piggy_bank_id, **at), event_things
    )


PIGGY_BANKS = Resource(
    path="/piggy-banks",
    shows=PiggyBankThing,
    things=things,
    get=store.get,
    page=store.page,
    draft=wire.read,
    add=lambda call, draft: lifecycle.add(call.db, call.user_id, draft, call.today, call.now),
    update=lambda call, bank, draft: lifecycle.change(call.db, call.user_id, bank, draft, call.today, call.now),
    delete=lambda call, piggy_bank: lifecycle.remove(call.db, call.user_id, [piggy_bank.id]),
    takes=wire.PiggyBankBody,
    requires=wire.REQUIRED,
)

ROUTES = (
    PIGGY_BANKS.index("List piggy banks, in your order"),
    PIGGY_BANKS.create("Create a piggy bank"),
    PIGGY_BANKS.show("Show a piggy bank"),
    PIGGY_BANKS.change("Change a piggy bank, or add and remove money by hand; omitted fields are kept", requires=()),
    PIGGY_BANKS.remove("Delete a piggy bank; its money and its transfers stay", runs=LARGE),
    list_route(PIGGY_BANKS, Model.PIGGY_BANK, "List the attachments of a piggy bank"),
    PIGGY_BANKS.listing(
        "events", moved, "List what was moved into and out of a piggy bank, newest first", PiggyBankEventThing
    ),
)
