"""Adds and changes recurrences, and skips, moves and restores single days."""

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from datetime import date
from itertools import takewhile

from farthing.identity import users
from farthing.kernel.errors import Conflict, refuse_field
from farthing.ledger.entry import Entry
from farthing.schedule.agenda import find_fired
from farthing.schedule.occurrences import Plan
from farthing.schedule.weekend import never
from farthing.storage import restoring
from farthing.storage.restoring import Undoing
from farthing.storage.unit import Unit

from ..bookkeeping.record import EntryMaker
from ..preferences import store as preferences
from ..recurrences import exceptions, fire, store
from ..recurrences.model import DAY, Recurrence, RecurrenceDraft
from ..transactions.model import Lookup, TransactionDraft


def add(db: Unit, user_id: int, draft: RecurrenceDraft, known: Lookup, today: date, now: str) -> int:
    entry = _first_entry(db, user_id, draft, known, now)
    # Created on a Saturday, a Sunday may land on the Friday before; that day must still fire.
    settled = today - DAY - draft.plan().reach
    return store.add(db, user_id, draft, entry, settled, now)


def change(
    db: Unit, user_id: int, kept: Recurrence, draft: RecurrenceDraft, known: Lookup, today: date, now: str
) -> None:
    """Fires what is due under the old plan first; the change takes effect today.

    What could not fire is caught up under the new plan.
    """
    failed = _fire_due(db, user_id, [kept], today, now)
    after = store.get(db, user_id, kept.id)
    assert after is not None, "firing removes no recurrence"
    settled = after.settled_until if failed else max(after.settled_until, today - DAY)
    entry = _first_entry(db, user_id, draft, known, now)
    _review_exceptions(db, user_id, {kept.id: draft.plan()}, {kept.id} if kept.active else set(), today, now)
    _land_days_to_come(db, user_id, after, draft, settled, now)
    store.change(db, user_id, after, draft, entry, settled, now)


@contextmanager
def follow_undo(db: Unit, user_id: int, undoing: Undoing) -> Iterator[None]:
    """As a change does: fires what is due under the present plans first; those of before go on from today."""
    ids = undoing.list_touched("recurrences")
    if not ids:
        yield
        return
    made = restoring.find_made(db, user_id, undoing.revision, "recurrences")
    due = [one for one in store.find_due(db, user_id, undoing.today) if one.id in ids and one.id not in made]
    _fire_due(db, user_id, due, undoing.today, undoing.now)
    running = {one.id for one in store.get_some(db, user_id, ids) if one.active}
    yield
    after = store.get_some(db, user_id, ids)
    _review_exceptions(db, user_id, {one.id: one.plan for one in after}, running, undoing.today, undoing.now)
    missed = {one.id: day for one in after if (day := _find_last_missed(one, undoing.today))}
    store.settle_until(db, user_id, missed)
    store.set_due(db, user_id, [one.id for one in after])


def _find_last_missed(one: Recurrence, today: date) -> date | None:
    """The day up to which nothing is made up for, because it was paused or deleted then; what failed is caught up."""
    if not one.active or one.failure:
        return None
    passed = takewhile(lambda each: each.landed_on and each.landed_on < today, one.agenda.list_pending())
    missed = (each.landed_on for each in passed if each.planned_on < today and each.planned_on not in one.exceptions)
    return max((day for day in missed if day), default=None)


def _fire_due(db: Unit, user_id: int, due: Sequence[Recurrence], today: date, now: str) -> set[int]:
    """As a change of its own, so that the undo of what follows does not take the payments back.

    Returns those that failed.
    """
    at = firing_time(db, user_id, today, today, now)
    results = [fire.fire(db, user_id, one, at) for one in due]
    if any(result.entry_ids for result in results):
        users.begin_next_change(db, done=fire.DOING)
    return {result.recurrence_id for result in results if result.failure}


