"""How is it told that the database or a disk fails? Once when it begins and once when it is over, not each time."""

import logging
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from ..errors import Damaged, Unavailable

_LOG = logging.getLogger("farthing.storage")
_TO_DO = "Stop the server, see what `farthing doctor` finds, and restore the last backup."
# What comes and goes, such as a disk that is nearly full, is told so often at most.
_TOLD_EVERY_S = 60.0
_LOOK_EVERY_S = 1.0

Begun = TypeVar("Begun")


def begun_patiently(who: str, begin: Callable[[], Begun], pause: Callable[[float], object] = time.sleep) -> Begun:
    """Who takes the place of another waits for the database: else they would end, be started again, and so on."""
    is_told = False
    while True:
        try:
            return begin()
        except Unavailable as error:
            if not is_told:
                _LOG.error("%s waits for the database: %s", who, error)
            is_told = True
            pause(_LOOK_EVERY_S)


class Outages:
    """`what` is what is tried: reading may work while writing does not."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._failed: dict[tuple[str, type[Unavailable]], int] = {}
        self._told_at: dict[tuple[str, type[Unavailable]], float] = {}
        # It stays until the server ends: whatever still works lies beside the damage.
        self.damage: Damaged | None = None

    def note(self, what: str, error: Unavailable) -> None:
        if isinstance(error, Damaged):
            self._note_damage(what, error)
            return
        with self._lock:
            key, now = (what, type(error)), time.monotonic()
            count = self._failed[key] = self._failed.get(key, 0) + 1
            if count > 1 or now < self._told_at.get(key, now):
                return
            self._told_at[key] = now + _TOLD_EVERY_S
        _LOG.error("%s fails, and does so until this has passed: %s", what, error)

    def _note_damage(self, what: str, error: Damaged) -> None:
        with self._lock:
            is_told, self.damage = self.damage is not None, self.damage or error
        if not is_told:
            _LOG.error("%s fails: %s %s", what, error, _TO_DO)

    def passed(self, what: str) -> None:
        """Called after everything that went well: costs nothing while all is well."""
        if not self._failed:
            return
        with self._lock:
            counts = [self._failed.pop(key) for key in list(self._failed) if key[0] == what]
        if counts:
            _LOG.warning("%s works again; it had failed %d times", what, sum(counts))
