"""On which days does a repetition plan something? Anchored at its first date, in phase with its skip."""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from itertools import islice

from .weekend import Weekend

LAST_DAY = date(9998, 12, 31)
LAST = "last"
_WEEK = 7


class RepetitionType(StrEnum):
    DAILY = "daily"
    WEEKLY = "weekly"
    NDOM = "ndom"
    MONTHLY = "monthly"
    YEARLY = "yearly"


class BadMoment(ValueError):
    """The message says what the moment of this type must be."""


@dataclass(frozen=True)
class Repetition:
    """`moment` has been checked: see `moment_problem`."""

    type: RepetitionType
    moment: str
    skip: int
    weekend: Weekend

    def planned(self, first: date, start: date | None = None) -> Iterator[date]:
        """The planned days from `start` on (or all): number zero is the first one on or after `first`."""
        step = self.skip + 1
        if self.type in (RepetitionType.DAILY, RepetitionType.WEEKLY):
            yield from self._by_days(first, max(start or first, first))
        else:
            numbered = islice(self._candidates(first), 0, None, step)
            yield from (day for day in numbered if start is None or day >= start)

    def _by_days(self, first: date, start: date) -> Iterator[date]:
        length = self.skip + 1
        zero = first
        if self.type == RepetitionType.WEEKLY:
            length *= _WEEK
            zero += timedelta(days=(int(self.moment) - first.isoweekday()) % _WEEK)
        ordinal = zero.toordinal()
        ordinal += max(0, -(-(start.toordinal() - ordinal) // length)) * length
        while ordinal <= LAST_DAY.toordinal():
            yield date.fromordinal(ordinal)
            ordinal += length

    def _candidates(self, first: date) -> Iterator[date]:
        """One for each month or year that has one, without skip."""
        if self.type == RepetitionType.YEARLY:
            moment = date.fromisoformat(self.moment)
            years = range(first.year, LAST_DAY.year + 1)
            found: Iterator[date] = (_clamped(year, moment.month, moment.day) for year in years)
        else:
            months = range(first.year * 12 + first.month - 1, (LAST_DAY.year + 1) * 12)
            found = (day for month in months if (day := self._in_month(month // 12, month % 12 + 1)))
        return (day for day in found if day >= first)

    def _in_month(self, year: int, month: int) -> date | None:
        if self.type == RepetitionType.MONTHLY:
            return _clamped(year, month, 31 if self.moment == LAST else int(self.moment))
        place, weekday = self.moment.split(",")
        return nth_weekday(year, month, place, int(weekday))

    def lands_never(self, first: date) -> bool:
        """Dropped on every weekend, and never on another day."""
        if self.weekend != Weekend.DROP:
            return False
        if self.type == RepetitionType.WEEKLY:
            return int(self.moment) > 5
        if self.type == RepetitionType.NDOM:
            return int(self.moment.split(",")[1]) > 5
        return self.type == RepetitionType.DAILY and (self.skip + 1) % _WEEK == 0 and first.isoweekday() > 5


def _clamped(year: int, month: int, day: int) -> date:
    """The 31st of a short month is its last day; 29 February is the 28th in other years."""
    return date(year, month, min(day, monthrange(year, month)[1]))


def nth_weekday(year: int, month: int, place: str, weekday: int) -> date | None:
    """The second Tuesday, say; a fifth exists only in some months, a last one in all."""
    days = monthrange(year, month)[1]
    first = 1 + (weekday - date(year, month, 1).isoweekday()) % _WEEK
    if place == LAST:
        return date(year, month, first + (days - first) // _WEEK * _WEEK)
    day = first + (int(place) - 1) * _WEEK
    return date(year, month, day) if day <= days else None


def moment_problem(type_: RepetitionType, moment: str) -> str | None:
    """What the moment must be, when it is not."""
    match type_:
        case RepetitionType.DAILY:
            return None if not moment else "must be empty for a daily repetition"
        case RepetitionType.WEEKLY:
            return None if _whole(moment, 1, 7) else "must be a day of the week, 1 (Monday) to 7 (Sunday)"
        case RepetitionType.MONTHLY:
            fits = moment == LAST or _whole(moment, 1, 31)
            return None if fits else "must be a day of the month, 1 to 31, or last"
        case RepetitionType.NDOM:
            place, _, weekday = moment.partition(",")
            fits = (place.strip() == LAST or _whole(place, 1, 5)) and _whole(weekday, 1, 7)
            return None if fits else "must be a week of the month, 1 to 5 or last, a comma, and a weekday, 1 to 7"
        case RepetitionType.YEARLY:
            return None if _is_day(moment) else "must be a date, YYYY-MM-DD; its year does not count"


def tidy_moment(moment: str) -> str:
    """`2, 3` and `02` are kept as `2,3` and `2`."""
    parts = [part.strip() for part in moment.split(",")]
    return ",".join(str(int(part)) if part.isdigit() else part for part in parts)


def _whole(text: str, least: int, most: int) -> bool:
    text = text.strip()
    return text.isascii() and text.isdigit() and len(text) <= 4 and least <= int(text) <= most


def _is_day(text: str) -> bool:
    try:
        return len(text) == 10 and bool(date.fromisoformat(text))
    except ValueError:
        return False
