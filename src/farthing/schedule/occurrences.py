"""What will happen, and when? The planned days of all repetitions together, in order, up to the end."""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from .repetition import Repetition
from .weekend import REACH, landed

SHOWN = 5


@dataclass(frozen=True, order=True)
class Occurrence:
    """An occurrence is its planned day, not the day it lands on: three planned days may land on one Friday.

    `place` is that of the repetition in its list; `landed_on` is None when the weekend rule drops the day.
    """

    planned_on: date
    place: int
    landed_on: date | None


@dataclass(frozen=True)
class Plan:
    """When a recurrence begins, repeats and ends; both ends count planned days."""

    first: date
    repetitions: tuple[Repetition, ...]
    until: date | None = None

    def occurrences(self, start: date | None = None) -> Iterator[Occurrence]:
        """In the order of planned days, dropped ones included, from a planned day on."""
        return heapq.merge(*(self._of(place, one, start) for place, one in enumerate(self.repetitions)))

    def _of(self, place: int, repetition: Repetition, start: date | None) -> Iterator[Occurrence]:
        for day in repetition.planned(self.first, start):
            if self.until and day > self.until:
                return
            yield Occurrence(day, place, landed(day, repetition.weekend))

    def landing(self, start: date, end: date) -> list[Occurrence]:
        """Those that land from start to end. Planned over a range that is wider by the reach of the weekend rules:
        the 31st may lie beyond the range, and land inside it."""
        found = []
        for one in self.occurrences(start - REACH):
            if one.planned_on > end + REACH:
                break
            if one.landed_on and start <= one.landed_on <= end:
                found.append(one)
        return found


def upcoming(plan: Plan, today: date, settled: Sequence[tuple[int, date]], left: int | None) -> list[list[date]]:
    """For each repetition the next days it lands on from today on, each day once.

    `settled` are (place, planned day) pairs that have happened already; `left` is how many may still happen, of all
    repetitions together, None without limit.
    """
    days: list[list[date]] = [[] for _ in plan.repetitions]
    never = {place for place, one in enumerate(plan.repetitions) if one.lands_never(plan.first)}
    done = set(settled)
    for one in plan.occurrences(today - REACH):
        if left == 0 or all(len(of) == SHOWN or place in never for place, of in enumerate(days)):
            break
        if one.landed_on is None or one.landed_on < today or (one.place, one.planned_on) in done:
            continue
        if left is not None:
            left -= 1
        shown = days[one.place]
        if len(shown) < SHOWN and one.landed_on not in shown:
            shown.append(one.landed_on)
    return [sorted(of) for of in days]
