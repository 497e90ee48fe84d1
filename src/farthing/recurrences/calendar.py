"""What can be done with single days of a recurrence over HTTP? Listing, trying out, skipping, moving, taking back."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from msgspec import Struct

from ..errors import Conflict, Invalid, NotFound, Problem, refuse, refuse_field
from ..fields import parse
from ..http.call import NOTHING, Answer, Call, found
from ..http.route import RANGED, Parameter, Route
from ..schedule.agenda import Agenda
from ..schedule.describe import in_words
from ..schedule.occurrences import Plan
from ..schedule.repetition import FIRST_YEAR, LAST_DAY
from ..shown import Day as ShownDay
from . import days, drafting, exceptions, store, wire
from .days import Day
from .model import DAY, Draft, Recurrence


class OccurrenceShown(Struct):
    """`place` is that of the repetition in its list. `date` is the day it lands on, null when it is skipped or dropped.

    `reason` says why it is not as planned: `hand`, `weekend` or `holiday`. `transaction_id` and `journal_id` are null
    before it has fired, and when the transaction was deleted since.
    """

    place: int
    planned_date: ShownDay
    date: ShownDay | None
    reason: str | None
    fired: bool
    transaction_id: int | None
    journal_id: int | None


class More(Struct):
    """`next_start` is the day to go on from, when the range holds more than one answer does."""

    next_start: ShownDay | None


class Occurrences(Struct):
    data: list[OccurrenceShown]
    meta: More


class OccurrencesOfDay(Struct):
    data: list[OccurrenceShown]


class RepetitionPreview(Struct):
    place: int
    description: str
    occurrences: list[ShownDay]


class PreviewMeta(Struct):
    next_start: ShownDay | None
    repetitions: list[RepetitionPreview]


class Preview(Struct):
    data: list[OccurrenceShown]
    meta: PreviewMeta


def occurrences(call: Call) -> Answer:
    kept = found(store.get(call.db, call.user_id, call.id))
    asked = call.range()
    start, end = (asked.start, asked.end) if asked else (call.today, call.today + _A_YEAR)
    listed, following = days.of_recurrence(call.db, call.user_id, kept, start, end)
    return Answer(Occurrences(_shown(listed), More(_iso(following))))


def preview(call: Call) -> Answer:
    """The same validation as for a new recurrence, and nothing stored."""
    draft, plan = _drafted(call, None)
    return _previewed(call, draft, Agenda(plan, call.today - DAY, left=draft.count_max))


def preview_change(call: Call) -> Answer:
    """What an edit would make of it from today on: what has fired counts, days changed by hand stay where they can."""
    kept = found(store.get(call.db, call.user_id, call.id))
    draft, plan = _drafted(call, kept)
    by_hand = [one for one in exceptions.unfired(call.db, call.user_id, kept.id) if plan.plans(one.planned_on)]
    plan = replace(plan, exceptions={one.planned_on: one.lands_on for one in by_hand})
    left = None if draft.count_max is None else max(0, draft.count_max - kept.fired)
    settled = max(kept.settled_until, call.today - DAY)
    return _previewed(call, draft, Agenda(plan, settled, kept.fired_lately, left), by_hand)


def _drafted(call: Call, kept: Recurrence | None) -> tuple[Draft, Plan]:
    draft, _ = drafting.draft(call, kept)
    asks = any(one.holidays for one in draft.repetitions)
    return draft, draft.plan(store.holidays_of(call.db, call.user_id)) if asks else draft.plan()


def _previewed(call: Call, draft: Draft, agenda: Agenda, by_hand: Sequence[exceptions.ByHand] = ()) -> Answer:
    end, following = days.bounded(agenda.plan, call.today, call.today + _A_YEAR)
    listed = days.days(days.Facts(agenda, active=True, by_hand=by_hand), call.today, end)
    coming = zip(draft.repetitions, agenda.upcoming(call.today), strict=True)
    described = [
        RepetitionPreview(place, in_words(one), [day.isoformat() for day in of])
        for place, (one, of) in enumerate(coming)
    ]
    return Answer(Preview(_shown(listed), PreviewMeta(_iso(following), described)))


def change_occurrence(call: Call) -> Answer:
    """Skips a planned day or moves it, whatever the rules say; a day that was changed before is changed again."""
    kept, day = _planned(call)
    moved_to = _wanted(call)
    if exceptions.get(call.db, call.user_id, kept.id, day) is None:
        ahead = exceptions.count_from(call.db, call.user_id, kept.id, call.today)
        if ahead >= exceptions.AHEAD_MAX:
            refuse_field("day", f"At most {exceptions.AHEAD_MAX} days ahead may be skipped or moved.")
    exceptions.put(call.db, call.user_id, kept.id, day, moved_to, call.now)
    store.set_due(call.db, call.user_id, kept.id)
    kept = found(store.get(call.db, call.user_id, kept.id))
    return Answer(OccurrencesOfDay(_shown(days.of_day(call.db, call.user_id, kept, day))))


def restore_occurrence(call: Call) -> Answer:
    """The day is as the rules have it again. One that would have been before today is gone, and must be moved."""
    kept, day = _planned(call)
    found(exceptions.get(call.db, call.user_id, kept.id, day))
    lands = [kept.plan.lands(day, place) for place in kept.plan.places(day)]
    if any(on and (on < call.today or on <= kept.settled_until) for on in lands):
        raise Conflict(f"What was planned on {day} would have happened by now: skip it, or move it to a date.")
    exceptions.remove(call.db, call.user_id, kept.id, [day])
    store.set_due(call.db, call.user_id, kept.id)
    return NOTHING


def _planned(call: Call) -> tuple[Recurrence, date]:
    """The recurrence and one of its planned days that has not fired."""
    kept = found(store.get(call.db, call.user_id, call.id))
    day = _day(call.path["day"])
    if not kept.plan.plans(day):
        refuse_field("day", f"Nothing is planned on {day}.")
    if store.firings(call.db, call.user_id, kept.id, day, day, []):
        raise Conflict(f"What was planned on {day} has happened: change or delete the transaction instead.")
    return kept, day


def _day(text: str) -> date:
    """A word of the path that is no day is simply not there."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise NotFound("Resource not found") from None
    if text != day.isoformat() or not FIRST_YEAR <= day.year <= LAST_DAY.year:
        raise NotFound("Resource not found")
    return day


