"""What can be done with recurrences over HTTP?"""

from collections.abc import Sequence
from datetime import date
from typing import Any

from ..errors import refuse_field
from ..http.call import NOTHING, RANGE_YEARS_MAX, Answer, Call, found
from ..http.document import All, Item, Page, Thing, thing
from ..http.includes import Related, include, registry
from ..http.pages import asked, page
from ..http.relatives import USER
from ..http.route import PAGED, RANGED, Parameter, Route
from ..preferences import store as preferences
from ..transactions import lines, listing
from . import calendar, drafting, exceptions, fire, store, wire
from .model import DAY, Draft, Recurrence

RecurrenceThing = Thing[wire.RecurrenceAttributes]


def index(call: Call) -> Answer:
    at = asked(call)
    total, recurrences = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    document = page(call, "/recurrences", _things(call, recurrences), total)
    include(call, document, recurrences, INCLUDES)
    return Answer(document)


def show(call: Call) -> Answer:
    return _answer(call, call.id)


def create(call: Call) -> Answer:
    draft, facts = drafting.draft(call, None)
    entry = drafting.first_entry(call, draft, facts)
    # Made on a Saturday, what is planned for the Sunday may land on the Friday before: it is due all the same.
    settled = call.today - DAY - draft.plan().reach
    recurrence_id = store.add(call.db, call.user_id, draft, entry, settled, call.now)
    return _answer(call, recurrence_id)


def change(call: Call) -> Answer:
    """What is due fires as it was before; the edit acts from today on."""
    kept = found(store.get(call.db, call.user_id, call.id))
    draft, facts = drafting.draft(call, kept)
    fire.fire(call.db, call.user_id, kept, _moment(call, call.today))
    kept = found(store.get(call.db, call.user_id, call.id))
    settled = max(kept.settled_until, call.today - DAY)
    entry = drafting.first_entry(call, draft, facts)
    _review_exceptions(call, kept, draft)
    store.change(call.db, call.user_id, kept, draft, entry, settled, call.now)
    return _answer(call, kept.id)


def _review_exceptions(call: Call, kept: Recurrence, draft: Draft) -> None:
    """Days that are no longer planned are forgotten. What was moved into a pause does not flood when it ends."""
    by_hand = exceptions.unfired(call.db, call.user_id, kept.id)
    gone = [one.planned_on for one in by_hand if not draft.plan().plans(one.planned_on)]
    exceptions.remove(call.db, call.user_id, kept.id, gone)
    for one in by_hand:
        if not kept.active and one.lands_on and one.lands_on < call.today and one.planned_on not in gone:
            exceptions.put(call.db, call.user_id, kept.id, one.planned_on, None, call.now)


def remove(call: Call) -> Answer:
    kept = found(store.get(call.db, call.user_id, call.id))
    store.remove(call.db, call.user_id, [kept.id], call.now)
    return NOTHING


def transactions(call: Call) -> Answer:
    kept = found(store.get(call.db, call.user_id, call.id))
    at, days = asked(call), listing.days_of(call)
    shown = lines.of_owners(call.db, call.user_id, "recurrence_id", [kept.id], days, limit=at.size, offset=at.offset)[
        kept.id
    ]
    total = lines.count_of_owner(call.db, call.user_id, "recurrence_id", kept.id, days)
    document = page(call, f"/recurrences/{kept.id}/transactions", listing.things(call, shown), total)
    include(call, document, shown, listing.INCLUDES)
    return Answer(document)


# So many transactions at most in one request; what is left stays due.
_AT_ONCE_MAX = 1000


def trigger_all(call: Call) -> Answer:
    return _made(call, fire.fire_user(call.db, call.user_id, _asked(call), most=_AT_ONCE_MAX))


def trigger(call: Call) -> Answer:
    kept = found(store.get(call.db, call.user_id, call.id))
    return _made(call, [fire.fire(call.db, call.user_id, kept, _asked(call), most=_AT_ONCE_MAX)])


def _made(call: Call, fired: Sequence[fire.Fired]) -> Answer:
    """What was made; nothing to say when nothing was due."""
    entry_ids = [entry_id for one in fired for entry_id in one.entry_ids]
    if not entry_ids:
        return NOTHING
    return Answer(All(listing.things(call, lines.of_entries(call.db, call.user_id, entry_ids))))


