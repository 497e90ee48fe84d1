"""Remembers which requests keep the event loop busy for long, so that they run in a thread."""

from collections.abc import Hashable
from time import monotonic

# What a page of some hundred objects takes. A write costs more in a thread, because it empties the other connection's
# page cache.
HEAVY_S, HEAVY_WRITE_S = 0.005, 0.01
_KEEP_S = 60.0
_ENTRIES_MAX = 10_000


class Heaviness:
    """Works by user and route, because the cost of a route depends on the user's books and on the query.

    A route becomes heavy with its second slow request within a minute: the first one of a process also fills caches.
    """

    def __init__(self) -> None:
        self._slow_until: dict[tuple[Hashable, str], float] = {}
        self._heavy_until: dict[tuple[Hashable, str], float] = {}

    def note(self, user: Hashable, route: str, cpu_s: float, *, writes: bool) -> None:
        if cpu_s <= (HEAVY_WRITE_S if writes else HEAVY_S):
            return
        if len(self._slow_until) >= _ENTRIES_MAX:
            self._slow_until.clear()
            self._heavy_until.clear()
        now = monotonic()
        if self._slow_until.get((user, route), 0.0) > now:
            self._heavy_until[user, route] = now + _KEEP_S
        self._slow_until[user, route] = now + _KEEP_S

    def is_heavy(self, user: Hashable, route: str) -> bool:
        return self._heavy_until.get((user, route), 0.0) > monotonic()
