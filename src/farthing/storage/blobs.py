"""Where are the contents of attachments? On disk, each named by its SHA-256, each once per user; the only door to them.

Everything here may wait for the disk: it is called from threads, never from the event loop. No path leaves this file,
so that something else than a disk can stand behind it.
"""

import errno
import hashlib
import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeVar

from ..config import Settings
from ..errors import ContentsUnavailable, DiskFull, ReadOnly, Unavailable

T = TypeVar("T")
Piece = TypeVar("Piece", bytes, bytearray)
PIECE_BYTES = 256 * 1024
# What goes out is read in larger pieces: for each the work changes threads twice.
_READ_BYTES = 1024 * 1024
# What is copied from memory on the event loop: that is done in a fraction of the time that changing threads takes.
_AT_HAND_BYTES = 256 * 1024
_INCOMING = "incoming"
_ASIDE = "aside"
# What a crash left behind is thrown away by an upload that comes so much later.
_ABANDONED_S = 24 * 60 * 60
_NAME = re.compile("[0-9a-f]{64}")
_KINDS = {errno.ENOSPC: DiskFull, errno.EDQUOT: DiskFull, errno.EROFS: ReadOnly}


class Lost(Exception):
    """The content is not there, or is not as long as it should be."""


@dataclass(frozen=True)
class Content:
    """What the bytes are; the hashes in lower-case hex."""

    sha256: str
    md5: str
    size: int


@dataclass(frozen=True)
class Kept:
    """A content as it lies there; `kept_at`, or since when it lies aside, is in seconds since 1970."""

    user_id: int
    sha256: str
    size: int
    kept_at: float


class _Digest:
    def __init__(self) -> None:
        self._sha256 = hashlib.sha256()
        self._md5 = hashlib.md5(usedforsecurity=False)
        self.size = 0

    def add(self, piece: bytes | bytearray) -> None:
        self._sha256.update(piece)
        self._md5.update(piece)
        self.size += len(piece)

    def content(self) -> Content:
        return Content(self._sha256.hexdigest(), self._md5.hexdigest(), self.size)


class Incoming:
    """A content on its way in: a file that nobody sees, hashed while it grows, until it is kept or discarded."""

    def __init__(self, folder: Path, path: Path) -> None:
        self._folder = folder
        self._path = path
        self._digest = _Digest()
        self._file: BinaryIO = path.open("x+b")
        self._kept = False

    @property
    def size(self) -> int:
        return self._digest.size

    def write(self, piece: bytes | bytearray) -> None:
        with _ours():
            self._file.write(piece)
        self._digest.add(piece)

    def look(self, examine: Callable[[BinaryIO], T]) -> T:
        with _ours():
            self._file.seek(0)
            return examine(self._file)

    def content(self) -> Content:
        return self._digest.content()

    def keep(self, user_id: int) -> None:
        """When this returns, the content outlives a power cut. The same content again replaces itself, and is new."""
        name = self.content().sha256
        with _ours():
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            folder = _made(self._folder / str(user_id) / name[:2])
            self._path.replace(folder / name)
            self._kept = True
            _sync(folder)

    def discard(self) -> None:
        """Also when all went well: what was kept stays."""
        with suppress(OSError):
            self._file.close()
        if not self._kept:
            with suppress(OSError):
                self._path.unlink()


class Reader:
    """A stretch of a content, piece by piece; empty when there is no more."""

    def __init__(self, file: BinaryIO, first: int, count: int) -> None:
        self._file = file
        self._at = first
        self._left = count

    @property
    def has_more(self) -> bool:
        return self._left > 0

    def at_hand(self) -> bytearray | None:
        """The next piece if it lies in memory; None if the disk would have to be waited for, or nobody can say."""
        piece = bytearray(min(_AT_HAND_BYTES, self._left))
        try:
            del piece[os.preadv(self._file.fileno(), [piece], self._at, os.RWF_NOWAIT) :]
        except (OSError, AttributeError):  # not in memory, or not to be known on this system
            return None
        return self._taken(piece)

    def read(self) -> bytes:
        with _ours():
            self._file.seek(self._at)
            piece = self._file.read(min(_READ_BYTES, self._left))
        if self._left and not piece:
            raise Lost("The content became shorter while it was read.")
        return self._taken(piece)

    def _taken(self, piece: Piece) -> Piece:
        self._at += len(piece)
        self._left -= len(piece)
        return piece

    def close(self) -> None:
        self._file.close()


def connect(settings: Settings) -> "Blobs":
    return Blobs(settings.data / "attachments")


