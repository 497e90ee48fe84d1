"""Remembers which work has kept the event loop busy, so that it runs in a thread next time."""

from collections.abc import Hashable
from time import monotonic

# What a page of some hundred objects takes. A write costs more in a thread, because it empties the other connection's
# page cache.
HEAVY_S, HEAVY_WRITE_S = 0.005, 0.01
_KEEP_S = 60.0
_ENTRIES_MAX = 10_000


class Heaviness:
    """Remembers by user and route, because the work depends on the user's books and on the query."""

    def __init__(self) -> None:
        self._until: dict[tuple[Hashable, str], float] = {}

    def note(self, user: Hashable, route: str, cpu_s: float, *, writes: bool) -> None:
        if cpu_s > (HEAVY_WRITE_S if writes else HEAVY_S):
            if len(self._until) >= _ENTRIES_MAX:
                self._until.clear()
            self._until[user, route] = monotonic() + _KEEP_S

    def is_heavy(self, user: Hashable, route: str) -> bool:
        return self._until.get((user, route), 0.0) > monotonic()
