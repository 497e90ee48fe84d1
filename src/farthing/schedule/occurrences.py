"""Merges the planned days of all repetitions of a recurrence, in order, up to its end."""

import heapq
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta

from msgspec import Struct, field

from .repetition import Repetition
from .weekend import REACH, REACH_OVER_HOLIDAYS, DayOff, land, never

# So often dropped in a row, a day will never land: Christmas in December, say, when holidays are dropped.
_DROPPED_MAX = 60


class Occurrence(Struct, frozen=True, order=True):
    """An occurrence is its planned day, not the day it lands on: three planned days may land on one Friday.

    `place` is that of the repetition in its list; `landed_on` is None when the day is dropped or skipped.
    """

    planned_on: date
    place: int
    landed_on: date | None


Order = tuple[date, date, int]


def landing_order(one: Occurrence) -> Order:
    assert one.landed_on is not None, "a dropped day is nowhere in this order"
    return one.landed_on, one.planned_on, one.place


class Plan(Struct, frozen=True):
    """When a recurrence begins, repeats and ends; both ends count planned days.

    `exceptions` are planned days that were changed by hand: moved to a day, or to none at all, which is skipped. They
    hold for every repetition that plans the day.
    """

    first: date
    repetitions: tuple[Repetition, ...]
    until: date | None = None
    exceptions: Mapping[date, date | None] = field(default_factory=dict)
    is_holiday: DayOff = never

    @property
    def reach(self) -> timedelta:
        return REACH_OVER_HOLIDAYS if any(one.holidays for one in self.repetitions) else REACH

    def plans(self, day: date) -> bool:
        return bool(self.places(day))

    def places(self, day: date) -> list[int]:
        """The repetitions that plan something on a day."""
        if day < self.first or (self.until and day > self.until):
            return []
        return [place for place, one in enumerate(self.repetitions) if one.plans(day, self.first)]

    def lands(self, day: date, place: int) -> date | None:
        """Where the rules of the repetition put a planned day."""
        repetition = self.repetitions[place]
        return land(day, repetition.weekend, self.is_holiday if repetition.holidays else never)

    def planned(self, start: date) -> Iterator[Occurrence]:
        """In the order of planned days from one on, as the rules have it: dropped ones too, exceptions left out."""
        return heapq.merge(*(self._of(place, start) for place in range(len(self.repetitions))))

    def _of(self, place: int, start: date) -> Iterator[Occurrence]:
        for day in self.repetitions[place].planned(self.first, start):
            if self.until and day > self.until:
                return
            if day not in self.exceptions:
                yield Occurrence(day, place, self.lands(day, place))

    def _landing_of(self, place: int, start: date) -> Iterator[Occurrence]:
        dropped = 0
        for one in self._of(place, start):
            dropped = dropped + 1 if one.landed_on is None else 0
            if dropped > _DROPPED_MAX:
                return
            if one.landed_on:
                yield one

    def by_hand(self) -> list[Occurrence]:
        """What was moved to another day."""
        moved = [(planned, day) for planned, day in self.exceptions.items() if day]
        return [Occurrence(planned, place, day) for planned, day in moved for place in self.places(planned)]

    def by_rule(self, start: date, places: Iterable[int] | None = None) -> Iterator[Occurrence]:
        """Those that land on a day or later, in the order of the days they land on, exceptions left out.

        Planned from before that day on, by the reach of the rules, and held back until nothing can land earlier: the
        31st may lie beyond a range, and land inside it.
        """
        chosen = list(range(len(self.repetitions)) if places is None else places)
        reach = self.reach
        if len(chosen) == 1:
            # One rule alone lets no later day land earlier: nothing need be held back.
            yield from (one for one in self._landing_of(chosen[0], start - reach) if (one.landed_on or start) >= start)
            return
        waiting: list[tuple[Order, Occurrence]] = []
        for one in heapq.merge(*(self._landing_of(place, start - reach) for place in chosen)):
            while waiting and waiting[0][0][0] < one.planned_on - reach:
                yield heapq.heappop(waiting)[1]
            if one.landed_on and one.landed_on >= start:
                heapq.heappush(waiting, (landing_order(one), one))
        while waiting:
            yield heapq.heappop(waiting)[1]
