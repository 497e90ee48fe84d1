"""Serves the days of recurrences: lists and previews them; skips, moves and restores single days."""

from collections.abc import Sequence
from datetime import date
from typing import Any

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
from farthing.kernel.shown import ShownDay, show_as
from farthing.schedule.agenda import Agenda
from farthing.schedule.occurrences import RecurrencePlan
from farthing.schedule.repetition import FIRST_YEAR, LAST_DAY, in_words

from . import wire


class OccurrenceShown(Struct):
    """Shows one planned day of a repetition. `place` is the position of that repetition.

    `date` is the actual day, or null if the day is skipped by hand or dropped for a weekend or holiday. `reason` says
    why `date` differs from `planned_date`: `hand`, `weekend` or `holiday`. `transaction_id` and `journal_id` are null
    until the transaction is created, and after it was deleted.
    """

    place: int
    planned_date: ShownDay
    date: ShownDay | None
    reason: str | None
    fired: bool
    transaction_id: int | None
    journal_id: int | None


class More(Struct):
    """`next_start` is the day to continue from if the range is too long for one answer, otherwise null."""

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
    recurrence = or_404(store.get(call.db, call.user_id, call.id))
    chosen = call.whole_range()
    start, end = (chosen.start, chosen.end) if chosen else (call.today, call.today + _A_YEAR)
    listed, following = days.of_recurrence(call.db, call.user_id, recurrence, start, end)
    return Answer(Occurrences(_show(listed), More(_iso(following))))


def preview(call: Call) -> Answer:
    """Shows the days of a recurrence. The body is checked like that of a new recurrence, but nothing is stored."""
    draft, plan = _draft(call, None)
    return _answer_preview(call, draft, Agenda(plan=plan, settled_until=call.today - DAY, left=draft.count_max))


def preview_change(call: Call) -> Answer:
    """Shows the days from today on, as they would be after an edit.

    The days that have fired count towards the number of repetitions. Days that were skipped or moved by hand stay so,
    if the new plan still contains them.
    """
    recurrence = or_404(store.get(call.db, call.user_id, call.id))
    draft, plan = _draft(call, recurrence)
    by_hand = [
        exception
        for exception in exceptions.find_pending(call.db, call.user_id, [recurrence.id])
        if plan.plans(exception.planned_on)
    ]
    plan = replace(plan, exceptions={exception.planned_on: exception.lands_on for exception in by_hand})
    left = None if draft.count_max is None else max(0, draft.count_max - recurrence.fired)
    settled = max(recurrence.settled_until, call.today - DAY)
    return _answer_preview(
        call, draft, Agenda(plan=plan, settled_until=settled, fired=recurrence.recent_firings, left=left), by_hand
    )


def _draft(call: Call, recurrence: Recurrence | None) -> tuple[RecurrenceDraft, RecurrencePlan]:
    draft, _ = wire.read(call, recurrence)
    asks = any(repetition.holidays for repetition in draft.repetitions)
    return draft, draft.plan(store.holidays_of(call.db, call.user_id)) if asks else draft.plan()


def _answer_preview(
    call: Call, draft: RecurrenceDraft, agenda: Agenda, by_hand: Sequence[exceptions.DayException] = ()
) -> Answer:
    end, following = days.limit_range(agenda.plan, call.today, call.today + _A_YEAR)
    listed = days.days(days.ScheduleFacts(agenda, active=True, by_hand=by_hand), call.today, end)
    coming = zip(draft.repetitions, agenda.upcoming(call.today), strict=True)
    described = [
        RepetitionPreview(
            place=position,
            description=call.say(in_words(repetition)),
            occurrences=[day.isoformat() for day in of],
        )
        for position, (repetition, of) in enumerate(coming)
    ]
    return Answer(Preview(_show(listed), PreviewMeta(next_start=_iso(following), repetitions=described)))


def change_occurrence(call: Call) -> Answer:
    """Skips or moves a planned day, and replaces an earlier change to the same day."""
    recurrence, day = _find_planned(call)
    lifecycle.change_day(
        call.db, call.user_id, recurrence, day, moved_to=_read_new_day(call), today=call.today, now=call.now
    )
    recurrence = or_404(store.get(call.db, call.user_id, recurrence.id))
    return Answer(OccurrencesOfDay(_show(days.of_day(call.db, call.user_id, recurrence, day))))


def restore_occurrence(call: Call) -> Answer:
    """Undoes the change to a planned day. Refuses if the plan puts the day in the past, where it would never fire."""
    recurrence, day = _find_planned(call)
    or_404(exceptions.get(call.db, call.user_id, recurrence.id, day))
    lifecycle.restore_day(call.db, call.user_id, recurrence, day, call.today)
    return NOTHING


def _find_planned(call: Call) -> tuple[Recurrence, date]:
    """Returns the recurrence and the planned day in the path. Refuses a day that has fired."""
    recurrence = or_404(store.get(call.db, call.user_id, call.id))
    day = _day(call.path["day"])
    lifecycle.refuse_fixed_day(call.db, call.user_id, recurrence, day)
    return recurrence, day


def _day(text: str) -> date:
    """Reads a day from the path. Answers 404 if the segment is not a day."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise NotFound("Resource not found") from None
    if text != day.isoformat() or not FIRST_YEAR <= day.year <= LAST_DAY.year:
        raise NotFound("Resource not found")
    return day


def _read_new_day(call: Call) -> date | None:
    """Returns the day to move to, or None to skip."""
    parsed = parse(wire.OccurrenceBody, call.fields)
    parsed.finish()
    if bool(parsed.values.skip) == (parsed.values.date is not None):
        for name in ("skip", "date"):
            parsed.report(name, "Send either `skip` as true, or the day to move to as `date`.")
        parsed.finish()
    return parsed.values.date


def _show(listed: Sequence[Day]) -> list[OccurrenceShown]:
    return [
        show_as(
            OccurrenceShown,
            day,
            planned_date=day.planned_on.isoformat(),
            date=_iso(day.lands_on),
            transaction_id=day.split_id,
            journal_id=day.entry_id,
        )
        for day in listed
    ]


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


_A_YEAR = 365 * DAY
_DAY = Parameter(
    "day", {"type": "string", "format": "date"}, "The planned day, even if the occurrence was moved to another day."
)
_PREVIEW: dict[str, Any] = {
    "gives": Preview,
    "takes": wire.RecurrenceBody,
    "requires": wire.REQUIRED,
    "runs": ONLY_READS,
}

ROUTES = (
    Route("POST", "/recurrences/preview", preview, "Show the days of a recurrence without storing it", **_PREVIEW),
    Route(
        "POST", "/recurrences/{id}/preview", preview_change, "Show the days of a changed recurrence without storing it",
        **_PREVIEW,
    ),
    Route(
        "GET", "/recurrences/{id}/occurrences", occurrences, "List the past and future days of a recurrence",
        gives=Occurrences, parameters=RANGED,
    ),
    Route(
        "PUT", "/recurrences/{id}/occurrences/{day}", change_occurrence, "Skip or move one planned day",
        gives=OccurrencesOfDay, takes=wire.OccurrenceBody, parameters=(_DAY,), fails=(Conflict,),
    ),
    Route(
        "DELETE", "/recurrences/{id}/occurrences/{day}", restore_occurrence,
        "Undo the skipping or moving of a planned day", parameters=(_DAY,), fails=(Conflict, Invalid),
    ),
)  # fmt: skip
