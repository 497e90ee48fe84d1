"""An upload in progress: a file that nobody sees, hashed while it is written, until it is kept or discarded."""

import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, TypeVar

from farthing.kernel.errors import ContentsUnavailable, DiskFull, ReadOnly, Unavailable

from .content import Content, Digest

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
