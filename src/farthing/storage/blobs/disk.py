"""Stores the contents of attachments in a folder."""

import io
import os
import secrets
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeVar

from .content import (
    PIECE_BYTES,
    READ_BYTES,
    Content,
    Digest,
    Incoming,
    Lost,
    StoredContent,
    Verified,
    is_name,
    translate_disk_errors,
)

Piece = TypeVar("Piece", bytes, bytearray)
# How much is read at once on the event loop if it is in the page cache, which is much faster than switching threads.
_AT_HAND_BYTES = 256 * 1024
_INCOMING = "incoming"
_ASIDE = "aside"
# Each upload deletes the temporary files of abandoned uploads that are at least this old.
_ABANDONED_S = 24 * 60 * 60


class DiskReader:
    """Reads a stored file, or a range of its bytes, piece by piece. An empty piece marks the end."""

    def __init__(self, file: BinaryIO, first: int, count: int) -> None:
        self._file = file
        self._at = first
        self._left = count

    @property
    def has_more(self) -> bool:
        return self._left > 0

    def at_hand(self) -> bytearray | None:
        """Returns the next piece if it is in the page cache; None if reading would block, or if that is unknown."""
        piece = bytearray(min(_AT_HAND_BYTES, self._left))
        try:
            del piece[os.preadv(self._file.fileno(), [piece], self._at, os.RWF_NOWAIT) :]
        except (OSError, AttributeError):  # not in the page cache, or not supported by this system
            return None
        return self._advance(piece)

    def read(self) -> bytes:
        with translate_disk_errors():
            self._file.seek(self._at)
            piece = self._file.read(min(READ_BYTES, self._left))
        if self._left and not piece:
            raise Lost("The content was shortened while it was being read.")
        return self._advance(piece)

    def _advance(self, piece: Piece) -> Piece:
        self._at += len(piece)
        self._left -= len(piece)
        return piece

    def close(self) -> None:
        self._file.close()


class DiskBlobs:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._verified = Verified()

    def probe(self) -> None:
        """Does nothing: `farthing doctor` checks folders itself, and the books remain usable without the folder."""

    def receive(self) -> Incoming:
        with translate_disk_errors():
            folder = _make_folder(self._folder / _INCOMING)
            path = folder / secrets.token_hex(16)
            file = path.open("x+b")
            _delete_abandoned(folder, path.stat().st_mtime - _ABANDONED_S)
        return Incoming(file, partial(self._keep, path), partial(path.unlink, missing_ok=True))

    def _keep(self, path: Path, file: BinaryIO, user_id: int, content: Content) -> None:
        """Moves the temporary file to its final path. An existing copy is replaced, and its `kept_at` is renewed."""
        os.fsync(file.fileno())
        file.close()
        folder = _make_folder(self._path(user_id, content.sha256).parent)
        path.replace(folder / content.sha256)
        _sync(folder)

    def read(self, user_id: int, sha256: str, *, size: int, first: int = 0, count: int | None = None) -> DiskReader:
        file = self._open_sized(user_id, sha256, size)
        return DiskReader(file, first, size - first if count is None else count)

    def verify(self, user_id: int, sha256: str, *, size: int) -> None:
        with translate_disk_errors(), self._open_sized(user_id, sha256, size) as file:
            stat = os.fstat(file.fileno())
            # A program that changes a file in place can reset its mtime, but not its ctime.
            stamp = (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
            if self._verified.has(user_id, sha256, stamp):
                return
            if _hash(file).sha256 != sha256:
                raise Lost("The content is damaged.")
            self._verified.add(user_id, sha256, stamp)

    def link(self, user_id: int, sha256: str, *, size: int, disposition: str) -> None:  # noqa: ARG002 -- only we can read it
        return None

    def open(self, user_id: int, sha256: str) -> BinaryIO:
        with translate_disk_errors():
            file = self._open(user_id, sha256)
        if file is None:
            raise Lost("The content is missing.")
        return io.BufferedReader(file)

    def content(self, user_id: int, sha256: str) -> Content | None:
        with translate_disk_errors():
            file = self._open(user_id, sha256)
            if file is None:
                return None
            with file:
                return _hash(file)

    def has(self, user_id: int, sha256: str) -> bool:
        with translate_disk_errors():
            return self._path(user_id, sha256).exists()

    def take_back(self, user_id: int, sha256: str) -> None:
        """Removes the content, and the folders that become empty."""
        path = self._path(user_id, sha256)
        with translate_disk_errors():
            path.unlink(missing_ok=True)
        with suppress(OSError):
            path.parent.rmdir()
            path.parent.parent.rmdir()

    def user_ids(self) -> list[int]:
        with translate_disk_errors():
            paths = self._folder.iterdir() if self._folder.is_dir() else ()
            return sorted(int(path.name) for path in paths if path.name.isdigit())

    def of_user(self, user_id: int) -> Iterator[StoredContent]:
        yield from self._list(user_id, self._folder / str(user_id), "[0-9a-f][0-9a-f]/*")

    def set_aside(self, user_id: int, sha256: str, now: float) -> None:
        with translate_disk_errors():
            folder = _make_folder(self._folder / _ASIDE / str(user_id))
            with suppress(FileNotFoundError):
                self._path(user_id, sha256).replace(folder / sha256)
                os.utime(folder / sha256, (now, now))
            _sync(folder)

    def aside(self) -> Iterator[StoredContent]:
        with translate_disk_errors():
            folders = [path for path in (self._folder / _ASIDE).glob("*") if path.name.isdigit()]
        for folder in folders:
            yield from self._list(int(folder.name), folder, "*")

    def bring_back(self, user_id: int, sha256: str) -> None:
        with translate_disk_errors():
            path = self._path(user_id, sha256)
            _make_folder(path.parent)
            with suppress(FileNotFoundError):
                self._path_aside(user_id, sha256).replace(path)
            _sync(path.parent)

    def forget(self, user_id: int, sha256: str) -> None:
        with translate_disk_errors():
            self._path_aside(user_id, sha256).unlink(missing_ok=True)

    def _list(self, user_id: int, folder: Path, pattern: str) -> Iterator[StoredContent]:
        with translate_disk_errors():
            for path in folder.glob(pattern):
                with suppress(FileNotFoundError):
                    stat = path.stat()
                    yield StoredContent(user_id=user_id, sha256=path.name, size=stat.st_size, kept_at=stat.st_mtime)

    def _open_sized(self, user_id: int, sha256: str, size: int) -> io.FileIO:
        with translate_disk_errors():
            file = self._open(user_id, sha256)
            if file is None:
                raise Lost("The content is missing.")
            if os.fstat(file.fileno()).st_size != size:
                file.close()
                raise Lost("The content has the wrong length.")
        return file

    def _open(self, user_id: int, sha256: str) -> io.FileIO | None:
        for path in (self._path(user_id, sha256), self._path_aside(user_id, sha256)):
            with suppress(FileNotFoundError):
                return path.open("rb", buffering=0)
        return None

    def _path_aside(self, user_id: int, sha256: str) -> Path:
        return self._folder / _ASIDE / str(user_id) / self._path(user_id, sha256).name

    def _path(self, user_id: int, sha256: str) -> Path:
        assert is_name(sha256), "contents are named by their hash, never by text from a client"
        return self._folder / str(user_id) / sha256[:2] / sha256


def _hash(file: io.FileIO) -> Content:
    digest = Digest()
    while piece := file.read(PIECE_BYTES):
        digest.add(piece)
    return digest.content()


def _make_folder(folder: Path) -> Path:
    """Creates the folder and its parents if needed, accessible only to us, and syncs each parent to disk."""
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
