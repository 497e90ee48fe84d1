"""Reads and shows days as points in time, because version 6 writes days with a time and an offset."""

from datetime import date, datetime, time
from functools import lru_cache
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from farthing.kernel import fields
from farthing.kernel.fields import FieldParser


class Sent(Struct, frozen=True):
    """Holds a day as it was written, and the point in time if an offset was written as well."""

    day: date
    at: datetime | None = None

    def on_day(self, zone: str) -> date:
        """Returns the day in a time zone. Without an offset, this is the written day."""
        if self.at is None:
            return self.day
        try:
            return self.at.astimezone(ZoneInfo(zone)).date()
        except OverflowError:
            return self.day


_day: Any
(_day,) = fields.Day.__metadata__  # type: ignore[attr-defined]


def _read(value: object) -> Sent:
    day: date = _day.read(value)
    try:
        at = datetime.fromisoformat(str(value).strip())
    except ValueError:
        return Sent(day)
    return Sent(day, at if at.tzinfo else None)


Moment = Annotated[
    Sent,
    FieldParser(
        _read,
        {
            "type": "string",
            "format": "date-time",
            "description": "A day or a point in time. A time with an offset is converted to the time zone of the user.",
        },
    ),
]


@lru_cache(maxsize=4096)
def show_day(day: str, zone: str) -> str:
    """Shows a day as its midnight in a time zone, with the offset that the zone has on that day."""
    return datetime.combine(date.fromisoformat(day), time(), ZoneInfo(zone)).isoformat()


@lru_cache(maxsize=256)
def show_end_of_day(day: str, zone: str) -> str:
    """Shows the last second of a day in a time zone."""
    return datetime.combine(date.fromisoformat(day), time(23, 59, 59), ZoneInfo(zone)).isoformat()