def _wanted(call: Call) -> date | None:
    """The day to move to; None to skip."""
    parsed = parse(wire.OccurrenceBody, call.fields)
    refuse(parsed.problems)
    if bool(parsed.values.skip) == (parsed.values.date is not None):
        sentence = "Either skip must be true, or date the day to move to."
        raise Invalid([Problem("skip", sentence), Problem("date", sentence)])
    return parsed.values.date


def _shown(listed: Sequence[Day]) -> list[OccurrenceShown]:
    return [
        OccurrenceShown(
            place=one.place,
            planned_date=one.planned_on.isoformat(),
            date=_iso(one.lands_on),
            reason=one.reason,
            fired=one.fired,
            transaction_id=one.split_id,
            journal_id=one.entry_id,
        )
        for one in listed
    ]


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


_A_YEAR = 365 * DAY
_DAY = Parameter("day", {"type": "string", "format": "date"}, "The planned day, whichever day it lands on.")

ROUTES = (
    Route(
        "POST", "/recurrences/preview", preview, "Show the days of a recurrence without storing it",
        gives=Preview, takes=wire.RecurrenceBody, requires=drafting.REQUIRED, only_reads=True,
    ),
    Route(
        "POST", "/recurrences/{id}/preview", preview_change, "Show the days of a changed recurrence without storing it",
        gives=Preview, takes=wire.RecurrenceBody, requires=drafting.REQUIRED, only_reads=True,
    ),
    Route(
        "GET", "/recurrences/{id}/occurrences", occurrences, "List the days of a recurrence, past and to come",
        gives=Occurrences, parameters=RANGED,
    ),
    Route(
        "PUT", "/recurrences/{id}/occurrences/{day}", change_occurrence, "Skip or move one planned day",
        gives=OccurrencesOfDay, takes=wire.OccurrenceBody, parameters=(_DAY,), fails=(Conflict,),
    ),
    Route(
        "DELETE", "/recurrences/{id}/occurrences/{day}", restore_occurrence,
        "Take back that a planned day is skipped or moved",
        parameters=(_DAY,), fails=(Conflict, Invalid),
    ),
)  # fmt: skip
