"""Logs an outage of the database or a disk: once when it begins, and once when it ends."""

import logging
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from farthing.kernel.errors import Damaged, Unavailable

_LOG = logging.getLogger("farthing.storage")
_TO_DO = "Stop the server, see what `farthing doctor` finds, and restore the last backup."
# An error that comes and goes, such as a nearly full disk, is logged at most this often.
_LOG_EVERY_S = 60.0
_LOOK_EVERY_S = 1.0

Result = TypeVar("Result")


def wait_for_database(who: str, begin: Callable[[], Result], pause: Callable[[float], object] = time.sleep) -> Result:
    """Retries `begin` until the database answers. If the process ended instead, it would be restarted repeatedly."""
    is_logged = False
    while True:
        try:
            return begin()
        except Unavailable as error:
            if not is_logged:
                _LOG.error("%s waits for the database: %s", who, error)
            is_logged = True
            pause(_LOOK_EVERY_S)


class Outages:
    """Remembers which operations fail at the moment. They are named, because reading may work while writing fails."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._failed: dict[tuple[str, type[Exception]], int] = {}
        self._logged_at: dict[tuple[str, type[Exception]], float] = {}
        # Stays set until the server ends: other operations may still work on a damaged database.
        self.damage: Damaged | None = None

    def note(self, what: str, error: Exception) -> None:
        if isinstance(error, Damaged):
            self._note_damage(what, error)
            return
        with self._lock:
            key, now = (what, type(error)), time.monotonic()
            count = self._failed[key] = self._failed.get(key, 0) + 1
            if count > 1 or now < self._logged_at.get(key, now):
                return
            self._logged_at[key] = now + _LOG_EVERY_S
        _LOG.error("%s fails, and will fail until this is resolved: %s", what, error)

    def _note_damage(self, what: str, error: Damaged) -> None:
        with self._lock:
            is_logged, self.damage = self.damage is not None, self.damage or error
        if not is_logged:
            _LOG.error("%s fails: %s %s", what, error, _TO_DO)

    def note_success(self, what: str) -> None:
        """Ends the outage of an operation, if there is one. Very cheap, so it can be called after each success."""
        if not self._failed:
            return
        with self._lock:
            counts = [self._failed.pop(key) for key in list(self._failed) if key[0] == what]
        if counts:
            _LOG.warning("%s works again; it had failed %d times", what, sum(counts))
