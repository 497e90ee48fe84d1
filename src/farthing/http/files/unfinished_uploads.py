"""Counts uploads against the quota while they arrive, because they already take up memory and disk space.

Each server process counts only the uploads that it receives itself.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from farthing.kernel.errors import OverQuota, TooMany
from farthing.storage.quotas import Quotas

# How many uploads one user may have at the same time in one server process.
UPLOADS_MAX = 32
# Without a quota, this many files of the largest size may be unfinished.
_FILES_MAX = 4
_RETRY_S = 5


class _Arriving(Struct):
    uploads: int = 0
    bytes: int = 0


class Room(Struct):
    """Counts the bytes of one upload. `bytes_max` limits all unfinished uploads of its user together."""

    arriving: _Arriving
    quotas: Quotas | None
    bytes_max: int
    taken: int = 0

    def take(self, size: int) -> None:
        """Counts bytes that have arrived. Raises OverQuota or TooMany, so call it before the bytes are stored."""
        if self.arriving.bytes + size > self.bytes_max:
            self._refuse()
        self.arriving.bytes += size
        self.taken += size

    def _refuse(self) -> None:
        if self.quotas is None or self.quotas.content_bytes_max is None:
            raise TooMany("Your other uploads are not finished. Try again when they are.", _RETRY_S)
        raise OverQuota(
            f"This is over the quota for attachments: {self.quotas.content_bytes_max} bytes are allowed,"
            f" {self.quotas.content_bytes} are in use, and your unfinished uploads are added to that."
        )


class UnfinishedUploads:
    def __init__(self, file_bytes_max: int) -> None:
        self._file_bytes_max = file_bytes_max
        # By user id, as long as the user has uploads.
        self._arriving: dict[int, _Arriving] = {}

    @contextmanager
    def admit(self, user_id: int, quotas: Quotas | None) -> Iterator[Room]:
        """Counts an upload until it has ended. Raises TooMany if the user has too many unfinished uploads."""
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
        """Returns how many bytes may be unfinished: what remains of the quota, but always enough for one file.

        One file is always accepted at this stage, because it may replace a stored one.
        """
        most = quotas.content_bytes_max if quotas else None
        if quotas is None or most is None:
            return _FILES_MAX * self._file_bytes_max
        return max(most - quotas.content_bytes, min(most, self._file_bytes_max))
