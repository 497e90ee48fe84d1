"""Describes the contents of attachments by hash and size, remembers which were verified, and receives uploads."""

import errno
import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import BinaryIO, TypeVar

from msgspec import Struct

from farthing.kernel.errors import ContentsUnavailable, DiskFull, ReadOnly, Unavailable

PIECE_BYTES = 256 * 1024
# Downloads use larger pieces, because each piece costs two thread switches.
READ_BYTES = 1024 * 1024
_NAME = re.compile("[0-9a-f]{64}")


class Lost(Exception):
    """Raised when the content of an attachment is missing in the storage, or damaged."""


class Content(Struct, frozen=True):
    """Identifies the content of an attachment by its hashes, in lower-case hex, and its size in bytes."""

    sha256: str
    md5: str
    size: int


class StoredContent(Struct, frozen=True):
    """Describes the stored content of an attachment.

    `kept_at` is the time when it was stored, or set aside for deletion, in seconds since 1970.

    `md5` is the hash that the storage reports, or None if the hash can only be found by reading the content.
    """

    user_id: int
    sha256: str
    size: int
    kept_at: float
    md5: str | None = None


class Digest:
    """Computes the hashes and the size of a file from its pieces, which are added one after the other."""

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


# How many verified contents are remembered, in some 4 MB of memory. Forgotten ones are verified again.
_MOST = 20_000


class Verified:
    """Remembers which contents were verified, so that they are not read again until they change.

    `stamp` identifies an object by metadata that the storage reports without reading its content.
    """

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


T = TypeVar("T")
Keep = Callable[[BinaryIO, int, Content], None]
_KINDS = {errno.ENOSPC: DiskFull, errno.EDQUOT: DiskFull, errno.EROFS: ReadOnly}


class Incoming:
    """Receives an upload in a temporary file.

    `keep` stores the complete file for a user. `remove` deletes the temporary file if it still exists.
    """

    def __init__(self, file: BinaryIO, keep: Keep, remove: Callable[[], None]) -> None:
        self._file = file
        self._keep = keep
        self._remove = remove
        self._digest = Digest()

    @property
    def size(self) -> int:
        return self._digest.size

    def write(self, piece: bytes | bytearray) -> None:
        with translate_disk_errors():
            self._file.write(piece)
        self._digest.add(piece)

    def look(self, examine: Callable[[BinaryIO], T]) -> T:
        with translate_disk_errors():
            self._file.seek(0)
            return examine(self._file)

    def content(self) -> Content:
        return self._digest.content()

    def keep(self, user_id: int) -> None:
        """Stores the content for a user, and replaces a damaged copy. After that, the content survives a power cut."""
        with translate_disk_errors():
            self._file.flush()
            self._keep(self._file, user_id, self.content())

    def discard(self) -> None:
        """Deletes the temporary file. Always call this at the end, also after `keep`."""
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            self._remove()


@contextmanager
def translate_disk_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        kind: type[Unavailable] = _KINDS.get(error.errno or 0, ContentsUnavailable)
        raise kind(f"The attachments folder is unavailable: {error}") from error
