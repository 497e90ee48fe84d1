"""Reads the clock. All other code receives `now` and `today` as arguments."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

from msgspec import Struct


def wall_clock() -> datetime:
    return datetime.now(UTC)


def clock_file(path: Path) -> Callable[[], datetime]:
    """Returns a clock for tests, which reads an ISO date-time from a file. Tests set the time by writing this file."""
    return lambda: datetime.fromisoformat(path.read_text().strip()).astimezone(UTC)


class Clock(Struct, frozen=True):
    read: Callable[[], datetime] = wall_clock

    def now(self) -> datetime:
        return self.read()


def stamp(now: datetime) -> str:
    """Writes an instant as it is stored and shown: in ISO 8601 with whole seconds, in UTC, ending in `+00:00`."""
    return _stamp_of((now - _EPOCH) // _SECOND)


_EPOCH, _SECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(seconds=1)


@lru_cache(maxsize=16)
def _stamp_of(second: int) -> str:
    """Writes the instant. The text is cached, because many requests arrive in the same second."""
    return (_EPOCH + second * _SECOND).isoformat()


def shift(at: str, by: timedelta) -> str:
    """Adds a duration, which may be negative, to a stamp."""
    return stamp(datetime.fromisoformat(at) + by)


class Alarm:
    """Rings until it is set, and again after the duration for which it was set. Also rings if the clock is moved back
    to a time before `set` was called."""

    def __init__(self) -> None:
        self._silent: tuple[datetime, datetime] | None = None

    def set(self, now: datetime, after: timedelta) -> None:
        self._silent = now, now + after

    def rings(self, now: datetime) -> bool:
        return self._silent is None or not self._silent[0] <= now < self._silent[1]


def today_in(zone: str, now: datetime) -> date:
    return now.astimezone(ZoneInfo(zone)).date()
