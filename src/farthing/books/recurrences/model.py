"""Defines recurrences and checks when they start and end."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from msgspec import Struct, field, structs

from farthing.kernel.errors import Problem
from farthing.kernel.money import Currency
from farthing.ledger.kinds import Kind, Type
from farthing.schedule.agenda import Agenda
from farthing.schedule.occurrences import Occurrence, RecurrencePlan
from farthing.schedule.repetition import Repetition
from farthing.schedule.weekend import DayOff, never

from ..transactions.model import SplitDraft

SKIP_MAX = 999
REPETITIONS_MAX = 100
DAY = timedelta(days=1)


class RecurrenceTerms(Struct, frozen=True):
    """The fields that a recurrence and its draft share."""

    type: Type
    title: str
    description: str
    notes: str | None
    first_on: date
    until_on: date | None
    count_max: int | None
    apply_rules: bool
    active: bool
    tags: tuple[str, ...]
    piggy_bank_id: int | None


class RecurrenceDraft(RecurrenceTerms, frozen=True):
    repetitions: tuple[Repetition, ...]
    splits: tuple[SplitDraft, ...]

    def plan(self, is_holiday: DayOff = never) -> RecurrencePlan:
        planned, until = self.repetitions, self.until_on
        return RecurrencePlan(first=self.first_on, repetitions=planned, until=until, is_holiday=is_holiday)


class StoredRepetition(Struct, frozen=True):
    id: int
    repetition: Repetition
    created_at: str
    updated_at: str


class RecurrenceSplit(Struct, frozen=True):
    """A split as it will be booked, with the names of its accounts and labels."""

    id: int
    description: str
    units: int
    currency: Currency
    foreign_units: int | None
    foreign_currency: Currency | None
    source_id: int
    source_name: str
    source_kind: Kind
    source_iban: str | None
    source_currency: Currency
    destination_id: int
    destination_name: str
    destination_kind: Kind
    destination_iban: str | None
    destination_currency: Currency
    category_id: int | None
    category_name: str | None
    budget_id: int | None
    budget_name: str | None


class Recurrence(RecurrenceTerms, frozen=True):
    """Occurrences that land on or before `settled_until` do not fire any more, unless they were moved there by hand.

    `exceptions` maps each planned day that was moved by hand to its new day, and each skipped day to None. Days that
    no longer matter are not loaded.
    """

    id: int
    piggy_bank_name: str | None
    fired: int
    latest_on: str | None
    settled_until: date
    failure: str | None
    created_at: str
    updated_at: str
    repetitions: tuple[StoredRepetition, ...] = ()
    splits: tuple[RecurrenceSplit, ...] = ()
    recent_firings: tuple[Occurrence, ...] = ()
    exceptions: Mapping[date, date | None] = field(default_factory=dict)
    is_holiday: DayOff = never

    @property
    def plan(self) -> RecurrencePlan:
        planned = tuple([repetition.repetition for repetition in self.repetitions])
        return RecurrencePlan(
            first=self.first_on,
            repetitions=planned,
            until=self.until_on,
            exceptions=self.exceptions,
            is_holiday=self.is_holiday,
        )

    def resume(self, today: date) -> "Recurrence":
        """Returns the recurrence as it would fire if resumed today; days missed during a pause are not made up for."""
        return self if self.active else structs.replace(self, settled_until=max(self.settled_until, today - DAY))

    def with_holidays(self, is_holiday: DayOff) -> "Recurrence":
        return structs.replace(self, is_holiday=is_holiday)

    @property
    def agenda(self) -> Agenda:
        return Agenda(plan=self.plan, settled_until=self.settled_until, fired=self.recent_firings, left=self.left)

    def after(self, fired: Sequence[Occurrence], settled_until: date) -> "Recurrence":
        """Returns the recurrence as it is after these occurrences have fired. Days moved by hand do not fire again."""
        gone = {occurrence.planned_on: None for occurrence in fired if occurrence.planned_on in self.exceptions}
        return structs.replace(
            self,
            settled_until=settled_until,
            fired=self.fired + len(fired),
            recent_firings=(*self.recent_firings, *fired),
            exceptions={**self.exceptions, **gone},
        )

    @property
    def left(self) -> int | None:
        """Returns how often the recurrence may still fire; None if there is no limit."""
        return None if self.count_max is None else max(0, self.count_max - self.fired)


class UserWithDue(Struct, frozen=True):
    """A user with due recurrences: their time zone, the earliest due day, and the number of due recurrences."""

    user_id: int
    timezone: str
    due_on: date
    many: int


def end_problems(first: date | None, until: date | None, *, counted: bool, ended: bool) -> list[Problem]:
    """Checks how a recurrence ends. `counted`: a number of repetitions was sent; `ended`: an end date was sent."""
    problems = []
    if counted and ended:
        sentence = "Send either an end date or a number of repetitions, not both."
        problems += [Problem("repeat_until", sentence), Problem("nr_of_repetitions", sentence)]
    if first and until and until < first:
        problems.append(Problem("repeat_until", "The repeat until must be a date on or after first date."))
    return problems


def first_date_problems(first: date | None, today: date, stored: date | None) -> list[Problem]:
    """Checks that the date is in the future. An update may keep the stored date even if it has passed."""
    if first is None or first > today or first == stored:
        return []
    return [Problem("first_date", f"The first date must be a date after {today}.")]
