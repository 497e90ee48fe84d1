"""Stores the contents of attachments on disk, each named by its SHA-256, each once per user.

Everything here may wait for the disk, so it is called from threads, never from the event loop. No path leaves this
file, so that another kind of storage can replace the disk.
"""

import errno
import hashlib
import io
import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TypeVar

from msgspec import Struct

from farthing.kernel.config import Settings
from farthing.kernel.errors import ContentsUnavailable, DiskFull, ReadOnly, Unavailable

T = TypeVar("T")
Piece = TypeVar("Piece", bytes, bytearray)
PIECE_BYTES = 256 * 1024
# Downloads use larger pieces, because each piece costs two thread switches.
_READ_BYTES = 1024 * 1024
# Copied on the event loop if it is in the page cache: much faster than switching threads.
_AT_HAND_BYTES = 256 * 1024
_INCOMING = "incoming"
_ASIDE = "aside"
# An upload deletes unfinished files of earlier ones that are this old.
_ABANDONED_S = 24 * 60 * 60
_NAME = re.compile("[0-9a-f]{64}")
_KINDS = {errno.ENOSPC: DiskFull, errno.EDQUOT: DiskFull, errno.EROFS: ReadOnly}


class Lost(Exception):
    """The content is missing or has the wrong length."""


class Content(Struct, frozen=True):
    """The hashes and size of a content; hashes in lower-case hex."""

    sha256: str
    md5: str
    size: int


class StoredContent(Struct, frozen=True):
    """A content on disk; `kept_at` is when it was stored or set aside, in seconds since 1970."""

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
        return Content(sha256=self._sha256.hexdigest(), md5=self._md5.hexdigest(), size=self.size)


class Incoming:
    """An upload in progress: a hidden file, hashed while it is written, until it is kept or discarded."""

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
        with _translate_errors():
            self._file.write(piece)
        self._digest.add(piece)

    def look(self, examine: Callable[[BinaryIO], T]) -> T:
        with _translate_errors():
            self._file.seek(0)
            return examine(self._file)

    def content(self) -> Content:
        return self._digest.content()

    def keep(self, user_id: int) -> None:
        """When this returns, the content survives a power cut. An existing copy is replaced, with a new `kept_at`."""
        name = self.content().sha256
        with _translate_errors():
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            folder = _make_folder(self._folder / str(user_id) / name[:2])
            self._path.replace(folder / name)
            self._kept = True
            _sync(folder)

    def discard(self) -> None:
        """Always call this at the end; a content that was kept stays."""
        with suppress(OSError):
            self._file.close()
        if not self._kept:
            with suppress(OSError):
                self._path.unlink()


