"""Moves, keeps or drops planned days that are days off: Saturdays, Sundays and, optionally, holidays."""

from collections.abc import Callable
from datetime import date, timedelta
from enum import IntEnum

_SATURDAY = 6
_DAY = timedelta(days=1)
# The largest distance between a planned day and its landing day: without and with holidays.
REACH = timedelta(days=2)
REACH_OVER_HOLIDAYS = timedelta(days=14)

DayOff = Callable[[date], bool]


class Weekend(IntEnum):
    KEEP = 1
    DROP = 2
    FRIDAY = 3
    MONDAY = 4


def is_weekend(day: date) -> bool:
    return day.isoweekday() >= _SATURDAY


def never(_day: date) -> bool:
    return False


def land(planned: date, weekend: Weekend, is_holiday: DayOff = never) -> date | None:
    """Returns the day on which a planned day lands; None if it is dropped. Holidays are treated like weekends: FRIDAY
    means the working day before, MONDAY the working day after. If no working day is near enough, the day is kept.
    """
    if weekend == Weekend.KEEP or not (is_weekend(planned) or is_holiday(planned)):
        return planned
    if weekend == Weekend.DROP:
        return None
    step = -_DAY if weekend == Weekend.FRIDAY else _DAY
    day = planned + step
    while is_weekend(day) or is_holiday(day):
        if abs(day - planned) >= REACH_OVER_HOLIDAYS:
            return planned
        day += step
    return day
