"""Adds and changes recurrences, and skips, moves and restores single planned days."""

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from datetime import date
from itertools import takewhile

from farthing.identity import users
from farthing.kernel.errors import Conflict, refuse_field
from farthing.ledger.entry import Entry
from farthing.schedule.agenda import find_fired
from farthing.schedule.occurrences import RecurrencePlan
from farthing.schedule.weekend import never
from farthing.storage.change_log import restoring
from farthing.storage.change_log.restoring import Undoing
from farthing.storage.unit import Unit

from ..bookkeeping.record import EntryMaker
from ..preferences import store as preferences
from ..recurrences import exceptions, fire, store
from ..recurrences.model import DAY, Recurrence, RecurrenceDraft
from ..transactions.model import Lookup, TransactionDraft


def add(db: Unit, user_id: int, draft: RecurrenceDraft, lookup: Lookup, today: date, now: str) -> int:
    entry = _first_entry(db, user_id, draft, lookup, now)
    # If today is a Saturday, the weekend rule may move tomorrow's occurrence to yesterday, and it must still fire.
    settled = today - DAY - draft.plan().reach
    return store.add(db, user_id, draft, entry, settled, now)


def change(
    db: Unit, user_id: int, recurrence: Recurrence, draft: RecurrenceDraft, lookup: Lookup, today: date, now: str
) -> None:
    """Changes a recurrence from today on. First books the transactions that are due under the old plan.

    If that fails, the missed days fire later, under the new plan.
    """
    failed = _fire_due(db, user_id, [recurrence], today, now)
    after = store.get(db, user_id, recurrence.id)
    assert after is not None, "firing removes no recurrence"
    settled = after.settled_until if failed else max(after.settled_until, today - DAY)
    entry = _first_entry(db, user_id, draft, lookup, now)
    running = {recurrence.id} if recurrence.active else set()
    _review_exceptions(db, user_id, {recurrence.id: draft.plan()}, running, today, now)
    _land_days_to_come(db, user_id, after, draft, settled, now)
    store.change(db, user_id, after, draft, entry, settled, now)


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """Fires what is due under the current plans before the undo, as `change` does.

    The restored plans apply from today on.
    """
    ids = undoing.list_touched("recurrences")
    if not ids:
        yield
        return
    made = restoring.find_made(db, user_id, undoing.revision, "recurrences")
    due = store.find_due(db, user_id, undoing.today)
    due = [recurrence for recurrence in due if recurrence.id in ids and recurrence.id not in made]
    _fire_due(db, user_id, due, undoing.today, undoing.now)
    running = {recurrence.id for recurrence in store.get_some(db, user_id, ids) if recurrence.active}
    yield
    after = store.get_some(db, user_id, ids)
    plans = {recurrence.id: recurrence.plan for recurrence in after}
    _review_exceptions(db, user_id, plans, running, undoing.today, undoing.now)
    missed = {recurrence.id: day for recurrence in after if (day := _find_last_missed(recurrence, undoing.today))}
    store.settle_until(db, user_id, missed)
    store.set_due(db, user_id, [recurrence.id for recurrence in after])


def _find_last_missed(recurrence: Recurrence, today: date) -> date | None:
    """Finds the last day that was missed while the recurrence was paused or deleted.

    Returns None if the recurrence is paused, or if it failed: the days that could not fire are caught up later.
    """
    if not recurrence.active or recurrence.failure:
        return None
    passed = takewhile(lambda each: each.landed_on and each.landed_on < today, recurrence.agenda.list_pending())
    missed = [day for day in passed if day.planned_on < today and day.planned_on not in recurrence.exceptions]
    return max((day.landed_on for day in missed if day.landed_on), default=None)


def _fire_due(db: Unit, user_id: int, due: Sequence[Recurrence], today: date, now: str) -> set[int]:
    """Fires recurrences as a separate change, so that undoing the following change does not undo their transactions.

    Returns the ids of the recurrences that failed.
    """
    at = firing_time(db, user_id, today, today, now)
    results = [fire.fire(db, user_id, recurrence, at) for recurrence in due]
    if any(result.entry_ids for result in results):
        users.begin_next_change(db, done=fire.DOING)
    return {result.recurrence_id for result in results if result.failure}