def _asked(call: Call) -> fire.Moment:
    """As of the day that is asked for. It may lie ahead, but not beyond every plan."""
    as_of = call.day or call.today
    if as_of.year > call.today.year + RANGE_YEARS_MAX:
        refuse_field("date", f"The date may lie at most {RANGE_YEARS_MAX} years ahead.")
    return _moment(call, as_of)


def _moment(call: Call, as_of: date) -> fire.Moment:
    kept = preferences.named(call.db, call.user_id, "recurrenceCatchUp")
    return fire.Moment(as_of, call.today, str(kept.data) if kept else "all", call.now)


def _answer(call: Call, recurrence_id: int) -> Answer:
    kept = found(store.get(call.db, call.user_id, recurrence_id))
    document = Item(_things(call, [kept])[0])
    include(call, document, [kept], INCLUDES_OF_ONE)
    return Answer(document)


def _things(call: Call, recurrences: Sequence[Recurrence]) -> list[RecurrenceThing]:
    things = []
    for one in recurrences:
        shown = thing(call.base, "recurrences", one.id, wire.show(one, call.today), uri=f"/recurring/{one.id}")
        shown.meta = wire.meta(one)
        things.append(shown)
    return things


def _page_of_transactions(call: Call, recurrences: Sequence[Recurrence]) -> list[Related]:
    at = asked(call)
    return _transactions(call, recurrences, limit=at.size, offset=at.offset)


def _newest_transactions(call: Call, recurrences: Sequence[Recurrence]) -> list[Related]:
    """In a list `page` pages the list itself."""
    return _transactions(call, recurrences, limit=call.caller.page_size, offset=0)


def _transactions(call: Call, recurrences: Sequence[Recurrence], *, limit: int, offset: int) -> list[Related]:
    ids = [one.id for one in recurrences]
    pages = lines.of_owners(
        call.db, call.user_id, "recurrence_id", ids, listing.days_of(call), limit=limit, offset=offset
    )
    return [listing.as_relatives(call, pages[recurrence_id]) for recurrence_id in ids]


INCLUDES = registry(USER, listing.along(_newest_transactions))
INCLUDES_OF_ONE = registry(USER, listing.along(_page_of_transactions))
_ONE: Any = Item[RecurrenceThing]
_AS_OF = Parameter("date", {"type": "string", "format": "date"}, "The day up to which to fire; else today.")
_TRANSACTIONS: Any = All[listing.TransactionThing]

ROUTES = (
    Route(
        "GET", "/recurrences", index, "List recurrences, the active ones first",
        gives=Page[RecurrenceThing], parameters=PAGED, includes=INCLUDES,
    ),
    Route(
        "POST", "/recurrences", create, "Make a recurrence",
        gives=_ONE, takes=wire.RecurrenceBody, requires=drafting.REQUIRED, includes=INCLUDES_OF_ONE,
    ),
    Route(
        "POST", "/recurrences/trigger", trigger_all, "Fire what is due of all your recurrences",
        gives=_TRANSACTIONS, parameters=(_AS_OF,), heavy=True, may_be_silent=True,
    ),
    Route(
        "GET", "/recurrences/{id}", show, "Show a recurrence",
        gives=_ONE, parameters=(*RANGED, *PAGED), includes=INCLUDES_OF_ONE,
    ),
    Route(
        "PUT", "/recurrences/{id}", change, "Change a recurrence; everything is replaced, nothing fires twice",
        gives=_ONE, takes=wire.RecurrenceBody, requires=drafting.REQUIRED, includes=INCLUDES_OF_ONE, heavy=True,
    ),
    Route("DELETE", "/recurrences/{id}", remove, "Delete a recurrence; what it made stays"),
    Route(
        "GET", "/recurrences/{id}/transactions", transactions, "List what a recurrence has made",
        gives=Page[listing.TransactionThing], parameters=listing.PARAMETERS, includes=listing.INCLUDES,
    ),
    Route(
        "POST", "/recurrences/{id}/trigger", trigger, "Fire what is due of one recurrence",
        gives=_TRANSACTIONS, parameters=(_AS_OF,), heavy=True, may_be_silent=True,
    ),
    *calendar.ROUTES,
)  # fmt: skip
