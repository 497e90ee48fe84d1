"""Counts uploads against the quota while they arrive, because they already take room in memory and on disk.

Each server process counts its own.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from farthing.kernel.errors import OverQuota, TooMany
from farthing.storage.quotas import Quotas

# The most that one user may have in one server process.
UPLOADS_MAX = 32
# Without a quota, this many files of the largest size may be unfinished.
_FILES_MAX = 4
_RETRY_S = 5


class _Arriving(Struct):
    uploads: int = 0
    bytes: int = 0


class Room(Struct):
    """Measures the room for one upload, which it shares with the other uploads of its user."""

    arriving: _Arriving
    quotas: Quotas | None
    bytes_max: int
    taken: int = 0

    def take(self, size: int) -> None:
        """Takes room for bytes that have arrived, before anything is done with them. Raises OverQuota or TooMany."""
        if self.arriving.bytes + size > self.bytes_max:
            self._refuse()
        self.arriving.bytes += size
        self.taken += size

    def _refuse(self) -> None:
        if self.quotas is None or self.quotas.content_bytes_max is None:
            raise TooMany("Your other uploads are not finished. Try again when they are.", _RETRY_S)
        raise OverQuota(
            f"This is over the quota for attachments: {self.quotas.content_bytes_max} bytes are allowed,"
            f" {self.quotas.content_bytes} are in use, and unfinished uploads count as well."
        )


class UnfinishedUploads:
    def __init__(self, file_bytes_max: int) -> None:
        self._file_bytes_max = file_bytes_max
        # By user id, as long as the user has uploads.
        self._arriving: dict[int, _Arriving] = {}

    @contextmanager
    def admit(self, user_id: int, quotas: Quotas | None) -> Iterator[Room]:
        """Counts what arrives until the upload has ended. Raises TooMany."""
        arriving = self._arriving.setdefault(user_id, _Arriving())
        if arriving.uploads >= UPLOADS_MAX:
            raise TooMany(f"At most {UPLOADS_MAX} files may be uploaded at once.", _RETRY_S)
        room = Room(arriving, quotas, self._measure(quotas))
        arriving.uploads += 1
        try:
            yield room
        finally:
            arriving.uploads -= 1
            arriving.bytes -= room.taken
            if not arriving.uploads:
                self._arriving.pop(user_id, None)

    def _measure(self, quotas: Quotas | None) -> int:
        """Measures what is left of the quota. One file always fits, because it may replace a stored one."""
        most = quotas.content_bytes_max if quotas else None
        if quotas is None or most is None:
            return _FILES_MAX * self._file_bytes_max
        return max(most - quotas.content_bytes, min(most, self._file_bytes_max))
