"""Lists the days of a recurrence, past and future: when each was planned, when it is booked, and why the two differ."""

from collections.abc import Iterator, Sequence
from datetime import date

from msgspec import Struct, field
from msgspec.structs import replace

from farthing.schedule.agenda import Agenda, find_fired
from farthing.schedule.occurrences import Occurrence, RecurrencePlan
from farthing.schedule.weekend import REACH_OVER_HOLIDAYS, is_weekend
from farthing.storage.unit import Unit

from . import exceptions, store
from .exceptions import DayException
from .model import DAY, Recurrence
from .store import StoredFiring

# Planned days examined per answer; clients request the following days with the date that the answer returns.
LOOKED_AT_MAX = 1000
BY_HAND, BY_WEEKEND, BY_HOLIDAY = "hand", "weekend", "holiday"


class Day(Struct, frozen=True):
    """Describes one occurrence of a recurrence: planned for `planned_on`, and booked with the date `lands_on`.

    `lands_on` is None if the occurrence was skipped by hand or dropped by a rule. `reason` says why the dates differ.
    `entry_id` and `split_id` identify the transaction; both are None before it is booked or after it is deleted.
    """

    planned_on: date
    place: int
    lands_on: date | None
    reason: str | None = None
    fired: bool = False
    entry_id: int | None = None
    split_id: int | None = None

    @property
    def _order(self) -> tuple[date, date, int]:
        return self.lands_on or self.planned_on, self.planned_on, self.place


class ScheduleFacts(Struct, frozen=True):
    """Collects what is needed to list a recurrence's days. `agenda` says which days have not fired yet; these are
    listed only if the recurrence is `active`.
    """

    agenda: Agenda
    active: bool
    firings: Sequence[StoredFiring] = ()
    by_hand: Sequence[DayException] = field(default=())

    @property
    def plan(self) -> RecurrencePlan:
        exceptions = {exception.planned_on: exception.lands_on for exception in self.by_hand}
        return replace(self.agenda.plan, exceptions=exceptions)


def of_recurrence(
    db: Unit, user_id: int, recurrence: Recurrence, start: date, end: date
) -> tuple[list[Day], date | None]:
    """Returns the days from `start` to `end` in order and, if they do not fit one answer, the day to continue from."""
    end, following = limit_range(recurrence.plan, start, end)
    wide = start - REACH_OVER_HOLIDAYS, end + REACH_OVER_HOLIDAYS
    by_hand = exceptions.find_between(db, user_id, recurrence.id, *wide)
    moved = [each.planned_on for each in by_hand if each.lands_on and each.fired]
    firings = store.firings(db, user_id, recurrence.id, *wide, moved)
    return days(ScheduleFacts(recurrence.agenda, recurrence.active, firings, by_hand), start, end), following


def of_day(db: Unit, user_id: int, recurrence: Recurrence, planned_on: date) -> list[Day]:
    """Returns the occurrences of one planned day, whichever day they land on."""
    exception = exceptions.get(db, user_id, recurrence.id, planned_on)
    firings = store.firings(db, user_id, recurrence.id, planned_on, planned_on, [])
    facts = ScheduleFacts(recurrence.agenda, recurrence.active, firings, [exception] if exception else [])
    every_day = [*_fired(facts), *_by_hand(facts), *_by_rule(facts, planned_on, planned_on)]
    return sorted((day for day in every_day if day.planned_on == planned_on), key=lambda day: day._order)


def limit_range(plan: RecurrencePlan, start: date, end: date) -> tuple[date, date | None]:
    """Shortens a range to the days that fit in one answer, but to no less than one day. Returns the last day and, if
    the range was shortened, the day on which the next answer starts.
    """
    unchanged = replace(plan, exceptions={})
    for number, occurrence in enumerate(unchanged.planned(start - plan.reach)):
        if occurrence.planned_on > end + plan.reach:
            break
        if number >= LOOKED_AT_MAX and occurrence.planned_on > start + plan.reach:
            following = occurrence.planned_on - plan.reach
            return following - DAY, following
    return end, None


def days(facts: ScheduleFacts, start: date, end: date) -> list[Day]:
    last = facts.agenda.last(end)
    listed = [*_fired(facts)]
    for day in (*_by_hand(facts), *_by_rule(facts, start - facts.plan.reach, end + facts.plan.reach)):
        if day.lands_on is None or (day.lands_on <= facts.agenda.settled_until and day.reason != BY_HAND):
            listed.append(day)  # skipped or dropped, or passed without firing
            continue
        is_reached = last is None or (day.lands_on, day.planned_on, day.place) <= last
        if facts.active and is_reached and facts.agenda.counts(day.planned_on, day.place):
            listed.append(day)
    return sorted((day for day in listed if start <= day._order[0] <= end), key=lambda day: day._order)


def _fired(facts: ScheduleFacts) -> Iterator[Day]:
    changed = {exception.planned_on for exception in facts.by_hand}
    for firing in facts.firings:
        day = _day(firing.occurrence)
        why = BY_HAND if day.planned_on in changed else day.reason
        yield replace(day, reason=why, fired=True, entry_id=firing.entry_id, split_id=firing.split_id)


def _by_hand(facts: ScheduleFacts) -> Iterator[Day]:
    for exception in facts.by_hand:
        if not exception.fired:
            for place in facts.plan.places(exception.planned_on):
                yield Day(planned_on=exception.planned_on, place=place, lands_on=exception.lands_on, reason=BY_HAND)


def _by_rule(facts: ScheduleFacts, start: date, end: date) -> Iterator[Day]:
    plan = facts.plan
    done = find_fired(plan, [firing.occurrence for firing in facts.firings])
    for occurrence in plan.planned(start):
        if occurrence.planned_on > end:
            return
        if (occurrence.planned_on, occurrence.place) not in done:
            yield _day(occurrence)


def _day(occurrence: Occurrence) -> Day:
    return Day(occurrence.planned_on, occurrence.place, occurrence.landed_on, reason(occurrence))


def reason(occurrence: Occurrence) -> str | None:
    """Returns why the rules moved or dropped an occurrence."""
    if occurrence.landed_on == occurrence.planned_on:
        return None
    return BY_WEEKEND if is_weekend(occurrence.planned_on) else BY_HOLIDAY
