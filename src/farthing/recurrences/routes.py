"""What can be done with recurrences over HTTP?"""

from collections.abc import Sequence
from datetime import date
from typing import Any

from msgspec import Struct

from ..errors import Problem, refuse
from ..fields import Parsed, parse
from ..http.call import NOTHING, Answer, Call, found
from ..http.document import All, Item, Page, Thing, thing
from ..http.includes import Include, Related, include, registry
from ..http.pages import asked, page, ranged
from ..http.relatives import USER
from ..http.route import PAGED, RANGED, Parameter, Route
from ..ledger.entry import Entry
from ..ledger.kinds import Type
from ..piggy_banks import store as piggy_banks
from ..piggy_banks.model import misfit
from ..piggy_banks.move import NO_SUCH
from ..preferences import store as preferences
from ..schedule.occurrences import Plan
from ..shown import Day as ShownDay
from ..transactions import known, lines, listing, record
from ..transactions.compose import split_drafts
from ..transactions.model import TYPES, Known, SplitDraft, sides
from ..transactions.model import Draft as TransactionDraft
from . import fire, store, wire
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
    draft, facts = _draft(call, None)
    entry = _first_entry(call, draft, facts)
    recurrence_id = store.add(call.db, call.user_id, draft, entry, call.today - DAY, call.now)
    return _answer(call, recurrence_id)


def change(call: Call) -> Answer:
    """What is due fires as it was before; the edit acts from today on."""
    kept = found(store.get(call.db, call.user_id, call.id))
    draft, facts = _draft(call, kept)
    fire.fire(call.db, call.user_id, kept, _moment(call, call.today))
    kept = found(store.get(call.db, call.user_id, call.id))
    settled = max(kept.settled_until, call.today - DAY)
    entry = _first_entry(call, draft, facts)
    store.change(call.db, call.user_id, kept, draft, entry, settled, call.now)
    return _answer(call, kept.id)


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
    document = page(call, f"/recurrences/{kept.id}/transactions", listing.things(call, shown), total, ranged(call))
    include(call, document, shown, listing.INCLUDES)
    return Answer(document)


def trigger_all(call: Call) -> Answer:
    at = _moment(call, call.day("date") or call.today)
    return _made(call, fire.fire_user(call.db, call.user_id, at))


def trigger(call: Call) -> Answer:
    kept = found(store.get(call.db, call.user_id, call.id))
    at = _moment(call, call.day("date") or call.today)
    return _made(call, [fire.fire(call.db, call.user_id, kept, at)])


def _made(call: Call, fired: Sequence[fire.Fired]) -> Answer:
    """What was made; nothing to say when nothing was due."""
    entry_ids = [entry_id for one in fired for entry_id in one.entry_ids]
    if not entry_ids:
        return NOTHING
    return Answer(All(listing.things(call, lines.of_entries(call.db, call.user_id, entry_ids))))


class OccurrenceShown(Struct):
    """`place` is that of the repetition in its list; a day that the weekend rule drops has no date."""

    place: int
    planned_date: ShownDay
    date: ShownDay | None


class Preview(Struct):
    data: list[OccurrenceShown]


def preview(call: Call) -> Answer:
    """The same validation as for a new recurrence, and nothing stored."""
    draft, _ = _draft(call, None)
    return Answer(Preview(_shown(draft.plan, call.today, _year_later(call.today))))


def occurrences(call: Call) -> Answer:
    kept = found(store.get(call.db, call.user_id, call.id))
    days = call.range()
    start, end = (days.start, days.end) if days else (call.today, _year_later(call.today))
    return Answer(Preview(_shown(kept.plan, start, end)))


def _shown(plan: Plan, start: date, end: date) -> list[OccurrenceShown]:
    return [
        OccurrenceShown(one.place, one.planned_on.isoformat(), one.landed_on.isoformat() if one.landed_on else None)
        for one in plan.landing(start, end)
    ]


def _year_later(day: date) -> date:
    return day + 365 * DAY


def _moment(call: Call, as_of: date) -> fire.Moment:
    kept = preferences.named(call.db, call.user_id, "recurrenceCatchUp")
    return fire.Moment(as_of, call.today, str(kept.data) if kept else "all", call.now)


