"""Merges the planned days of all repetitions of a recurrence, in order, up to its end."""

import heapq
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta

from msgspec import Struct, field

from .repetition import Repetition
from .weekend import REACH, REACH_OVER_HOLIDAYS, DayOff, land, never

# Stop after this many dropped days in a row: a repetition on Christmas Day never lands if holidays are dropped.
_DROPPED_MAX = 60


class Occurrence(Struct, frozen=True, order=True):
    """One occurrence of a recurrence. It is identified by its planned day and repetition, not by the day on which it
    lands, because three planned days may land on the same Friday. `place` is the index of the repetition. `landed_on`
    is None if the day is dropped or skipped.
    """

    planned_on: date
    place: int
    landed_on: date | None


Order = tuple[date, date, int]


def landing_order(occurrence: Occurrence) -> Order:
    assert occurrence.landed_on is not None, "a dropped day has no landing order"
    return occurrence.landed_on, occurrence.planned_on, occurrence.place


class RecurrencePlan(Struct, frozen=True):
    """The first day, the repetitions and the last day of a recurrence. The first and last day limit the planned days.

    `exceptions` maps planned days that were changed by hand to their new day, or to None if skipped. An exception
    applies to every repetition that plans the day.
    """

    first: date
    repetitions: tuple[Repetition, ...]
    until: date | None = None
    exceptions: Mapping[date, date | None] = field(default_factory=dict)
    is_holiday: DayOff = never

    @property
    def reach(self) -> timedelta:
        return REACH_OVER_HOLIDAYS if any(repetition.holidays for repetition in self.repetitions) else REACH

    def plans(self, day: date) -> bool:
        return bool(self.places(day))

    def places(self, day: date) -> list[int]:
        """Returns the indexes of the repetitions that plan this day."""
        if day < self.first or (self.until and day > self.until):
            return []
        return [index for index, repetition in enumerate(self.repetitions) if repetition.plans(day, self.first)]

    def lands(self, day: date, index: int) -> date | None:
        """Returns the day on which a planned day lands under the repetition's weekend rule, or None if dropped."""
        repetition = self.repetitions[index]
        return land(day, repetition.weekend, self.is_holiday if repetition.holidays else never)

    def is_settled(self, day: date, until: date) -> bool:
        """Checks whether an occurrence planned for this day lands on or before `until`."""
        return any(on <= until for index in self.places(day) if (on := self.lands(day, index)))

    def planned(self, start: date) -> Iterator[Occurrence]:
        """Lists the occurrences from a planned day on, in order. Includes dropped days, but no days changed by hand."""
        return heapq.merge(*(self._of(index, start) for index in range(len(self.repetitions))))

    def _of(self, index: int, start: date) -> Iterator[Occurrence]:
        for day in self.repetitions[index].planned(self.first, start):
            if self.until and day > self.until:
                return
            if day not in self.exceptions:
                yield Occurrence(planned_on=day, place=index, landed_on=self.lands(day, index))

    def _landing_of(self, index: int, start: date) -> Iterator[Occurrence]:
        dropped = 0
        for occurrence in self._of(index, start):
            dropped = dropped + 1 if occurrence.landed_on is None else 0
            if dropped > _DROPPED_MAX:
                return
            if occurrence.landed_on:
                yield occurrence

    def by_hand(self) -> list[Occurrence]:
        moved = [(planned, day, self.places(planned)) for planned, day in self.exceptions.items() if day]
        return [Occurrence(planned, index, day) for planned, day, places in moved for index in places]

    def by_rule(self, start: date, places: Iterable[int] | None = None) -> Iterator[Occurrence]:
        """Lists occurrences that land on or after `start`, in order of landing day, without days changed by hand.

        Starts with earlier planned days, because the rules may move them to `start` or later. Buffers occurrences
        until no other can land before them, because repetitions with different rules may land in another order.
        """
        chosen = list(range(len(self.repetitions)) if places is None else places)
        reach = self.reach
        if len(chosen) == 1:
            # Within one repetition, later planned days never land earlier, so no buffer is needed.
            landing = self._landing_of(chosen[0], start - reach)
            yield from (occurrence for occurrence in landing if (occurrence.landed_on or start) >= start)
            return
        waiting: list[tuple[Order, Occurrence]] = []
        for occurrence in heapq.merge(*(self._landing_of(index, start - reach) for index in chosen)):
            while waiting and waiting[0][0][0] < occurrence.planned_on - reach:
                yield heapq.heappop(waiting)[1]
            if occurrence.landed_on and occurrence.landed_on >= start:
                heapq.heappush(waiting, (landing_order(occurrence), occurrence))
        while waiting:
            yield heapq.heappop(waiting)[1]
