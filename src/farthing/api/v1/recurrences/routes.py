"""Serves recurrences."""

from collections.abc import Sequence
from typing import Any

from farthing.books.lifecycle import recurrences as lifecycle
from farthing.books.recurrences import fire, store
from farthing.books.recurrences.model import Recurrence
from farthing.books.transactions import lines
from farthing.http.answer.document import All, Thing, thing
from farthing.http.answer.includes import registry
from farthing.http.request.call import NOTHING, RANGE_YEARS_MAX, Answer, Call, or_404
from farthing.http.route import LARGE, PAGED, RANGED, Parameter, Route
from farthing.kernel.errors import Problem, refuse, refuse_field
from farthing.storage.change_log import changes

from ..objects import transactions as listing
from ..objects.users import USER
from ..resources.lists import answer_one, answer_page
from ..resources.resource import Resource
from . import calendar, drafting, wire

RecurrenceThing = Thing[wire.RecurrenceAttributes]


def index(call: Call) -> Answer:
    return answer_page(call, "/recurrences", store.page, _things, INCLUDES)


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    draft, facts = drafting.draft(call, None)
    return _answer(call, lifecycle.add(call.db, call.user_id, draft, facts, call.today, call.now))


def change(call: Call) -> Answer:
    """Fires what is due under the old plan first; the change takes effect today."""
    recurrence = or_404(store.get(call.db, call.user_id, call.id))
    draft, facts = drafting.draft(call, recurrence)
    lifecycle.change(call.db, call.user_id, recurrence, draft, facts, call.today, call.now)
    return _answer(call, recurrence.id)


def remove(call: Call) -> Answer:
    recurrence = or_404(store.get(call.db, call.user_id, call.id))
    store.remove(call.db, call.user_id, [recurrence.id], call.now)
    return NOTHING


def transactions(call: Call) -> Answer:
    recurrence = or_404(store.get(call.db, call.user_id, call.id))
    return listing.of_owner(call, f"/recurrences/{recurrence.id}", "recurrence_id", recurrence.id)


# A request fires at most so many transactions; the rest stays due.
_AT_ONCE_MAX = 1000


def trigger_all(call: Call) -> Answer:
    """Succeeds if any recurrence fired; those that failed show why in `failure`."""
    fired, _ = fire.fire_user(call.db, call.user_id, _read_time(call), most=_AT_ONCE_MAX)
    if not any(result.entry_ids for result in fired):
        refuse(Problem(f"recurrences.{result.recurrence_id}", _why_not(result)) for result in fired if result.failure)
    return _answer_fired(call, fired)


def trigger(call: Call) -> Answer:
    recurrence = or_404(store.get(call.db, call.user_id, call.id))
    fired = fire.fire(call.db, call.user_id, recurrence, _read_time(call), most=_AT_ONCE_MAX)
    if fired.failure:
        refuse_field("id", _why_not(fired))
    return _answer_fired(call, [fired])


def _why_not(fired: fire.FiringResult) -> str:
    return f"“{fired.title}” could not fire: {fired.failure}"


def _answer_fired(call: Call, fired: Sequence[fire.FiringResult]) -> Answer:
    """Answers with the new transactions, or without a body if nothing was due."""
    entry_ids = [entry_id for result in fired for entry_id in result.entry_ids]
    if not entry_ids:
        changes.hide_if_empty(call.db)
        return NOTHING
    return Answer(All(listing.things(call, lines.of_entries(call.db, call.user_id, entry_ids))))


def _read_time(call: Call) -> fire.FiringTime:
    """Reads the requested day, which may be in the future, but not beyond what plans cover."""
    as_of = call.day or call.today
    if as_of.year > call.today.year + RANGE_YEARS_MAX:
        refuse_field("date", f"The date may lie at most {RANGE_YEARS_MAX} years ahead.")
    return lifecycle.firing_time(call.db, call.user_id, as_of, call.today, call.now)


def _answer(call: Call, recurrence_id: int) -> Answer:
    return answer_one(call, or_404(store.get(call.db, call.user_id, recurrence_id)), _things, INCLUDES_OF_ONE)


def _things(call: Call, recurrences: Sequence[Recurrence]) -> list[RecurrenceThing]:
    things = []
    for recurrence in recurrences:
        recurrence_thing = thing(
            call.base,
            "recurrences",
            recurrence.id,
            wire.show(recurrence, call.today),
            uri=f"/recurring/{recurrence.id}",
        )
        recurrence_thing.meta = wire.meta(recurrence)
        things.append(recurrence_thing)
    return things


INCLUDES = registry(USER, listing.newest_of("recurrence_id"))
INCLUDES_OF_ONE = registry(USER, listing.page_of("recurrence_id"))
_AS_OF = Parameter("date", {"type": "string", "format": "date"}, "The day up to which to fire. Defaults to today.")
_TRANSACTIONS: Any = All[listing.TransactionThing]
_FIRES: dict[str, Any] = {"gives": _TRANSACTIONS | None, "runs": LARGE}
_RECURRENCES = Resource(
    path="/recurrences",
    shows=RecurrenceThing,
    takes=wire.RecurrenceBody,
    requires=drafting.REQUIRED,
    includes=INCLUDES,
    includes_of_one=INCLUDES_OF_ONE,
)

ROUTES = (
    _RECURRENCES.index(index, "List recurrences, active ones first"),
    _RECURRENCES.create(create, "Create a recurrence"),
    Route(
        "POST", "/recurrences/trigger", trigger_all, "Fire everything that is due", parameters=(_AS_OF,), **_FIRES
    ),
    _RECURRENCES.show(show, "Show a recurrence", *RANGED, *PAGED),
    _RECURRENCES.change(change, "Change a recurrence; everything is replaced, nothing fires twice", runs=LARGE),
    _RECURRENCES.remove(remove, "Delete a recurrence; its transactions stay"),
    _RECURRENCES.own(
        "GET", "transactions", transactions, "List the transactions that a recurrence has created",
        *listing.PARAMETERS, **listing.LISTED,
    ),
    _RECURRENCES.own("POST", "trigger", trigger, "Fire what is due of one recurrence", _AS_OF, **_FIRES),
    *calendar.ROUTES,
)  # fmt: skip
