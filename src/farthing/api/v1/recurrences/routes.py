"""Serves recurrences."""

from collections.abc import Sequence
from typing import Any

from farthing.books.lifecycle import recurrences as lifecycle
from farthing.books.recurrences import fire, store
from farthing.books.recurrences.model import Recurrence
from farthing.books.transactions import lines
from farthing.http.answer.document import All, Thing, thing
from farthing.http.answer.includes import registry
from farthing.http.request.call import NOTHING, RANGE_YEARS_MAX, Answer, Call
from farthing.http.route import LARGE, PAGED, RANGED, Parameter, Route
from farthing.kernel.errors import Problem, refuse, refuse_field
from farthing.storage.change_log import changes

from ..resources.resource import Resource
from ..serializers import transactions as listing
from ..serializers.users import USER
from . import calendar, wire

RecurrenceThing = Thing[wire.RecurrenceAttributes]


# The most transactions that one request creates. Further ones stay due.
_AT_ONCE_MAX = 1000


def trigger_all(call: Call) -> Answer:
    """Creates the transactions that are due. Succeeds if any recurrence fired.

    Recurrences that failed show the reason in `failure`.
    """
    fired, _ = fire.fire_user(call.db, call.user_id, _read_time(call), most=_AT_ONCE_MAX)
    if not any(result.entry_ids for result in fired):
        refuse(Problem(f"recurrences.{result.recurrence_id}", _why_not(result)) for result in fired if result.failure)
    return _answer_fired(call, fired)


def trigger(call: Call) -> Answer:
    fired = fire.fire(call.db, call.user_id, RECURRENCES.find(call), _read_time(call), most=_AT_ONCE_MAX)
    if fired.failure:
        refuse_field("id", _why_not(fired))
    return _answer_fired(call, [fired])


def _why_not(fired: fire.FiringResult) -> str:
    return f"“{fired.title}” could not create its transactions: {fired.failure}"


def _answer_fired(call: Call, fired: Sequence[fire.FiringResult]) -> Answer:
    """Answers with the new transactions, or without a body if nothing was due."""
    entry_ids = [entry_id for result in fired for entry_id in result.entry_ids]
    if not entry_ids:
        changes.hide_if_empty(call.db)
        return NOTHING
    return Answer(All(listing.things(call, lines.of_entries(call.db, call.user_id, entry_ids))))


def _read_time(call: Call) -> fire.FiringTime:
    """Reads the requested day. It may be in the future, but not beyond the years that plans cover."""
    as_of = call.day or call.today
    if as_of.year > call.today.year + RANGE_YEARS_MAX:
        refuse_field("date", f"The date may be at most {RANGE_YEARS_MAX} years in the future.")
    return lifecycle.firing_time(call.db, call.user_id, as_of, call.today, call.now)


def _things(call: Call, recurrences: Sequence[Recurrence]) -> list[RecurrenceThing]:
    things = []
    for recurrence in recurrences:
        attributes = wire.show(recurrence, call.today, call.language)
        uri = f"/recurring/{recurrence.id}"
        recurrence_thing = thing(call.base, "recurrences", recurrence.id, attributes, uri=uri)
        recurrence_thing.meta = wire.meta(recurrence)
        things.append(recurrence_thing)
    return things


_AS_OF = Parameter(
    "date",
    {"type": "string", "format": "date"},
    "Creates the transactions that are due on or before this day. Defaults to today.",
)
_TRANSACTIONS: Any = All[listing.TransactionThing]
_FIRES: dict[str, Any] = {"gives": _TRANSACTIONS | None, "runs": LARGE}
RECURRENCES = Resource(
    path="/recurrences",
    shows=RecurrenceThing,
    things=_things,
    get=store.get,
    page=store.page,
    draft=wire.read,
    add=lambda call, draft: lifecycle.add(call.db, call.user_id, *draft, call.today, call.now),
    # Transactions that are due under the old plan are created first. The change takes effect today.
    update=lambda call, stored, draft: lifecycle.change(call.db, call.user_id, stored, *draft, call.today, call.now),
    delete=lambda call, recurrence: store.remove(call.db, call.user_id, [recurrence.id], call.now),
    takes=wire.RecurrenceBody,
    requires=wire.REQUIRED,
    includes=registry(USER, listing.page_of("recurrence_id", newest=True)),
    includes_of_one=registry(USER, listing.page_of("recurrence_id")),
)

ROUTES = (
    RECURRENCES.index("List recurrences, active ones first"),
    RECURRENCES.create("Create a recurrence"),
    Route(
        "POST", "/recurrences/trigger", trigger_all, "Create the transactions of all recurrences that are due",
        parameters=(_AS_OF,), **_FIRES,
    ),
    RECURRENCES.show("Show a recurrence", *RANGED, *PAGED),
    RECURRENCES.change("Replace a recurrence; no transaction is created twice", runs=LARGE),
    RECURRENCES.remove("Delete a recurrence; its transactions stay"),
    listing.owner_route(
        RECURRENCES, "recurrence_id", "List the transactions that a recurrence has created", *listing.PARAMETERS
    ),
    RECURRENCES.own(
        "POST", "trigger", trigger, "Create the transactions of a recurrence that are due", _AS_OF, **_FIRES
    ),
    *calendar.ROUTES,
)  # fmt: skip
