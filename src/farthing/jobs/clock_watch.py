"""Finds out since when nobody has set the clock forward or back; survives restarts."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

from farthing.kernel.clock import stamp
from farthing.storage import installation
from farthing.storage.installation import CLOCK, Checkup
from farthing.storage.unit import Unit

# Allowed drift between two looks; network time corrections are smaller.
_DRIFT_MAX = timedelta(minutes=1)
# A server that was stopped for longer cannot tell whether the clock was set meanwhile.
_GAP_MAX = timedelta(days=1)


def measure_time() -> float:
    """Reads a clock in seconds that nobody can set, if possible one that also runs while the machine sleeps."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class ClockWatch:
    def __init__(self, measure: Callable[[], float]) -> None:
        self._measure = measure
        self._last: tuple[datetime, float] | None = None
        # None until it is known whether the stored time is still valid.
        self._since: datetime | None = None

    def look(self, now: datetime) -> None:
        measured = self._measure()
        if self._last:
            passed = timedelta(seconds=measured - self._last[1])
            if abs(now - self._last[0] - passed) > _DRIFT_MAX:
                self._since = now
        self._last = now, measured

    def store(self, db: Unit) -> str:
        """Stores and returns the time since when the clock has been steady."""
        assert self._last is not None, "looked at before"
        now = self._last[0]
        self._since = self._since or _load(db, now) or now
        installation.store_checkup(db, CLOCK, Checkup(at=stamp(now), problems=0, note=stamp(self._since)))
        return stamp(self._since)


def _load(db: Unit, now: datetime) -> datetime | None:
    checkup = installation.load_checkups(db).get(CLOCK)
    if (
        checkup is None
        or checkup.note is None
        or not timedelta() <= now - datetime.fromisoformat(checkup.at) <= _GAP_MAX
    ):
        return None
    return datetime.fromisoformat(checkup.note)
