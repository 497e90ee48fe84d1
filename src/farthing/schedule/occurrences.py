"""Merges the planned days of all repetitions of a recurrence, in order, up to its end."""

import heapq
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta

from msgspec import Struct, field

from .repetition import Repetition
from .weekend import REACH, REACH_OVER_HOLIDAYS, DayOff, land, never

# After this many dropped days in a row, give up: Christmas Day never lands, if holidays are dropped.
_DROPPED_MAX = 60


class Occurrence(Struct, frozen=True, order=True):
    """Identified by its planned day, not the day it lands on: three planned days may land on one Friday.

    `place` is the index of the repetition; `landed_on` is None when the day is dropped or skipped.
    """

    planned_on: date
    place: int
    landed_on: date | None


Order = tuple[date, date, int]


def landing_order(one: Occurrence) -> Order:
    assert one.landed_on is not None, "a dropped day is nowhere in this order"
    return one.landed_on, one.planned_on, one.place


class Plan(Struct, frozen=True):
    """When a recurrence begins, repeats and ends; both limits apply to planned days.

    `exceptions` are planned days changed by hand: moved to another day, or None if skipped. They apply to every
    repetition that plans the day.
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
        """The indexes of the repetitions that plan this day."""
        if day < self.first or (self.until and day > self.until):
            return []
        return [place for place, one in enumerate(self.repetitions) if one.plans(day, self.first)]

    def lands(self, day: date, place: int) -> date | None:
        """The day it lands on by the repetition's weekend rule; None if dropped."""
        repetition = self.repetitions[place]
        return land(day, repetition.weekend, self.is_holiday if repetition.holidays else never)

    def is_settled(self, day: date, until: date) -> bool:
        """Whether what is planned on this day has landed on or before another."""
        return any(on <= until for place in self.places(day) if (on := self.lands(day, place)))

    def planned(self, start: date) -> Iterator[Occurrence]:
        """From a planned day on, in order; includes dropped days, leaves out exceptions."""
        return heapq.merge(*(self._of(place, start) for place in range(len(self.repetitions))))

    def _of(self, place: int, start: date) -> Iterator[Occurrence]:
        for day in self.repetitions[place].planned(self.first, start):
            if self.until and day > self.until:
                return
            if day not in self.exceptions:
                yield Occurrence(planned_on=day, place=place, landed_on=self.lands(day, place))

    def _landing_of(self, place: int, start: date) -> Iterator[Occurrence]:
        dropped = 0
        for one in self._of(place, start):
            dropped = dropped + 1 if one.landed_on is None else 0
            if dropped > _DROPPED_MAX:
                return
            if one.landed_on:
                yield one

    def by_hand(self) -> list[Occurrence]:
        """The occurrences that were moved by hand."""
        moved = [(planned, day) for planned, day in self.exceptions.items() if day]
        return [
            Occurrence(planned_on=planned, place=place, landed_on=day)
            for planned, day in moved
            for place in self.places(planned)
        ]

    def by_rule(self, start: date, places: Iterable[int] | None = None) -> Iterator[Occurrence]:
        """Occurrences that land on `start` or later, ordered by the day they land on, without exceptions.

        Begins earlier by the reach of the rules, and holds occurrences back until none can land earlier: the 31st may
        be planned after a range and land inside it.
        """
        chosen = list(range(len(self.repetitions)) if places is None else places)
        reach = self.reach
        if len(chosen) == 1:
            # Within one repetition, later planned days never land earlier, so nothing is held back.
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
