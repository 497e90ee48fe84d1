"""Lists the occurrences of a recurrence that have not fired yet, up to the number of firings left."""

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import cached_property, lru_cache
from itertools import islice, takewhile

from msgspec import Struct

from .occurrences import Occurrence, Order, RecurrencePlan, landing_order
from .repetition import Repetition

SHOWN = 5
# If more firings than this are left, the day of the last one is not computed for display.
_COUNTED_MAX = 5000
_DAY = timedelta(days=1)


class Agenda(Struct, frozen=True, dict=True):
    """Occurrences that land on or before `settled_until` no longer fire, except those moved there by hand.

    `fired` holds recent firings whose planned days may still be in the plan. `left` is the number of firings left for
    all repetitions together; None if there is no limit.
    """

    plan: RecurrencePlan
    settled_until: date
    fired: Sequence[Occurrence] = ()
    left: int | None = None

    @cached_property
    def _done(self) -> set[tuple[date, int]]:
        return find_fired(self.plan, self.fired)

    @cached_property
    def _counted(self) -> dict[tuple[date, int], date] | None:
        """Maps planned days to landing days, for the occurrences that the number left still allows.

        Returns None if no day is moved by hand, or if the number left is unlimited or very large. A moved day keeps
        its position in the count, because otherwise the following day would fire in its place.
        """
        if self.left is None or self.left > _COUNTED_MAX or not any(self.plan.exceptions.values()):
            return None
        by_rule = filter(self._is_open, self.plan.by_rule(self.settled_until + _DAY))
        near = list(islice(by_rule, self.left))
        # Other occurrences may be planned before these, but land after them.
        beyond = near[-1].landed_on + 2 * self.plan.reach if near and near[-1].landed_on else date.min
        near += takewhile(lambda day: day.landed_on is not None and day.landed_on <= beyond, by_rule)
        every = [*filter(self._is_open, self.plan.by_hand()), *near]
        first = sorted(every, key=lambda day: (day.planned_on, day.place))[: self.left]
        return {(day.planned_on, day.place): day.landed_on for day in first if day.landed_on}

    def _is_open(self, occurrence: Occurrence) -> bool:
        return (occurrence.planned_on, occurrence.place) not in self._done

    def counts(self, planned_on: date, index: int) -> bool:
        """Checks whether the number left still allows this occurrence. True if `_counted` is None."""
        return self._counted is None or (planned_on, index) in self._counted

    def list_pending(self, start: date | None = None, index: int | None = None) -> Iterator[Occurrence]:
        """Lists the occurrences that are still to fire, including overdue ones, in order of landing day.

        With `index`, lists those of one repetition only.
        """
        pending = self._list_uncounted(start, index)
        if self._counted is None:
            return pending
        last = max(self._counted.values(), default=date.min)
        reached = takewhile(lambda day: day.landed_on is not None and day.landed_on <= last, pending)
        return (day for day in reached if self.counts(day.planned_on, day.place))

    def _list_uncounted(self, start: date | None, index: int | None) -> Iterator[Occurrence]:
        since = max(start or self.settled_until, self.settled_until + _DAY)
        by_hand = [occurrence for occurrence in self.plan.by_hand() if index in (None, occurrence.place)]
        by_rule = self.plan.by_rule(since, None if index is None else [index])
        if by_hand:
            by_rule = heapq.merge(sorted(by_hand, key=landing_order), by_rule, key=landing_order)
        return filter(self._is_open, by_rule) if self.fired else by_rule

    def next_day(self) -> date | None:
        following = next(self.list_pending(), None) if self.left != 0 else None
        return following.landed_on if following else None

    def upcoming(self, today: date) -> list[list[date]]:
        """Lists the next landing days of each repetition, from today on, without duplicates."""
        coming = [self._next_days(index, today) for index in range(len(self.plan.repetitions))]
        last = self.last(max((day for days in coming for day, _ in days), default=today))
        return [[day for day, order in days if last is None or order <= last] for days in coming]

    def _next_days(self, index: int, today: date) -> list[tuple[date, Order]]:
        """Lists the next landing days of a repetition, each with the first occurrence that lands on it."""
        plan, repetition = self.plan, self.plan.repetitions[index]
        if self.fired or plan.exceptions or repetition.holidays:
            return _first_days(self.list_pending(today, index), today)
        days = _days_by_rule(repetition, plan.first, plan.until, self.settled_until, today)
        return [(day, (day, planned, index)) for day, planned in days]

    def last(self, horizon: date) -> Order | None:
        """Finds the last occurrence that the number left allows. Returns None if more are allowed until `horizon`."""
        if self.left is None or self.left > _COUNTED_MAX:
            return None
        last: Order = (date.min, date.min, 0)
        for number, occurrence in enumerate(self.list_pending()):
            if number == self.left:
                return last
            last = landing_order(occurrence)
            if last[0] > horizon:
                break
        return None


def _first_days(pending: Iterable[Occurrence], today: date) -> list[tuple[date, Order]]:
    days: dict[date, Order] = {}
    for occurrence in pending:
        if occurrence.landed_on and occurrence.landed_on >= today:
            if len(days) == SHOWN and occurrence.landed_on not in days:
                break
            days.setdefault(occurrence.landed_on, landing_order(occurrence))
    return list(days.items())


@lru_cache(maxsize=10_000)
def _days_by_rule(
    repetition: Repetition, first: date, until: date | None, settled_until: date, today: date
) -> list[tuple[date, date]]:
    """Computes the next landing days of a repetition. Cached, because lists request the same days repeatedly, and
    computing them took a third of a list's time.
    """
    plan = RecurrencePlan(first=first, repetitions=(repetition,), until=until)
    alone = Agenda(plan=plan, settled_until=settled_until)
    return [(day, planned) for day, (_, planned, _) in _first_days(alone.list_pending(today, 0), today)]


_Same = Callable[[Occurrence, Occurrence], bool]
_LIKENESS: tuple[_Same, ...] = (
    lambda firing, occurrence: firing.landed_on == occurrence.landed_on,
    lambda firing, occurrence: firing.place == occurrence.place,
    lambda _one, _other: True,
)


def find_fired(plan: RecurrencePlan, fired: Iterable[Occurrence]) -> set[tuple[date, int]]:
    """Finds the planned days that have fired, each with the index of its repetition.

    A firing is matched with an occurrence that is now planned for the same day: preferably one with the same landing
    day or the same repetition, otherwise any. So nothing fires twice if repetitions are reordered or get another
    weekend rule.
    """
    done = set()
    of_day: dict[date, list[Occurrence]] = defaultdict(list)
    for firing in fired:
        of_day[firing.planned_on].append(firing)
    for day, past in of_day.items():
        planned = [Occurrence(day, index, plan.lands(day, index)) for index in plan.places(day)]
        for alike in _LIKENESS:
            for firing in list(past):
                match = next((other for other in planned if alike(firing, other)), None)
                if match:
                    past.remove(firing)
                    planned.remove(match)
                    done.add((day, match.place))
    return done
