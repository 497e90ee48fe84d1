"""Counts months back and finds bank working days."""

from collections.abc import Iterator
from datetime import date, timedelta

MONDAY, TUESDAY, THURSDAY, FRIDAY, SATURDAY = 0, 1, 3, 4, 5
_DAY = timedelta(days=1)


def each_day(first: date, last: date) -> Iterator[date]:
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)


def month_back(day: date, months: int) -> date:
    """Returns the first day of the month that lies this many months back."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, 1)


def months_between(earlier: date, later: date) -> int:
    return (later.year - earlier.year) * 12 + later.month - earlier.month


def month_end(day: date) -> date:
    return month_back(day, -1) - _DAY


def falls_on(day: date, planned: int, rule: str = "after") -> bool:
    """Tells whether a payment planned for that day of the month is booked today.

    Weekends move to the Monday after or the Friday before; other rules name the exact day or its next weekday.
    """
    planned_on = day.replace(day=min(planned, month_end(day).day))
    match rule:
        case "before":
            return planned_on - timedelta(days=max(0, planned_on.weekday() - FRIDAY)) == day
        case "exactly":
            return planned_on == day
        case "Tuesday":
            return weekday_from(planned_on, TUESDAY) == day
        case "Thursday":
            return weekday_from(planned_on, THURSDAY) == day
    return (weekday_from(planned_on, MONDAY) if planned_on.weekday() >= SATURDAY else planned_on) == day


def weekday_from(day: date, weekday: int) -> date:
    """Returns the first such weekday on or after the day."""
    return day + timedelta(days=(weekday - day.weekday()) % 7)
