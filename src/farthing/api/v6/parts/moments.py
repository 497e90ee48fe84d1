"""Shows days as points in time, because version 6 writes days with a time and an offset."""

from datetime import date, datetime, time
from functools import lru_cache
from zoneinfo import ZoneInfo


@lru_cache(maxsize=4096)
def show_day(day: str, zone: str) -> str:
    """Shows a day as its midnight in a time zone, with the offset that the zone has on that day."""
    return datetime.combine(date.fromisoformat(day), time(), ZoneInfo(zone)).isoformat()


@lru_cache(maxsize=256)
def show_end_of_day(day: str, zone: str) -> str:
    """Shows the last second of a day in a time zone."""
    return datetime.combine(date.fromisoformat(day), time(23, 59, 59), ZoneInfo(zone)).isoformat()
