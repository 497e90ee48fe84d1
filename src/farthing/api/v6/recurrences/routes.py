"""Serves recurrences."""

from farthing.books.lifecycle import recurrences as lifecycle
from farthing.books.recurrences import store

from ..objects.recurrences import RecurrenceThing, things
from ..parts.resource import Resource
from . import wire

RECURRENCES = Resource(
    path="/recurrences",
    shows=RecurrenceThing,
    things=things,
    get=store.get,
    page=store.page,
    draft=wire.read,
    add=lambda call, draft: lifecycle.add(call.db, call.user_id, *draft, call.today, call.now),
    update=lambda call, stored, draft: lifecycle.change(call.db, call.user_id, stored, *draft, call.today, call.now),
    delete=lambda call, recurrence: store.remove(call.db, call.user_id, [recurrence.id], call.now),
    takes=wire.RecurrenceBody,
    requires=wire.REQUIRED,
)

ROUTES = (
    RECURRENCES.index("List recurrences, active ones first"),
    RECURRENCES.create("Create a recurrence"),
    RECURRENCES.show("Show a recurrence"),
    RECURRENCES.change("Change a recurrence; omitted fields stay", requires=()),
    RECURRENCES.remove("Delete a recurrence; its transactions stay"),
)
