"""What is a recurrence, and what must hold for one?"""

from dataclasses import dataclass
from datetime import date, timedelta

from ..errors import Problem
from ..ledger.kinds import Type
from ..money import Currency
from ..schedule.occurrences import Plan
from ..schedule.repetition import Repetition
from ..schedule.weekend import REACH
from ..transactions.model import SplitDraft

SKIP_MAX = 999


@dataclass(frozen=True)
class Draft:
    type: Type
    title: str
    description: str
    first_on: date
    until_on: date | None
    count_max: int | None
    apply_rules: bool
    active: bool
    tags: tuple[str, ...]
    piggy_bank_id: int | None
    repetitions: tuple[Repetition, ...]
    splits: tuple[SplitDraft, ...]

    @property
    def plan(self) -> Plan:
        return Plan(self.first_on, self.repetitions, self.until_on)


@dataclass(frozen=True)
class KeptRepetition:
    id: int
    repetition: Repetition
    created_at: str
    updated_at: str


@dataclass(frozen=True)
class KeptSplit:
    """A split as it will be booked, with the names that go with it."""

    description: str
    units: int
    currency: Currency
    foreign_units: int | None
    foreign_currency: Currency | None
    source_id: int
    source_name: str
    source_currency: Currency
    destination_id: int
    destination_name: str
    destination_currency: Currency
    category_id: int | None
    category_name: str | None
    budget_id: int | None
    budget_name: str | None


@dataclass(frozen=True)
class Recurrence:
    """`settled_until`: nothing that lands on or before this day fires any more."""

    id: int
    type: Type
    title: str
    description: str
    first_on: date
    until_on: date | None
    count_max: int | None
    apply_rules: bool
    active: bool
    tags: tuple[str, ...]
    piggy_bank_id: int | None
    piggy_bank_name: str | None
    fired: int
    latest_on: str | None
    settled_until: date
    failure: str | None
    created_at: str
    updated_at: str
    repetitions: tuple[KeptRepetition, ...] = ()
    splits: tuple[KeptSplit, ...] = ()
    fired_lately: tuple[tuple[int, date], ...] = ()

    @property
    def plan(self) -> Plan:
        return Plan(self.first_on, tuple(one.repetition for one in self.repetitions), self.until_on)

    @property
    def left(self) -> int | None:
        """How often it may still fire; None without limit."""
        return None if self.count_max is None else max(0, self.count_max - self.fired)


def end_problems(first: date | None, until: date | None, *, counted: bool, ended: bool) -> list[Problem]:
    """`counted` and `ended`: whether a number of repetitions and an end date were sent."""
    found = []
    if counted and ended:
        sentence = "An end date and a number of repetitions exclude each other: send one of them."
        found += [Problem("repeat_until", sentence), Problem("nr_of_repetitions", sentence)]
    if first and until and until < first:
        found.append(Problem("repeat_until", "The repeat until must be a date on or after first date."))
    return found


def first_date_problems(first: date | None, today: date, kept: date | None) -> list[Problem]:
    """In the future; on an update the date that is there already may lie in the past."""
    if first is None or first > today or first == kept:
        return []
    return [Problem("first_date", f"The first date must be a date after {today}.")]


def next_due(plan: Plan, settled_until: date, fired_lately: set[tuple[int, date]], left: int | None) -> date | None:
    """The next day on which something lands that has not fired; what tells the engine when to look again."""
    if left == 0 or all(one.lands_never(plan.first) for one in plan.repetitions):
        return None
    soonest: date | None = None
    for one in plan.occurrences(settled_until - REACH):
        if soonest and one.planned_on > soonest + REACH:
            break
        if one.landed_on and one.landed_on > settled_until and (one.place, one.planned_on) not in fired_lately:
            soonest = min(soonest or one.landed_on, one.landed_on)
    return soonest


DAY = timedelta(days=1)
