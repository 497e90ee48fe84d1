"""What must a recurrence have made? Found by looking at every single day, without a line of our own schedule."""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache

import holidays

DAY = timedelta(days=1)
LOOKED_AHEAD = 20 * DAY  # beyond the last day: a later day may land before it
FREE_IN_A_ROW_MAX = 14


@cache
def bank_holidays(place: str) -> frozenset[date]:
    country, _, part = place.partition("-")
    return frozenset(holidays.country_holidays(country, subdiv=part or None, years=range(2023, 2028)))


@dataclass(frozen=True)
class Rule:
    type: str
    moment: str
    skip: int
    weekend: int
    holidays: bool = False

    def body(self) -> dict[str, object]:
        return {
            "type": self.type, "moment": self.moment, "skip": self.skip, "weekend": self.weekend,
            "holidays": self.holidays,
        }  # fmt: skip

    def planned(self, first: date, end: date) -> list[date]:
        days = [first + DAY * number for number in range((end - first).days + 1)]
        return [day for day in days if self._fits(day)][:: self.skip + 1]

    def _fits(self, day: date) -> bool:
        length = monthrange(day.year, day.month)[1]
        if self.type == "daily":
            return True
        if self.type == "weekly":
            return day.isoweekday() == int(self.moment)
        if self.type == "monthly":
            return day.day == (length if self.moment == "last" else min(int(self.moment), length))
        if self.type == "ndom":
            which, weekday = self.moment.split(",")
            last = day.day > length - 7
            return day.isoweekday() == int(weekday) and (last if which == "last" else (day.day + 6) // 7 == int(which))
        month, number = int(self.moment[5:7]), int(self.moment[8:10])
        return day.month == month and day.day == min(number, monthrange(day.year, month)[1])

    def lands(self, day: date, place: str) -> date | None:
        free = bank_holidays(place) if self.holidays and place else frozenset[date]()

        def is_free(one: date) -> bool:
            return one.isoweekday() > 5 or one in free

        if self.weekend == 1 or not is_free(day):
            return day
        if self.weekend == 2:
            return None
        step = -DAY if self.weekend == 3 else DAY
        return next(day + step * away for away in range(1, FREE_IN_A_ROW_MAX) if not is_free(day + step * away))


@dataclass(frozen=True)
class Made:
    on: date
    planned: date
    which: int
    cents: int


@dataclass
class Expected:
    """One recurrence as it should be. `settled`: nothing that a rule lets land until then happens any more."""

    rules: tuple[Rule, ...]
    first: date
    cents: int
    settled: date
    place: str = ""
    until: date | None = None
    count: int | None = None
    active: bool = True
    exceptions: dict[date, date | None] = field(default_factory=dict)
    made: list[Made] = field(default_factory=list)

    def plan(self, end: date) -> Iterator[tuple[date, int]]:
        for which, rule in enumerate(self.rules):
            for day in rule.planned(self.first, min(end, self.until) if self.until else end):
                yield day, which

    def planned_days(self, end: date) -> set[date]:
        return {day for day, _ in self.plan(end)}

    def due(self, upto: date) -> list[Made]:
        """What lands until a day and has not been made; only the one rule of a recurrence is ever replaced."""
        done = {(one.planned, one.which) for one in self.made}
        found = []
        for planned, which in self.plan(max([upto, *self.exceptions]) + LOOKED_AHEAD):
            by_hand = planned in self.exceptions
            on = self.exceptions[planned] if by_hand else self.rules[which].lands(planned, self.place)
            if on and on <= upto and (by_hand or on > self.settled) and (planned, which) not in done:
                found.append(Made(on, planned, which, self.cents))
        return sorted(found, key=lambda one: (one.on, one.planned, one.which))

    def run(self, upto: date, today: date) -> None:
        if not self.active:
            return
        left = None if self.count is None else self.count - len(self.made)
        new = self.due(upto)[:left]
        self.made += new
        latest = max((one.on for one in new), default=self.settled)
        self.settled = max(self.settled, min(upto, today), latest - DAY)

    def run_if_due(self, today: date) -> None:
        """Who has nothing to do is not looked at, and so nothing of it is settled."""
        if self.due(today) and self.count != len(self.made):
            self.run(today, today)

    def has_made(self, planned: date) -> bool:
        return any(one.planned == planned for one in self.made)

    def edited(self, today: date, rules: tuple[Rule, ...], cents: int, *, active: bool) -> None:
        """What is due is made as it was; then everything is replaced."""
        self.run(today, today)
        self.settled = max(self.settled, today - DAY)
        paused, before = not self.active, self.rules
        self.rules, self.cents, self.active = rules, cents, active
        horizon = max([today, *self.exceptions]) + LOOKED_AHEAD
        planned = self.planned_days(horizon)
        kept = {day: on for day, on in self.exceptions.items() if day in planned or self.has_made(day)}
        if paused:
            kept = {day: None if on and on < today and not self.has_made(day) else on for day, on in kept.items()}
        self.exceptions = kept
        if active:
            self.exceptions |= self._find_lost(before)

    def _find_lost(self, before: tuple[Rule, ...]) -> dict[date, date]:
        """Days to come that an edit lands where all is settled: they still happen, unless the rules before did that."""

        def was_settled(planned: date) -> bool:
            landed = (
                rule.lands(planned, self.place) for rule in before if planned in rule.planned(self.first, planned)
            )
            return any(on and on <= self.settled for on in landed)

        lost = {}
        for planned, which in self.plan(self.settled + LOOKED_AHEAD):
            on = self.rules[which].lands(planned, self.place)
            is_new = planned not in self.exceptions and not any(
                (one.planned, one.which) == (planned, which) for one in self.made
            )
            if on and on <= self.settled < planned and is_new and not was_settled(planned):
                lost[planned] = on
        return lost