def _draft(call: Call, kept: Recurrence | None) -> tuple[Draft, Known]:
    """Parse, rules between fields, rules that need the database: everything wrong is said at once."""
    parsed = parse(wire.RecurrenceBody, call.fields)
    problems = [*parsed.problems, *wire.problems(parsed, call.today, kept.first_on if kept else None)]
    problems += [*wire.text_problems(parsed), *wire.missing_sides(parsed)]
    planned = wire.repetitions(parsed, problems)
    facts = known.load(call.db, call.user_id, [parsed.values])
    groups = parsed.each("transactions", parsed.values.transactions)
    splits = split_drafts(groups, TYPES.get(parsed.values.type or ""), facts, problems)
    refuse([*problems, *_piggy_problems(call, parsed, splits)])
    return wire.draft(parsed.values, planned, tuple(splits)), facts


def _piggy_problems(call: Call, parsed: Parsed[wire.RecurrenceBody], splits: Sequence[SplitDraft]) -> list[Problem]:
    """As for a transfer that is sent; that it must be one is said elsewhere."""
    wanted = parsed.values.piggy_bank_id
    if wanted is None:
        return []
    pot = piggy_banks.pots(call.db, call.user_id, [wanted]).get(wanted)
    if pot is None:
        return [Problem("piggy_bank_id", NO_SUCH)]
    reason = misfit(Type.TRANSFER, pot.account_id, sides(splits) or {pot.account_id})
    if reason is None or parsed.values.type != "transfer":
        return []
    return [Problem("piggy_bank_id", f"The piggy bank ID {reason}.")]


def _first_entry(call: Call, draft: Draft, facts: Known) -> Entry:
    """Makes the accounts and labels that the draft names, as booking it would."""
    maker = record.Maker(call.db, call.user_id, facts, call.now)
    return maker.entry(TransactionDraft(draft.type, draft.first_on, draft.title, draft.splits))


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
    return [list(listing.things(call, pages[recurrence_id])) for recurrence_id in ids]


INCLUDES = registry(USER, Include("transactions", _newest_transactions))
INCLUDES_OF_ONE = registry(USER, Include("transactions", _page_of_transactions))
_ONE: Any = Item[RecurrenceThing]
_AS_OF = Parameter("date", {"type": "string", "format": "date"}, "The day up to which to fire; else today.")
_TRANSACTIONS: Any = All[listing.TransactionThing]

_REQUIRED = ("type", "title", "first_date", "apply_rules", "active", "repetitions", "transactions")

ROUTES = (
    Route(
        "GET", "/recurrences", index, "List recurrences, the active ones first",
        gives=Page[RecurrenceThing], parameters=PAGED, includes=INCLUDES,
    ),
    Route(
        "POST", "/recurrences", create, "Make a recurrence",
        gives=_ONE, takes=wire.RecurrenceBody, requires=_REQUIRED, includes=INCLUDES_OF_ONE,
    ),
    Route(
        "POST", "/recurrences/trigger", trigger_all, "Fire what is due of all your recurrences",
        gives=_TRANSACTIONS, parameters=(_AS_OF,), heavy=True, may_be_silent=True,
    ),
    Route(
        "POST", "/recurrences/preview", preview, "Show the days of a recurrence without storing it",
        gives=Preview, takes=wire.RecurrenceBody, requires=_REQUIRED,
    ),
    Route(
        "GET", "/recurrences/{id}", show, "Show a recurrence",
        gives=_ONE, parameters=(*RANGED, *PAGED), includes=INCLUDES_OF_ONE,
    ),
    Route(
        "PUT", "/recurrences/{id}", change, "Change a recurrence; everything is replaced, nothing fires twice",
        gives=_ONE, takes=wire.RecurrenceBody, requires=_REQUIRED, includes=INCLUDES_OF_ONE, heavy=True,
    ),
    Route("DELETE", "/recurrences/{id}", remove, "Delete a recurrence; what it made stays"),
    Route(
        "GET", "/recurrences/{id}/transactions", transactions, "List what a recurrence has made",
        gives=Page[listing.TransactionThing], parameters=listing.PARAMETERS, includes=listing.INCLUDES,
    ),
    Route(
        "GET", "/recurrences/{id}/occurrences", occurrences, "List the days of a recurrence",
        gives=Preview, parameters=RANGED,
    ),
    Route(
        "POST", "/recurrences/{id}/trigger", trigger, "Fire what is due of one recurrence",
        gives=_TRANSACTIONS, parameters=(_AS_OF,), heavy=True, may_be_silent=True,
    ),
)  # fmt: skip