class Blobs:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def receive(self) -> Incoming:
        with _ours():
            folder = _made(self._folder / _INCOMING)
            path = folder / secrets.token_hex(16)
            incoming = Incoming(self._folder, path)
            _throw_away_abandoned(folder, path.stat().st_mtime - _ABANDONED_S)
        return incoming

    def read(self, user_id: int, sha256: str, *, size: int, first: int = 0, count: int | None = None) -> Reader:
        """`size` is what the whole is recorded with; another one means that the content is lost."""
        with _ours():
            file = self._opened(user_id, sha256)
            if file is None:
                raise Lost("The content is not there.")
            if os.fstat(file.fileno()).st_size != size:
                file.close()
                raise Lost("The content is not as long as it should be.")
        return Reader(file, first, size - first if count is None else count)

    def content(self, user_id: int, sha256: str) -> Content | None:
        """What the bytes really are, all of them read."""
        digest = _Digest()
        with _ours():
            file = self._opened(user_id, sha256)
            if file is None:
                return None
            with file:
                while piece := file.read(PIECE_BYTES):
                    digest.add(piece)
        return digest.content()

    def has(self, user_id: int, sha256: str) -> bool:
        """In its place, that is: what lies aside does not count."""
        with _ours():
            return self._path(user_id, sha256).exists()

    def take_back(self, user_id: int, sha256: str) -> None:
        """What was kept in vain, with the folders that it leaves empty."""
        path = self._path(user_id, sha256)
        with _ours():
            path.unlink(missing_ok=True)
        with suppress(OSError):
            path.parent.rmdir()
            path.parent.parent.rmdir()

    def user_ids(self) -> list[int]:
        """Whose contents there are."""
        with _ours():
            found = self._folder.iterdir() if self._folder.is_dir() else ()
            return sorted(int(path.name) for path in found if path.name.isdigit())

    def of_user(self, user_id: int) -> Iterator[Kept]:
        """All contents of a user, in no order; one that goes away meanwhile is left out."""
        yield from self._kept(user_id, self._folder / str(user_id), "[0-9a-f][0-9a-f]/*")

    def set_aside(self, user_id: int, sha256: str, now: float) -> None:
        """Out of the way, but still to be read: it may turn out that somebody needs it."""
        with _ours():
            folder = _made(self._folder / _ASIDE / str(user_id))
            with suppress(FileNotFoundError):
                self._path(user_id, sha256).replace(folder / sha256)
                os.utime(folder / sha256, (now, now))
            _sync(folder)

    def aside(self) -> Iterator[Kept]:
        """Everybody's contents that were set aside, in no order."""
        with _ours():
            folders = [path for path in (self._folder / _ASIDE).glob("*") if path.name.isdigit()]
        for folder in folders:
            yield from self._kept(int(folder.name), folder, "*")

    def bring_back(self, user_id: int, sha256: str) -> None:
        with _ours():
            path = self._path(user_id, sha256)
            _made(path.parent)
            with suppress(FileNotFoundError):
                self._path_aside(user_id, sha256).replace(path)
            _sync(path.parent)

    def forget(self, user_id: int, sha256: str) -> None:
        """Only what was set aside; afterwards it is gone for good."""
        with _ours():
            self._path_aside(user_id, sha256).unlink(missing_ok=True)

    def _kept(self, user_id: int, folder: Path, pattern: str) -> Iterator[Kept]:
        with _ours():
            for path in folder.glob(pattern):
                with suppress(FileNotFoundError):
                    found = path.stat()
                    yield Kept(user_id, path.name, found.st_size, found.st_mtime)

    def _opened(self, user_id: int, sha256: str) -> BinaryIO | None:
        for path in (self._path(user_id, sha256), self._path_aside(user_id, sha256)):
            with suppress(FileNotFoundError):
                return path.open("rb", buffering=0)
        return None

    def _path_aside(self, user_id: int, sha256: str) -> Path:
        return self._folder / _ASIDE / str(user_id) / self._path(user_id, sha256).name

    def _path(self, user_id: int, sha256: str) -> Path:
        assert _NAME.fullmatch(sha256), "contents are named by their hash, never by anything that was sent"
        return self._folder / str(user_id) / sha256[:2] / sha256


@contextmanager
def _ours() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        kind: type[Unavailable] = _KINDS.get(error.errno or 0, ContentsUnavailable)
        raise kind(f"The folder of attachments cannot be used just now: {error}") from error


def _made(folder: Path) -> Path:
    """The folder, made if need be, for us alone; each new one is written down in the one above it."""
    if not folder.is_dir():
        _made(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
        _sync(folder.parent)
    return folder


def _sync(folder: Path) -> None:
    if os.name == "nt":
        return  # Windows has no such thing, and needs none
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _throw_away_abandoned(folder: Path, before: float) -> None:
    for path in folder.iterdir():
        with suppress(OSError):
            if path.stat().st_mtime < before:
                path.unlink()
