"""Adds and changes recurrences, and skips, moves and restores single days."""

from datetime import date
from itertools import takewhile

from farthing.kernel.errors import Conflict, refuse_field
from farthing.ledger.entry import Entry
from farthing.schedule.agenda import find_fired
from farthing.schedule.weekend import never
from farthing.storage.unit import Unit

from ..bookkeeping.record import Maker
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
    """Fires what is due under the old plan first; the change takes effect today."""
    fire.fire(db, user_id, kept, firing_time(db, user_id, today, today, now))
    after = store.get(db, user_id, kept.id)
    assert after is not None, "firing removes no recurrence"
    settled = max(after.settled_until, today - DAY)
    entry = _first_entry(db, user_id, draft, known, now)
    _review_exceptions(db, user_id, after, draft, today, now)
    _land_days_to_come(db, user_id, after, draft, settled, now)
    store.change(db, user_id, after, draft, entry, settled, now)


def _first_entry(db: Unit, user_id: int, draft: RecurrenceDraft, known: Lookup, now: str) -> Entry:
    """Creates the accounts and labels that the draft names, as booking it would."""
    first = TransactionDraft(type=draft.type, on=draft.first_on, description=draft.title, splits=draft.splits)
    return Maker(db, user_id, known, now).entry(first)


def _review_exceptions(db: Unit, user_id: int, kept: Recurrence, draft: RecurrenceDraft, today: date, now: str) -> None:
    """Drops exceptions for days that are no longer planned.

    Days that were moved into a pause are skipped, so that they do not all fire when it ends.
    """
    by_hand = exceptions.find_unfired(db, user_id, kept.id)
    gone = [one.planned_on for one in by_hand if not draft.plan().plans(one.planned_on)]
    exceptions.remove(db, user_id, kept.id, gone)
    for one in by_hand:
        if not kept.active and one.lands_on and one.lands_on < today and one.planned_on not in gone:
            exceptions.put(db, user_id, kept.id, one.planned_on, None, now)


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
    store.set_due(db, user_id, kept.id)


def restore_day(db: Unit, user_id: int, kept: Recurrence, day: date, today: date) -> None:
    """Puts the day back where the rules have it. Refused if that is in the past: move the day instead."""
    lands = [kept.plan.lands(day, place) for place in kept.plan.places(day)]
    if any(on and (on < today or on <= kept.settled_until) for on in lands):
        raise Conflict(f"What was planned on {day} would have happened by now: skip it, or move it to a date.")
    exceptions.remove(db, user_id, kept.id, [day])
    store.set_due(db, user_id, kept.id)
