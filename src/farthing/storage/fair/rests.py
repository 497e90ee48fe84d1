"""Keeps the large work of one user to a part of the time, as long as others are there."""

from collections.abc import Hashable
from time import monotonic

from .line import ANYBODY, Asker

# So many seconds of large work nobody has to rest for; beyond them it is kept to this part of the time.
_FREE_S = 1.0
_PART = 1 / 3
# No more is counted, so that nobody rests longer than some seconds.
_COUNTED_S_MAX = 3.0
# Others are there when they have asked for anything so lately.
_THERE_S = 2.0
_REMEMBERED_MAX = 1000


class Rests:
    """Turns alone let nobody else through while a piece of work runs. With rests, most requests meet none."""

    def __init__(self) -> None:
        self._asked_at: dict[Hashable, float] = {}
        # The seconds that each user has had, less what has drained since, and when that was.
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
