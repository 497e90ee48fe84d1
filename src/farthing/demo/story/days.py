"""Counts months back and finds bank working days."""

from collections.abc import Iterator
from datetime import date, timedelta

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)
_DAY = timedelta(days=1)


def each_day(first: date, last: date) -> Iterator[date]:
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)


def month_back(day: date, months: int) -> date:
    """The first day of the month that lies this many months back."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, 1)


def months_between(earlier: date, later: date) -> int:
    return (later.year - earlier.year) * 12 + later.month - earlier.month


def month_end(day: date) -> date:
    return month_back(day, -1) - _DAY


def falls_on(day: date, planned: int) -> bool:
    """Whether something planned for that day of the month is booked today. Weekends move to Monday."""
    return _working_from(day.replace(day=planned)) == day


def is_payday(day: date, planned: int | None = None) -> bool:
    """Weekends move to Friday. Without a planned day, it is the last working day of the month."""
    return _working_until(day.replace(day=planned) if planned else month_end(day)) == day


def weekday_from(day: date, weekday: int) -> date:
    """The first such weekday on or after the day."""
    return day + timedelta(days=(weekday - day.weekday()) % 7)


def _working_from(day: date) -> date:
    return weekday_from(day, MONDAY) if day.weekday() >= SATURDAY else day


def _working_until(day: date) -> date:
    return day - timedelta(days=max(0, day.weekday() - FRIDAY))
