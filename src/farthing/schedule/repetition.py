"""Computes the planned days of a repetition. Skipped periods are counted from the recurrence's first date."""

from calendar import day_name, month_name, monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from enum import StrEnum
from functools import cache, lru_cache
from itertools import islice

from msgspec import Struct

from .months import day_in_month, month_number
from .weekend import Weekend

FIRST_YEAR = 1000
LAST_DAY = date(9998, 12, 31)
LAST = "last"
_WEEK = 7
_CYCLE_YEARS = 400


class RepetitionType(StrEnum):
    DAILY = "daily"
    WEEKLY = "weekly"
    NDOM = "ndom"
    MONTHLY = "monthly"
    YEARLY = "yearly"


class Repetition(Struct, frozen=True):
    """A repetition with a valid `moment` (see `moment_problem`). If `holidays`, holidays are treated like weekends."""

    type: RepetitionType
    moment: str
    skip: int
    weekend: Weekend
    holidays: bool = False

    def planned(self, first: date, start: date | None = None) -> Iterator[date]:
        """Returns the planned days from `start` on, or all if `start` is None.

        Skips are counted from the first planned day on or after `first`. The first day to return is calculated, without
        iterating over all earlier days.
        """
        start = max(start or first, first)
        if self.type in (RepetitionType.DAILY, RepetitionType.WEEKLY):
            return self._by_days(first, start)
        if self.type == RepetitionType.NDOM and self.moment.startswith("5"):
            return self._by_cycles(first, start)
        return self._by_months(first, start)

    def plans(self, day: date, first: date) -> bool:
        if not (first <= day <= LAST_DAY and self._fits(day)):
            return False
        return self.skip == 0 or next(self.planned(first, day), None) == day

    def _fits(self, day: date) -> bool:
        """Checks whether the day would be planned if no periods were skipped."""
        match self.type:
            case RepetitionType.DAILY:
                return True
            case RepetitionType.WEEKLY:
                return day.isoweekday() == int(self.moment)
            case RepetitionType.YEARLY:
                return day.month == int(self.moment[5:7]) and day == self._in_month(month_number(day))
            case _:
                return day == self._in_month(month_number(day))

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

    def _by_months(self, first: date, start: date) -> Iterator[date]:
        """Yields a day of each month, or of the same month of each year."""
        length = 12 if self.type == RepetitionType.YEARLY else 1
        zero = first.year * 12 + (int(self.moment[5:7]) if length == 12 else first.month) - 1
        if self._of(zero) < first:
            zero += length
        step = length * (self.skip + 1)
        from_month = zero + max(0, (month_number(start) - zero) // step) * step
        days = (self._of(month) for month in range(from_month, (LAST_DAY.year + 1) * 12, step))
        return (day for day in days if day >= start)

    def _of(self, months: int) -> date:
        day = self._in_month(months)
        assert day is not None, "only a fifth weekday may be missing"
        return day

    def _by_cycles(self, first: date, start: date) -> Iterator[date]:
        """Yields fifth weekdays, which only some months have. The calendar repeats in cycles of 400 years."""
        cycles = (start.year - first.year) // _CYCLE_YEARS
        passed = cycles * _fifths_in_cycle(int(self.moment.split(",")[1])) if cycles else 0
        shifted = first.replace(year=first.year + cycles * _CYCLE_YEARS)
        months = range(month_number(shifted), (LAST_DAY.year + 1) * 12)
        fifths = (day for month in months if (day := self._in_month(month)) and day >= shifted)
        step = self.skip + 1
        return (day for day in islice(fifths, -passed % step, None, step) if day >= start)

    def _in_month(self, months: int) -> date | None:
        if self.type == RepetitionType.MONTHLY:
            return day_in_month(months, 31 if self.moment == LAST else int(self.moment))
        if self.type == RepetitionType.YEARLY:
            return day_in_month(months, int(self.moment[8:10]))
        week, weekday = self.moment.split(",")
        return nth_weekday(months // 12, months % 12 + 1, week, int(weekday))


@lru_cache(maxsize=10_000)
def nth_weekday(year: int, month: int, week: str, weekday: int) -> date | None:
    """Finds a day of a month such as the second Tuesday. Returns None for a fifth weekday that the month lacks."""
    days = monthrange(year, month)[1]
    first = 1 + (weekday - date(year, month, 1).isoweekday()) % _WEEK
    if week == LAST:
        return date(year, month, first + (days - first) // _WEEK * _WEEK)
    day = first + (int(week) - 1) * _WEEK
    return date(year, month, day) if day <= days else None


@cache
def _fifths_in_cycle(weekday: int) -> int:
    months = range(_CYCLE_YEARS * 12)
    return sum(nth_weekday(2000 + month // 12, month % 12 + 1, "5", weekday) is not None for month in months)


def moment_problem(type_: RepetitionType, moment: str) -> str | None:
    """Returns what the moment should be, as the end of a sentence, if it is invalid; otherwise None."""
    match type_:
        case RepetitionType.DAILY:
            return None if not moment else "must be empty for a daily repetition"
        case RepetitionType.WEEKLY:
            return None if _is_whole_number(moment, 1, 7) else "must be a day of the week, 1 (Monday) to 7 (Sunday)"
        case RepetitionType.MONTHLY:
            fits = moment == LAST or _is_whole_number(moment, 1, 31)
            return None if fits else "must be a day of the month, 1 to 31, or last"
        case RepetitionType.NDOM:
            week, _, weekday = moment.partition(",")
            fits = (week.strip() == LAST or _is_whole_number(week, 1, 5)) and _is_whole_number(weekday, 1, 7)
            return None if fits else "must be a week of the month, 1 to 5 or last, a comma, and a weekday, 1 to 7"
        case RepetitionType.YEARLY:
            return None if _is_day(moment) else "must be a date, YYYY-MM-DD; its year is ignored"


def tidy_moment(moment: str) -> str:
    """Normalizes `2, 3` and `02` to `2,3` and `2`."""
    parts = [part.strip() for part in moment.split(",")]
    return ",".join(str(int(part)) if part.isdigit() else part for part in parts)


def _is_whole_number(text: str, least: int, most: int) -> bool:
    text = text.strip()
    return text.isascii() and text.isdigit() and len(text) <= 4 and least <= int(text) <= most


def _is_day(text: str) -> bool:
    try:
        return len(text) == 10 and bool(date.fromisoformat(text))
    except ValueError:
        return False


@lru_cache(maxsize=1000)
def in_words(repetition: Repetition) -> str:
    match repetition.type:
        case RepetitionType.DAILY:
            return "Every day"
        case RepetitionType.WEEKLY:
            return f"Every week on {day_name[int(repetition.moment) - 1]}"
        case RepetitionType.MONTHLY if repetition.moment == LAST:
            return "Every month on the last day"
        case RepetitionType.MONTHLY:
            return f"Every month on the {repetition.moment}(st/nd/rd/th) day"
        case RepetitionType.NDOM:
            week, weekday = repetition.moment.split(",")
            which = LAST if week == LAST else f"{week}(st/nd/rd/th)"
            return f"Every month on the {which} {day_name[int(weekday) - 1]}"
        case RepetitionType.YEARLY:
            month, day = int(repetition.moment[5:7]), int(repetition.moment[8:10])
            return f"Every year on {month_name[month]} {day}"
