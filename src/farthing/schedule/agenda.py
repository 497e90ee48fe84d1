"""Lists the occurrences still to fire: the plan minus what has fired, up to the number left."""

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import cached_property, lru_cache
from itertools import islice, takewhile

from msgspec import Struct

from .occurrences import Occurrence, Order, Plan, landing_order
from .repetition import Repetition

SHOWN = 5
# With more repetitions left than this, the end of the count is not worked out for display.
_COUNTED_MAX = 5000
_DAY = timedelta(days=1)


class Agenda(Struct, frozen=True, dict=True):
    """Nothing that lands on or before `settled_until` fires any more, except days moved there by hand.

    `fired` are recent firings that the plan may still contain; `left` is how many may still fire across all
    repetitions, None if unlimited.
    """

    plan: Plan
    settled_until: date
    fired: Sequence[Occurrence] = ()
    left: int | None = None

    @cached_property
    def _done(self) -> set[tuple[date, int]]:
        return find_fired(self.plan, self.fired)

    @cached_property
    def _counted(self) -> dict[tuple[date, int], date] | None:
        """The planned days that the number left reaches, and where they land; None where none is moved by hand.

        A moved day keeps its place in the count: otherwise the next one would fire instead.
        """
        if self.left is None or self.left > _COUNTED_MAX or not any(self.plan.exceptions.values()):
            return None
        by_rule = (one for one in self.plan.by_rule(self.settled_until + _DAY) if self._is_open(one))
        near = list(islice(by_rule, self.left))
        # Further ones may be planned before these, and land after them.
        beyond = near[-1].landed_on + 2 * self.plan.reach if near and near[-1].landed_on else date.min
        near += takewhile(lambda one: one.landed_on is not None and one.landed_on <= beyond, by_rule)
        every = [*(one for one in self.plan.by_hand() if self._is_open(one)), *near]
        first = sorted(every, key=lambda one: (one.planned_on, one.place))[: self.left]
        return {(one.planned_on, one.place): one.landed_on for one in first if one.landed_on}

    def _is_open(self, one: Occurrence) -> bool:
        return (one.planned_on, one.place) not in self._done

    def counts(self, planned_on: date, place: int) -> bool:
        """Whether the number left reaches this planned day, as far as days moved by hand decide it."""
        return self._counted is None or (planned_on, place) in self._counted

    def list_pending(self, start: date | None = None, place: int | None = None) -> Iterator[Occurrence]:
        """Occurrences still to fire, of all repetitions or of one, by the day they land on; includes overdue ones."""
        pending = self._list_uncounted(start, place)
        if self._counted is None:
            return pending
        last = max(self._counted.values(), default=date.min)
        reached = takewhile(lambda one: one.landed_on is not None and one.landed_on <= last, pending)
        return (one for one in reached if self.counts(one.planned_on, one.place))

    def _list_uncounted(self, start: date | None, place: int | None) -> Iterator[Occurrence]:
        since = max(start or self.settled_until, self.settled_until + _DAY)
        by_hand = [one for one in self.plan.by_hand() if place in (None, one.place)]
        by_rule = self.plan.by_rule(since, None if place is None else [place])
        if by_hand:
            by_rule = heapq.merge(sorted(by_hand, key=landing_order), by_rule, key=landing_order)
        return (one for one in by_rule if self._is_open(one)) if self.fired else by_rule

    def next_day(self) -> date | None:
        """The day of the next firing."""
        following = next(self.list_pending(), None) if self.left != 0 else None
        return following.landed_on if following else None

    def upcoming(self, today: date) -> list[list[date]]:
        """The next days on which each repetition lands, from today on, without duplicates."""
        coming = [self._next_days(place, today) for place in range(len(self.plan.repetitions))]
        last = self.last(max((day for days in coming for day, _ in days), default=today))
        return [[day for day, order in days if last is None or order <= last] for days in coming]

    def _next_days(self, place: int, today: date) -> list[tuple[date, Order]]:
        """Each day with the first occurrence that lands on it."""
        plan, repetition = self.plan, self.plan.repetitions[place]
        if self.fired or plan.exceptions or repetition.holidays:
            return _first_days(self.list_pending(today, place), today)
        days = _days_by_rule(repetition, plan.first, plan.until, self.settled_until, today)
        return [(day, (day, planned, place)) for day, planned in days]

    def last(self, horizon: date) -> Order | None:
        """The last occurrence before the count runs out; None if that is beyond the horizon."""
        if self.left is None or self.left > _COUNTED_MAX:
            return None
        last: Order = (date.min, date.min, 0)
        for number, one in enumerate(self.list_pending()):
            if number == self.left:
                return last
            last = landing_order(one)
            if last[0] > horizon:
                break
        return None


def _first_days(pending: Iterable[Occurrence], today: date) -> list[tuple[date, Order]]:
    days: dict[date, Order] = {}
    for one in pending:
        if one.landed_on and one.landed_on >= today:
            if len(days) == SHOWN and one.landed_on not in days:
                break
            days.setdefault(one.landed_on, landing_order(one))
    return list(days.items())


@lru_cache(maxsize=10_000)
def _days_by_rule(
    repetition: Repetition, first: date, until: date | None, settled_until: date, today: date
) -> list[tuple[date, date]]:
    """Cached, because lists ask for the same days repeatedly; computing them took a third of a list of recurrences."""
    alone = Agenda(plan=Plan(first=first, repetitions=(repetition,), until=until), settled_until=settled_until)
    return [(day, planned) for day, (_, planned, _) in _first_days(alone.list_pending(today, 0), today)]


_Same = Callable[[Occurrence, Occurrence], bool]
_LIKENESS: tuple[_Same, ...] = (
    lambda one, other: one.landed_on == other.landed_on,
    lambda one, other: one.place == other.place,
    lambda _one, _other: True,
)


def find_fired(plan: Plan, fired: Iterable[Occurrence]) -> set[tuple[date, int]]:
    """The planned days and places that have fired.

    A firing counts for an occurrence planned on the same day now: preferably one that lands on the same day or has the
    same place, otherwise any. So nothing fires twice after repetitions are reordered or their weekend rule changes.
    """
    done = set()
    of_day: dict[date, list[Occurrence]] = defaultdict(list)
    for one in fired:
        of_day[one.planned_on].append(one)
    for day, past in of_day.items():
        planned = [
            Occurrence(planned_on=day, place=place, landed_on=plan.lands(day, place)) for place in plan.places(day)
        ]
        for alike in _LIKENESS:
            for one in list(past):
                match = next((other for other in planned if alike(one, other)), None)
                if match:
                    past.remove(one)
                    planned.remove(match)
                    done.add((day, match.place))
    return done