def _first_entry(db: Unit, user_id: int, draft: RecurrenceDraft, lookup: Lookup, now: str) -> Entry:
    """Builds the first entry of a recurrence. Creates missing accounts and labels, as recording the entry would."""
    first = TransactionDraft(type=draft.type, on=draft.first_on, description=draft.title, splits=draft.splits)
    return EntryMaker(db, user_id, lookup, now).entry(first)


def _review_exceptions(
    db: Unit, user_id: int, plans: Mapping[int, RecurrencePlan], running: Set[int], today: date, now: str
) -> None:
    """Removes the exceptions (skipped or moved days) for days that are no longer planned.

    Moved days that have passed during a pause are skipped, so that they do not all fire when the pause ends.
    """
    pending = exceptions.find_pending(db, user_id, plans)
    planned = [exception for exception in pending if plans[exception.recurrence_id].plans(exception.planned_on)]
    planned_ids = {exception.id for exception in planned}
    exceptions.remove_all(db, user_id, [exception.id for exception in pending if exception.id not in planned_ids])
    passed = [exception for exception in planned if exception.lands_on and exception.lands_on < today]
    paused = [exception.id for exception in passed if exception.recurrence_id not in running]
    exceptions.skip_all(db, user_id, paused, now)


def _land_days_to_come(
    db: Unit, user_id: int, recurrence: Recurrence, draft: RecurrenceDraft, settled: date, now: str
) -> None:
    """Makes sure that coming days still fire if the new weekend rule moves them to days that are already settled.

    Ignores days that have fired, and days that the old plan also moved to settled days.
    """
    if not draft.active:
        return
    has_holidays = any(repetition.holidays for repetition in draft.repetitions)
    plan = draft.plan(store.holidays_of(db, user_id) if has_holidays else never)
    fired = find_fired(plan, recurrence.recent_firings)
    for occurrence in takewhile(lambda each: each.planned_on <= settled + plan.reach, plan.planned(settled + DAY)):
        day = occurrence.planned_on
        is_lost = occurrence.landed_on and occurrence.landed_on <= settled and (day, occurrence.place) not in fired
        if is_lost and day not in recurrence.exceptions and not recurrence.plan.is_settled(day, settled):
            exceptions.put(db, user_id, recurrence.id, day, occurrence.landed_on, now)


def firing_time(db: Unit, user_id: int, as_of: date, today: date, now: str) -> fire.FiringTime:
    """Describes when to fire. Missed days are handled as the user's preference says."""
    preference = preferences.get_named(db, user_id, "recurrenceCatchUp")
    return fire.FiringTime(as_of=as_of, today=today, catch_up=str(preference.data) if preference else "all", now=now)


def refuse_fixed_day(db: Unit, user_id: int, recurrence: Recurrence, day: date) -> None:
    """Refuses to change a day that is not planned or has already fired."""
    if not recurrence.plan.plans(day):
        refuse_field("day", f"Nothing is planned on {day}.")
    if store.firings(db, user_id, recurrence.id, day, day, []):
        raise Conflict(f"The transaction planned for {day} exists already: change or delete that transaction instead.")


def change_day(
    db: Unit, user_id: int, recurrence: Recurrence, day: date, *, moved_to: date | None, today: date, now: str
) -> None:
    """Moves a planned day, or skips it if `moved_to` is None. Weekend rules and holidays no longer apply to that day.

    Replaces an earlier change to the day.
    """
    if exceptions.get(db, user_id, recurrence.id, day) is None:
        ahead = exceptions.count_from(db, user_id, recurrence.id, today)
        if ahead >= exceptions.AHEAD_MAX:
            refuse_field("day", f"At most {exceptions.AHEAD_MAX} future days may be skipped or moved.")
    exceptions.put(db, user_id, recurrence.id, day, moved_to, now)
    store.set_due(db, user_id, [recurrence.id])


def restore_day(db: Unit, user_id: int, recurrence: Recurrence, day: date, today: date) -> None:
    """Restores a planned day that was skipped or moved. Refused if the day would then be in the past."""
    lands = [recurrence.plan.lands(day, place) for place in recurrence.plan.places(day)]
    if any(on and (on < today or on <= recurrence.settled_until) for on in lands):
        raise Conflict(
            f"The transaction planned for {day} would be in the past. Skip that day, or move it to a later date."
        )
    exceptions.remove(db, user_id, recurrence.id, [day])
    store.set_due(db, user_id, [recurrence.id])
