"""Remembers what has kept the event loop busy for long, so that next time it runs in a thread."""

from collections.abc import Hashable
from time import monotonic

# The work of a page of some hundred objects. A write costs more in a thread, because it empties the other's page cache.
HEAVY_S, HEAVY_WRITE_S = 0.005, 0.01
_REMEMBERED_S = 60.0
_REMEMBERED_MAX = 10_000


class Heaviness:
    """By user and route: how much work a route is depends on the user's books and on what is asked for."""

    def __init__(self) -> None:
        self._until: dict[tuple[Hashable, str], float] = {}

    def note(self, user: Hashable, route: str, cpu_s: float, *, writes: bool) -> None:
        if cpu_s > (HEAVY_WRITE_S if writes else HEAVY_S):
            if len(self._until) >= _REMEMBERED_MAX:
                self._until.clear()
            self._until[user, route] = monotonic() + _REMEMBERED_S

    def is_heavy(self, user: Hashable, route: str) -> bool:
        return self._until.get((user, route), 0.0) > monotonic()