def _first_entry(db: Unit, user_id: int, draft: RecurrenceDraft, known: Lookup, now: str) -> Entry:
    """Creates the accounts and labels that the draft names, as booking it would."""
    first = TransactionDraft(type=draft.type, on=draft.first_on, description=draft.title, splits=draft.splits)
    return EntryMaker(db, user_id, known, now).entry(first)


def _review_exceptions(
    db: Unit, user_id: int, plans: Mapping[int, Plan], running: Set[int], today: date, now: str
) -> None:
    """Drops exceptions for days that are no longer planned.

    Days that were moved into a pause are skipped, so that they do not all fire when it ends.
    """
    pending = exceptions.find_pending(db, user_id, plans)
    planned = [one for one in pending if plans[one.recurrence_id].plans(one.planned_on)]
    exceptions.remove_all(db, user_id, sorted({one.id for one in pending} - {one.id for one in planned}))
    passed = (one for one in planned if one.lands_on and one.lands_on < today)
    exceptions.skip_all(db, user_id, [one.id for one in passed if one.recurrence_id not in running], now)


def _land_days_to_come(
    db: Unit, user_id: int, kept: Recurrence, draft: RecurrenceDraft, settled: date, now: str
) -> None:
    """A day to come that the new weekend rule lands where all is settled still fires, as in a new recurrence.

    Unless it has fired already, or the old plan landed it there as well.
    """
    if not draft.active:
        return
    plan = draft.plan(store.holidays_of(db, user_id) if any(one.holidays for one in draft.repetitions) else never)
    fired = find_fired(plan, kept.recent_firings)
    for one in takewhile(lambda each: each.planned_on <= settled + plan.reach, plan.planned(settled + DAY)):
        day = one.planned_on
        is_lost = one.landed_on and one.landed_on <= settled and (day, one.place) not in fired
        if is_lost and day not in kept.exceptions and not kept.plan.is_settled(day, settled):
            exceptions.put(db, user_id, kept.id, day, one.landed_on, now)


def firing_time(db: Unit, user_id: int, as_of: date, today: date, now: str) -> fire.FiringTime:
    """Uses the user's preference for missed days."""
    kept = preferences.get_named(db, user_id, "recurrenceCatchUp")
    return fire.FiringTime(as_of=as_of, today=today, catch_up=str(kept.data) if kept else "all", now=now)


def refuse_fixed_day(db: Unit, user_id: int, kept: Recurrence, day: date) -> None:
    """Only a planned day that has not fired can be changed."""
    if not kept.plan.plans(day):
        refuse_field("day", f"Nothing is planned on {day}.")
    if store.firings(db, user_id, kept.id, day, day, []):
        raise Conflict(f"What was planned on {day} has happened: change or delete the transaction instead.")


def change_day(
    db: Unit, user_id: int, kept: Recurrence, day: date, *, moved_to: date | None, today: date, now: str
) -> None:
    """Moves or skips a planned day, whatever the rules say; overwrites an earlier change of that day."""
    if exceptions.get(db, user_id, kept.id, day) is None:
        ahead = exceptions.count_from(db, user_id, kept.id, today)
        if ahead >= exceptions.AHEAD_MAX:
            refuse_field("day", f"At most {exceptions.AHEAD_MAX} days ahead may be skipped or moved.")
    exceptions.put(db, user_id, kept.id, day, moved_to, now)
    store.set_due(db, user_id, [kept.id])


def restore_day(db: Unit, user_id: int, kept: Recurrence, day: date, today: date) -> None:
    """Puts the day back where the rules have it. Refused if that is in the past: move the day instead."""
    lands = [kept.plan.lands(day, place) for place in kept.plan.places(day)]
    if any(on and (on < today or on <= kept.settled_until) for on in lands):
        raise Conflict(f"What was planned on {day} would have happened by now: skip it, or move it to a date.")
    exceptions.remove(db, user_id, kept.id, [day])
    store.set_due(db, user_id, [kept.id])
