"""Remembers which stored contents were compared with their hash, as long as nothing tells that they have changed."""

from threading import Lock

# Some 4 MB of memory. Whatever is forgotten is compared again.
_MOST = 20_000


class Verified:
    """`stamp` is what the storage tells of an object without reading it, and what another object would not have."""

    def __init__(self) -> None:
        self._stamps: dict[tuple[int, str], object] = {}
        self._lock = Lock()

    def has(self, user_id: int, sha256: str, stamp: object) -> bool:
        return self._stamps.get((user_id, sha256)) == stamp

    def add(self, user_id: int, sha256: str, stamp: object) -> None:
        with self._lock:
            if len(self._stamps) >= _MOST:
                del self._stamps[next(iter(self._stamps))]
            self._stamps[user_id, sha256] = stamp
