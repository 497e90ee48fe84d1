"""Limits the large work of each user to a share of the time, as long as other users are active."""

from collections.abc import Hashable
from time import monotonic

from .line import ANYBODY, Asker

# Up to this many seconds of large work, users need no rest. Beyond that, large work gets only this share of the time.
_FREE_S = 1.0
_PART = 1 / 3
# At most this many seconds are counted, so that nobody rests for more than a few seconds.
_COUNTED_S_MAX = 3.0
# Other users are considered active if they made a request within this many seconds.
_THERE_S = 2.0
_REMEMBERED_MAX = 1000


class Rests:
    """Makes users rest after large work, so that requests of other users rarely have to wait for it.

    Taking turns is not enough, because nobody else gets a turn while a piece of work runs.
    """

    def __init__(self) -> None:
        self._asked_at: dict[Hashable, float] = {}
        # For each user, the seconds of large work for which others still get a rest, and when that was computed.
        self._had: dict[Hashable, tuple[float, float]] = {}

    def note_request(self, asker: Asker) -> None:
        if asker is ANYBODY:
            return
        if len(self._asked_at) >= _REMEMBERED_MAX:
            self._asked_at.clear()
        self._asked_at[asker.user] = monotonic()

    def add(self, user: Hashable, seconds: float) -> None:
        if len(self._had) >= _REMEMBERED_MAX:
            self._had.clear()
        self._had[user] = (min(self._drained(user) + seconds, _COUNTED_S_MAX), monotonic())

    def is_resting(self, user: Hashable) -> bool:
        return self._drained(user) > _FREE_S and self._has_company(user)

    def _drained(self, user: Hashable) -> float:
        had, since = self._had.get(user, (0.0, 0.0))
        return max(0.0, had - (monotonic() - since) * _PART)

    def _has_company(self, user: Hashable) -> bool:
        since = monotonic() - _THERE_S
        return any(at > since and other != user for other, at in self._asked_at.items())
