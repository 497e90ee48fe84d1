"""Lists the days of a recurrence, past and future: planned and landed, and why they differ."""

from collections.abc import Iterator, Sequence
from datetime import date

from msgspec import Struct, field
from msgspec.structs import replace

from farthing.schedule.agenda import Agenda, find_fired
from farthing.schedule.occurrences import Occurrence, RecurrencePlan, landing_order
from farthing.schedule.weekend import REACH_OVER_HOLIDAYS, is_weekend
from farthing.storage.unit import Unit

from . import exceptions, store
from .exceptions import DayException
from .model import DAY, Recurrence
from .store import StoredFiring

# Planned days examined per answer; clients continue from where it ended.
LOOKED_AT_MAX = 1000
BY_HAND, BY_WEEKEND, BY_HOLIDAY = "hand", "weekend", "holiday"


class Day(Struct, frozen=True):
    """`lands_on` is None when nothing lands: skipped by hand, or dropped by a rule. `reason` says why it differs from
    the plan.

    `entry_id` and `split_id` are those of the transaction, unless it has been deleted.
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
    """`agenda` knows which days are still to fire; none while it is paused."""

    agenda: Agenda
    active: bool
    firings: Sequence[StoredFiring] = ()
    by_hand: Sequence[DayException] = field(default=())

    @property
    def plan(self) -> RecurrencePlan:
        return replace(self.agenda.plan, exceptions={one.planned_on: one.lands_on for one in self.by_hand})


def of_recurrence(db: Unit, user_id: int, one: Recurrence, start: date, end: date) -> tuple[list[Day], date | None]:
    """The days from start to end, in order, and the day to continue from if the answer was cut."""
    end, following = limit_range(one.plan, start, end)
    wide = start - REACH_OVER_HOLIDAYS, end + REACH_OVER_HOLIDAYS
    by_hand = exceptions.find_between(db, user_id, one.id, *wide)
    moved = [each.planned_on for each in by_hand if each.lands_on and each.fired]
    firings = store.firings(db, user_id, one.id, *wide, moved)
    return days(ScheduleFacts(one.agenda, one.active, firings, by_hand), start, end), following


def of_day(db: Unit, user_id: int, one: Recurrence, planned_on: date) -> list[Day]:
    """The occurrences of one planned day, wherever they land."""
    kept = exceptions.get(db, user_id, one.id, planned_on)
    firings = store.firings(db, user_id, one.id, planned_on, planned_on, [])
    facts = ScheduleFacts(one.agenda, one.active, firings, [kept] if kept else [])
    every = [*_fired(facts), *_by_hand(facts), *_by_rule(facts, planned_on, planned_on)]
    return sorted((each for each in every if each.planned_on == planned_on), key=lambda each: each._order)


def limit_range(plan: RecurrencePlan, start: date, end: date) -> tuple[date, date | None]:
    """Limits the range to what fits one answer; also returns where the next one starts. Always at least one day."""
    unchanged = replace(plan, exceptions={})
    for number, one in enumerate(unchanged.planned(start - plan.reach)):
        if one.planned_on > end + plan.reach:
            break
        if number >= LOOKED_AT_MAX and one.planned_on > start + plan.reach:
            following = one.planned_on - plan.reach
            return following - DAY, following
    return end, None


def days(facts: ScheduleFacts, start: date, end: date) -> list[Day]:
    last = facts.agenda.last(end)
    found = [*_fired(facts)]
    for one in (*_by_hand(facts), *_by_rule(facts, start - facts.plan.reach, end + facts.plan.reach)):
        if one.lands_on is None or (one.lands_on <= facts.agenda.settled_until and one.reason != BY_HAND):
            found.append(one)  # skipped or dropped, or passed without firing
        elif (
            facts.active
            and facts.agenda.counts(one.planned_on, one.place)
            and (
                last is None
                or landing_order(Occurrence(planned_on=one.planned_on, place=one.place, landed_on=one.lands_on)) <= last
            )
        ):
            found.append(one)
    return sorted((one for one in found if start <= one._order[0] <= end), key=lambda one: one._order)


def _fired(facts: ScheduleFacts) -> Iterator[Day]:
    changed = {one.planned_on for one in facts.by_hand}
    for one in facts.firings:
        on = one.occurrence
        why = BY_HAND if on.planned_on in changed else reason(on)
        yield Day(
            planned_on=on.planned_on,
            place=on.place,
            lands_on=on.landed_on,
            reason=why,
            fired=True,
            entry_id=one.entry_id,
            split_id=one.split_id,
        )


def _by_hand(facts: ScheduleFacts) -> Iterator[Day]:
    for one in facts.by_hand:
        if not one.fired:
            for place in facts.plan.places(one.planned_on):
                yield Day(planned_on=one.planned_on, place=place, lands_on=one.lands_on, reason=BY_HAND)


def _by_rule(facts: ScheduleFacts, start: date, end: date) -> Iterator[Day]:
    plan = facts.plan
    done = find_fired(plan, [one.occurrence for one in facts.firings])
    for one in plan.planned(start):
        if one.planned_on > end:
            return
        if (one.planned_on, one.place) not in done:
            yield Day(planned_on=one.planned_on, place=one.place, lands_on=one.landed_on, reason=reason(one))


def reason(one: Occurrence) -> str | None:
    """Why the rules moved or dropped it."""
    if one.landed_on == one.planned_on:
        return None
    return BY_WEEKEND if is_weekend(one.planned_on) else BY_HOLIDAY
