"""What time is it? The only reader of the wall clock; everything else is handed `now` and `today`."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo


def wall_clock() -> datetime:
    return datetime.now(UTC)


def clock_file(path: Path) -> Callable[[], datetime]:
    """A clock that tests move by writing an ISO date-time into a file."""
    return lambda: datetime.fromisoformat(path.read_text().strip()).astimezone(UTC)


@dataclass(frozen=True)
class Clock:
    read: Callable[[], datetime] = wall_clock

    def now(self) -> datetime:
        return self.read()


def stamp(now: datetime) -> str:
    """An instant as it is stored and shown: ISO 8601, whole seconds, UTC, `+00:00`."""
    return _stamp_of((now - _EPOCH) // _SECOND)


_EPOCH, _SECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(seconds=1)


@lru_cache(maxsize=16)
def _stamp_of(second: int) -> str:
    """Many requests come in one second."""
    return (_EPOCH + second * _SECOND).isoformat()


def moved(at: str, by: timedelta) -> str:
    """The stamp so much later, or earlier."""
    return stamp(datetime.fromisoformat(at) + by)


class Alarm:
    """Rings until it is set, and again when the time is over; a clock that is set back puts nothing off."""

    def __init__(self) -> None:
        self._silent: tuple[datetime, datetime] | None = None

    def set(self, now: datetime, after: timedelta) -> None:
        self._silent = now, now + after

    def rings(self, now: datetime) -> bool:
        return self._silent is None or not self._silent[0] <= now < self._silent[1]


def today_in(zone: str, now: datetime) -> date:
    return now.astimezone(ZoneInfo(zone)).date()


def is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        return False
    return True


def machine_zone(environ: Mapping[str, str], etc: Path = Path("/etc")) -> str:
    """Where this machine is, as far as it says so by a name that everybody knows; else UTC."""
    given = environ.get("TZ", "").strip()
    names = [given.removeprefix(":")] if given else _zones_in(etc)  # a TZ that has no name is still another than /etc's
    found = (_plain(name) for name in names)
    return next((name for name in found if is_zone(name)), _UTC)


def _zones_in(etc: Path) -> Iterator[str]:
    with suppress(OSError):
        yield str((etc / "localtime").readlink())
        yield str((etc / "localtime").resolve())
    with suppress(OSError, ValueError):
        yield (etc / "timezone").read_text().strip()


_UTC = "UTC"
# Variants of all zones, with and without leap seconds; nobody calls them so.
_VARIANTS = ("posix/", "right/")


def _plain(name: str) -> str:
    """`/usr/share/zoneinfo/Europe/Berlin` is called Europe/Berlin."""
    plain = name.rpartition("/zoneinfo/")[2]
    for variant in _VARIANTS:
        plain = plain.removeprefix(variant)
    return _UTC if plain == "Etc/UTC" else plain
