"""Describes contents by their hashes and sizes, remembers which were verified, and receives new ones."""

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


T = TypeVar("T")
Keep = Callable[[BinaryIO, int, Content], None]
_KINDS = {errno.ENOSPC: DiskFull, errno.EDQUOT: DiskFull, errno.EROFS: ReadOnly}


class Incoming:
    """`keep` stores the whole file for a user; `remove` takes away what is left of it in any case."""

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
        """When this returns, the content survives a power cut; one that was there and was damaged is whole again."""
        with translate_disk_errors():
            self._file.flush()
            self._keep(self._file, user_id, self.content())

    def discard(self) -> None:
        """Always call this at the end; a content that was kept stays."""
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
