"""Where does a planned day land? Saturdays and Sundays may be kept, dropped or moved."""

from datetime import date, timedelta
from enum import IntEnum

_FRIDAY, _SATURDAY = 5, 6
# A planned day lands at most so many days away.
REACH = timedelta(days=2)


class Weekend(IntEnum):
    KEEP = 1
    DROP = 2
    FRIDAY = 3
    MONDAY = 4


def landed(planned: date, weekend: Weekend) -> date | None:
    """None when the day is dropped."""
    weekday = planned.isoweekday()
    if weekday < _SATURDAY or weekend == Weekend.KEEP:
        return planned
    if weekend == Weekend.DROP:
        return None
    if weekend == Weekend.FRIDAY:
        return planned - timedelta(days=weekday - _FRIDAY)
    return planned + timedelta(days=8 - weekday)
