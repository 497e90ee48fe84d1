"""Serves the days of recurrences: lists and previews them; skips, moves and restores single days."""

from collections.abc import Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.lifecycle import recurrences as lifecycle
from farthing.books.recurrences import days, exceptions, store
from farthing.books.recurrences.days import Day
from farthing.books.recurrences.model import DAY, Recurrence, RecurrenceDraft
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import ONLY_READS, RANGED, Parameter, Route
from farthing.kernel.errors import Conflict, Invalid, NotFound
from farthing.kernel.fields import parse
from farthing.kernel.shown import Day as ShownDay
from farthing.schedule.agenda import Agenda
from farthing.schedule.describe import in_words
from farthing.schedule.occurrences import RecurrencePlan
from farthing.schedule.repetition import FIRST_YEAR, LAST_DAY

from . import drafting, wire


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
    kept = or_404(store.get(call.db, call.user_id, call.id))
    asked = call.whole_range()
    start, end = (asked.start, asked.end) if asked else (call.today, call.today + _A_YEAR)
    listed, following = days.of_recurrence(call.db, call.user_id, kept, start, end)
    return Answer(Occurrences(_show(listed), More(_iso(following))))


def preview(call: Call) -> Answer:
    """Validates like a new recurrence, but stores nothing."""
    draft, plan = _draft(call, None)
    return _answer_preview(call, draft, Agenda(plan=plan, settled_until=call.today - DAY, left=draft.count_max))


def preview_change(call: Call) -> Answer:
    """The days after an edit, from today on: counts what has fired, and keeps changes by hand where possible."""
    kept = or_404(store.get(call.db, call.user_id, call.id))
    draft, plan = _draft(call, kept)
    by_hand = [one for one in exceptions.find_pending(call.db, call.user_id, [kept.id]) if plan.plans(one.planned_on)]
    plan = replace(plan, exceptions={one.planned_on: one.lands_on for one in by_hand})
    left = None if draft.count_max is None else max(0, draft.count_max - kept.fired)
    settled = max(kept.settled_until, call.today - DAY)
    return _answer_preview(
        call, draft, Agenda(plan=plan, settled_until=settled, fired=kept.recent_firings, left=left), by_hand
    )


def _draft(call: Call, kept: Recurrence | None) -> tuple[RecurrenceDraft, RecurrencePlan]:
    draft, _ = drafting.draft(call, kept)
    asks = any(one.holidays for one in draft.repetitions)
    return draft, draft.plan(store.holidays_of(call.db, call.user_id)) if asks else draft.plan()


def _answer_preview(
    call: Call, draft: RecurrenceDraft, agenda: Agenda, by_hand: Sequence[exceptions.DayException] = ()
) -> Answer:
    end, following = days.limit_range(agenda.plan, call.today, call.today + _A_YEAR)
    listed = days.days(days.ScheduleFacts(agenda, active=True, by_hand=by_hand), call.today, end)
    coming = zip(draft.repetitions, agenda.upcoming(call.today), strict=True)
    described = [
        RepetitionPreview(place=place, description=in_words(one), occurrences=[day.isoformat() for day in of])
        for place, (one, of) in enumerate(coming)
    ]
    return Answer(Preview(_show(listed), PreviewMeta(next_start=_iso(following), repetitions=described)))


def change_occurrence(call: Call) -> Answer:
    """Skips or moves a planned day, whatever the rules say; overwrites an earlier change of that day."""
    kept, day = _find_planned(call)
    lifecycle.change_day(call.db, call.user_id, kept, day, moved_to=_read_new_day(call), today=call.today, now=call.now)
    kept = or_404(store.get(call.db, call.user_id, kept.id))
    return Answer(OccurrencesOfDay(_show(days.of_day(call.db, call.user_id, kept, day))))


def restore_occurrence(call: Call) -> Answer:
    """Puts the day back where the rules have it. Refused if that is in the past: move the day instead."""
    kept, day = _find_planned(call)
    or_404(exceptions.get(call.db, call.user_id, kept.id, day))
    lifecycle.restore_day(call.db, call.user_id, kept, day, call.today)
    return NOTHING


def _find_planned(call: Call) -> tuple[Recurrence, date]:
    """The recurrence, and one of its planned days that has not fired."""
    kept = or_404(store.get(call.db, call.user_id, call.id))
    day = _day(call.path["day"])
    lifecycle.refuse_fixed_day(call.db, call.user_id, kept, day)
    return kept, day


def _day(text: str) -> date:
    """A path segment that is not a day is 404."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise NotFound("Resource not found") from None
    if text != day.isoformat() or not FIRST_YEAR <= day.year <= LAST_DAY.year:
        raise NotFound("Resource not found")
    return day


def _read_new_day(call: Call) -> date | None:
    """The day to move to; None to skip."""
    parsed = parse(wire.OccurrenceBody, call.fields)
    parsed.finish()
    if bool(parsed.values.skip) == (parsed.values.date is not None):
        for name in ("skip", "date"):
            parsed.report(name, "Either skip must be true, or date the day to move to.")
        parsed.finish()
    return parsed.values.date


def _show(listed: Sequence[Day]) -> list[OccurrenceShown]:
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
        gives=Preview, takes=wire.RecurrenceBody, requires=drafting.REQUIRED, runs=ONLY_READS,
    ),
    Route(
        "POST", "/recurrences/{id}/preview", preview_change, "Show the days of a changed recurrence without storing it",
        gives=Preview, takes=wire.RecurrenceBody, requires=drafting.REQUIRED, runs=ONLY_READS,
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
