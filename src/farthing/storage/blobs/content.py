"""Describes a content by the hashes and the number of its bytes, and remembers which stored ones were verified."""

import hashlib
import re
from threading import Lock

from msgspec import Struct

PIECE_BYTES = 256 * 1024
# Downloads use larger pieces, because each piece costs two thread switches.
READ_BYTES = 1024 * 1024
_NAME = re.compile("[0-9a-f]{64}")


class Lost(Exception):
    """The content is missing, or is not the one that was stored."""


class Content(Struct, frozen=True):
    """The hashes and size of a content; hashes in lower-case hex."""

    sha256: str
    md5: str
    size: int


class StoredContent(Struct, frozen=True):
    """A content that is stored; `kept_at` is when it was stored or set aside, in seconds since 1970.

    `md5` is what the storage says of the bytes; None where only reading them can tell.
    """

    user_id: int
    sha256: str
    size: int
    kept_at: float
    md5: str | None = None


class Digest:
    """Hashes bytes as they pass."""

    def __init__(self) -> None:
        self._sha256 = hashlib.sha256()
        self._md5 = hashlib.md5(usedforsecurity=False)
        self.size = 0

    def add(self, piece: bytes | bytearray) -> None:
        self._sha256.update(piece)
        self._md5.update(piece)
        self.size += len(piece)

    def content(self) -> Content:
        return Content(sha256=self._sha256.hexdigest(), md5=self._md5.hexdigest(), size=self.size)


def is_name(sha256: str) -> bool:
    return _NAME.fullmatch(sha256) is not None


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
