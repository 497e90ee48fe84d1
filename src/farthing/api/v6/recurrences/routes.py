"""Serves recurrences."""

from farthing.books.lifecycle import recurrences as lifecycle
from farthing.books.recurrences import fire, store
from farthing.books.transactions import groups
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE, Parameter
from farthing.kernel.errors import refuse_field
from farthing.storage.change_log import changes

from ..objects.groups import GROUPS, PARAMETERS, answer_groups, make_groups
from ..objects.recurrences import RecurrenceThing, things
from ..parts.documents import answer_page
from ..parts.resource import Resource
from . import wire


def transactions(call: Call) -> Answer:
    recurrence_id = RECURRENCES.find(call).id
    of = groups.OwnerBook(call.user_id, "recurrence_id", recurrence_id)
    return answer_groups(call, f"/recurrences/{recurrence_id}/transactions", of)


def trigger(call: Call) -> Answer:
    """Fires a planned day now, with today as the date of the transactions. The day does not fire again."""
    recurrence, day = RECURRENCES.find(call), call.day
    if day is None:
        refuse_field("date", "The date field is required: the planned day to book.")
    if not recurrence.plan.plans(day):
        refuse_field("date", f"Nothing is planned on {day}.")
    at = lifecycle.firing_time(call.db, call.user_id, call.today, call.today, call.now)
    entry_ids = fire.fire_day(call.db, call.user_id, recurrence, day, at)
    changes.hide_if_empty(call.db)
    made = make_groups(call, groups.of_entries(call.db, call.user_id, entry_ids))
    return answer_page(call, f"/recurrences/{recurrence.id}/transactions", made, len(made))


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

_DATE = Parameter("date", {"type": "string", "format": "date"}, "The planned day to fire.", required=True)

ROUTES = (
    RECURRENCES.index("List recurrences, active ones first"),
    RECURRENCES.create("Create a recurrence"),
    RECURRENCES.show("Show a recurrence"),
    RECURRENCES.change("Change a recurrence; omitted fields are kept", requires=()),
    RECURRENCES.remove("Delete a recurrence; its transactions stay"),
    RECURRENCES.own(
        "GET", "transactions", transactions, "List the transactions that a recurrence has booked", *PARAMETERS,
        gives=GROUPS, runs=LARGE,
    ),
    RECURRENCES.own(
        "POST", "trigger", trigger, "Fire a planned day of a recurrence now, dated today", _DATE, gives=GROUPS,
    ),
)  # fmt: skip