class Reader:
    """Reads a range of a content piece by piece; an empty piece means the end."""

    def __init__(self, file: BinaryIO, first: int, count: int) -> None:
        self._file = file
        self._at = first
        self._left = count

    @property
    def has_more(self) -> bool:
        return self._left > 0

    def at_hand(self) -> bytearray | None:
        """The next piece if it is in the page cache; None if reading would block, or if the system cannot tell."""
        piece = bytearray(min(_AT_HAND_BYTES, self._left))
        try:
            del piece[os.preadv(self._file.fileno(), [piece], self._at, os.RWF_NOWAIT) :]
        except (OSError, AttributeError):  # not in the page cache, or not supported by this system
            return None
        return self._advance(piece)

    def read(self) -> bytes:
        with _translate_errors():
            self._file.seek(self._at)
            piece = self._file.read(min(_READ_BYTES, self._left))
        if self._left and not piece:
            raise Lost("The content was shortened while it was being read.")
        return self._advance(piece)

    def _advance(self, piece: Piece) -> Piece:
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
        with _translate_errors():
            folder = _make_folder(self._folder / _INCOMING)
            path = folder / secrets.token_hex(16)
            incoming = Incoming(self._folder, path)
            _delete_abandoned(folder, path.stat().st_mtime - _ABANDONED_S)
        return incoming

    def read(self, user_id: int, sha256: str, *, size: int, first: int = 0, count: int | None = None) -> Reader:
        """`size` is the recorded size of the whole content; if the file differs, the content counts as lost."""
        with _translate_errors():
            file = self._open(user_id, sha256)
            if file is None:
                raise Lost("The content is missing.")
            if os.fstat(file.fileno()).st_size != size:
                file.close()
                raise Lost("The content has the wrong length.")
        return Reader(file, first, size - first if count is None else count)

    def open(self, user_id: int, sha256: str) -> BinaryIO:
        """The whole content as a file that can be read at any place."""
        with _translate_errors():
            file = self._open(user_id, sha256)
        if file is None:
            raise Lost("The content is missing.")
        return io.BufferedReader(file)

    def content(self, user_id: int, sha256: str) -> Content | None:
        """Reads all bytes and computes what they really are."""
        digest = _Digest()
        with _translate_errors():
            file = self._open(user_id, sha256)
            if file is None:
                return None
            with file:
                while piece := file.read(PIECE_BYTES):
                    digest.add(piece)
        return digest.content()

    def has(self, user_id: int, sha256: str) -> bool:
        """Contents that were set aside do not count."""
        with _translate_errors():
            return self._path(user_id, sha256).exists()

    def take_back(self, user_id: int, sha256: str) -> None:
        """Delete a content that was stored in vain, and the folders that become empty."""
        path = self._path(user_id, sha256)
        with _translate_errors():
            path.unlink(missing_ok=True)
        with suppress(OSError):
            path.parent.rmdir()
            path.parent.parent.rmdir()

    def user_ids(self) -> list[int]:
        """The users who have contents here."""
        with _translate_errors():
            found = self._folder.iterdir() if self._folder.is_dir() else ()
            return sorted(int(path.name) for path in found if path.name.isdigit())

    def of_user(self, user_id: int) -> Iterator[StoredContent]:
        """All contents of a user, in no particular order; one that is deleted meanwhile is left out."""
        yield from self._list(user_id, self._folder / str(user_id), "[0-9a-f][0-9a-f]/*")

    def set_aside(self, user_id: int, sha256: str, now: float) -> None:
        """Mark a content for deletion; it can still be read and brought back."""
        with _translate_errors():
            folder = _make_folder(self._folder / _ASIDE / str(user_id))
            with suppress(FileNotFoundError):
                self._path(user_id, sha256).replace(folder / sha256)
                os.utime(folder / sha256, (now, now))
            _sync(folder)

    def aside(self) -> Iterator[StoredContent]:
        """The contents of all users that were set aside, in no particular order."""
        with _translate_errors():
            folders = [path for path in (self._folder / _ASIDE).glob("*") if path.name.isdigit()]
        for folder in folders:
            yield from self._list(int(folder.name), folder, "*")

    def bring_back(self, user_id: int, sha256: str) -> None:
        with _translate_errors():
            path = self._path(user_id, sha256)
            _make_folder(path.parent)
            with suppress(FileNotFoundError):
                self._path_aside(user_id, sha256).replace(path)
            _sync(path.parent)

    def forget(self, user_id: int, sha256: str) -> None:
        """Delete a content that was set aside, for good."""
        with _translate_errors():
            self._path_aside(user_id, sha256).unlink(missing_ok=True)

    def _list(self, user_id: int, folder: Path, pattern: str) -> Iterator[StoredContent]:
        with _translate_errors():
            for path in folder.glob(pattern):
                with suppress(FileNotFoundError):
                    found = path.stat()
                    yield StoredContent(user_id=user_id, sha256=path.name, size=found.st_size, kept_at=found.st_mtime)

    def _open(self, user_id: int, sha256: str) -> io.FileIO | None:
        for path in (self._path(user_id, sha256), self._path_aside(user_id, sha256)):
            with suppress(FileNotFoundError):
                return path.open("rb", buffering=0)
        return None

    def _path_aside(self, user_id: int, sha256: str) -> Path:
        return self._folder / _ASIDE / str(user_id) / self._path(user_id, sha256).name

    def _path(self, user_id: int, sha256: str) -> Path:
        assert _NAME.fullmatch(sha256), "contents are named by their hash, never by text from a client"
        return self._folder / str(user_id) / sha256[:2] / sha256


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        kind: type[Unavailable] = _KINDS.get(error.errno or 0, ContentsUnavailable)
        raise kind(f"The attachments folder is unavailable: {error}") from error


def _make_folder(folder: Path) -> Path:
    """Create the folder and its parents if needed, readable only by us, and sync each parent."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)
        _sync(folder.parent)
    return folder


def _sync(folder: Path) -> None:
    if os.name == "nt":
        return  # Windows cannot sync folders, and does not need to
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _delete_abandoned(folder: Path, before: float) -> None:
    for path in folder.iterdir():
        with suppress(OSError):
            if path.stat().st_mtime < before:
                path.unlink()
