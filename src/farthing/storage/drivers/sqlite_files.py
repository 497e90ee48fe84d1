"""Notices when the SQLite file was deleted, moved or replaced, and when the log beside it belongs to another file."""

import os
import secrets
import struct
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO

import apsw
from msgspec import Struct

from farthing.kernel.errors import FileGone

# Asking the operating system takes longer than some reads, so reads ask only this often; every write asks.
_LOOK_EVERY_S = 0.5
_MARK = ".made"
_MARK_SAYS = """Farthing has made a database here: {file}

Should it be missing, no empty one takes its place: put the file back, or restore a backup with `farthing restore`.
To begin with empty books instead, delete this file.
"""

Identity = tuple[int, int]


def identify(path: Path | str) -> Identity | None:
    """The device and inode. No other file gets the same ones while somebody still has this file open."""
    try:
        stat = os.stat(path)  # noqa: PTH116 -- a Path would take longer than the call itself
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


class OpenFiles:
    """The file of a database and its log, as they were when they were opened."""

    def __init__(self, path: Path) -> None:
        self._path, self._log_path = str(path), f"{path}-wal"
        self._file: Identity | None = None
        self._log: Identity | None = None
        self._look_at = 0.0

    def note(self) -> None:
        """Call it after a connection was opened. While any is open, SQLite keeps both files."""
        self._file = self._file or identify(self._path)
        self._log = self._log or identify(self._log_path)

    def forget_log(self) -> None:
        """Call it when no connection of ours is left: whoever closes the last one of all deletes the log."""
        self._log = None

    def are_writable(self) -> bool:
        """Otherwise SQLite opens them for reading only, and does not say so of the log."""
        return os.access(self._path, os.W_OK) and os.access(self._log_path, os.W_OK)

    def refuse_lost(self, *, writing: bool) -> None:
        if self._file is None:
            return
        if time.monotonic() >= self._look_at:
            self.look()
        elif writing:
            self._refuse(self._path, self._file)

    def look(self) -> None:
        self._refuse(self._path, self._file)
        self._refuse(self._log_path, self._log)
        self._look_at = time.monotonic() + _LOOK_EVERY_S

    def _refuse(self, path: str, known_file: Identity | None) -> None:
        current = identify(path)
        if current == known_file or known_file is None:
            return
        self._look_at = 0.0
        if current:
            raise FileGone(f"Another file has taken the place of {path}: stop the server, and start it again.")
        raise FileGone(f"{path} is gone: put the same file back, or stop the server and restore a backup.")


def create_private(path: Path) -> None:
    """SQLite would make a file that others can read; it gives the files beside it the mode of this one."""
    with suppress(OSError):  # SQLite tries next, and says what is wrong
        path.touch(mode=0o600, exist_ok=False)


def mark_made(file: Path) -> None:
    """Leaves a note beside the file, so that nobody takes its absence for a new installation."""
    with suppress(OSError):  # the disk is full or read-only; the next start tries again
        mark = _mark_of(file)
        if not mark.exists():
            mark.touch(mode=0o600)
            mark.write_text(_MARK_SAYS.format(file=file.name))


def was_made(file: Path) -> bool:
    return _mark_of(file).exists()


def forget_made(file: Path) -> None:
    _mark_of(file).unlink(missing_ok=True)


def _mark_of(file: Path) -> Path:
    return file.with_suffix(_MARK)


# SQLite's file format: the header of the file, and where the two numbers and the version of the schema are in it.
_HEADER_BYTES = 100
_SCHEMA, _NUMBER, _BEFORE = slice(40, 44), slice(60, 64), slice(68, 72)
# The log: its header, and that of each frame, which holds one page.
_LOG_HEADER, _FRAME = struct.Struct(">8I"), struct.Struct(">6I")
_MAGIC, _MAGIC_MASK = 0x377F0682, ~1
# A server that runs may begin its log anew between two looks.
_TRIES, _MOMENT_S = 10, 0.02


class _Log(Struct, frozen=True):
    """Holds what SQLite would play into the file. `headers` are the file's headers in the log, oldest first."""

    headers: list[bytes]
    has_commits: bool


def draw(connection: apsw.Connection) -> None:
    """Call it at the end of a write. A copy that goes its own way draws one too."""
    before = connection.execute("PRAGMA user_version").get
    number = secrets.randbits(31) | 1
    connection.execute(f"PRAGMA application_id = {before}; PRAGMA user_version = {number}").fetchall()


def refuse_foreign_log(path: Path) -> None:
    """Raises FileGone if the log beside a file is that of another file. Changes neither."""
    path = path.resolve()  # SQLite keeps the log beside the file itself
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_MOMENT_S)
        if _belong_together(path):
            return
    log = f"{path}-wal"
    raise FileGone(
        f"{log} does not belong to {path}: it holds the last changes of another file that was here, such as before a"
        f" backup was put in its place, and would damage this one. To keep those changes, put that file back. To use"
        f" this file without them, move {log} elsewhere. Nothing was changed."
    )


def put_log_aside(path: Path) -> Path | None:
    """Keeps the log of a file that is gone but may turn up: SQLite would delete it."""
    log = Path(f"{path.resolve()}-wal")
    if path.exists() or not log.exists():
        return None
    names = (log.with_name(f"{log.name}.{number}") for number in count(1))
    return log.rename(next(name for name in names if not name.exists()))


def _belong_together(path: Path) -> bool:
    try:
        with Path(f"{path}-wal").open("rb") as file:
            log = _read_log(file)
        header = _read_header(path) if log.has_commits else b""
    except OSError:  # there is no log, or SQLite will say what is wrong
        return True
    if not log.has_commits:
        return True
    if len(header) < _HEADER_BYTES:
        return False
    if not log.headers or header in log.headers:
        return True
    first = log.headers[0]
    # The second is for a first commit by a program that draws no numbers: it leaves the one that is there.
    return header[_NUMBER] in (first[_BEFORE], first[_NUMBER]) and header[_SCHEMA] <= first[_SCHEMA]


def _read_header(path: Path) -> bytes:
    """Returns nothing if there is no file."""
    try:
        with path.open("rb") as file:
            return file.read(_HEADER_BYTES)
    except FileNotFoundError:
        return b""


def _read_log(file: BinaryIO) -> _Log:
    """Reads the frames since the log last began again; an unfinished first commit counts as nothing."""
    begin = file.read(_LOG_HEADER.size)
    if len(begin) < _LOG_HEADER.size:
        return _Log(headers=[], has_commits=False)
    magic, _, page_bytes, _, *salt, _, _ = _LOG_HEADER.unpack(begin)
    if magic & _MAGIC_MASK != _MAGIC or not 512 <= page_bytes <= 65536:
        return _Log(headers=[], has_commits=False)
    headers, has_commits = [], False
    for page, pages_after, data in _list_frames(file, salt, page_bytes):
        has_commits = has_commits or pages_after > 0
        if page == 1:
            headers.append(data)
    if not _is_first_frame_whole(file, magic, begin, page_bytes):
        return _Log(headers=[], has_commits=False)
    return _Log(headers=headers, has_commits=has_commits)


def _list_frames(file: BinaryIO, salt: list[int], page_bytes: int) -> Iterator[tuple[int, int, bytes]]:
    """The number of each page, how many pages the file has after a commit, else 0, and how the page begins."""
    size, at, step = os.fstat(file.fileno()).st_size, _LOG_HEADER.size, _FRAME.size + page_bytes
    while at + step <= size:
        read = os.pread(file.fileno(), _FRAME.size + _HEADER_BYTES, at)
        if len(read) < _FRAME.size + _HEADER_BYTES:
            return
        page, pages_after, *salt_here, _, _ = _FRAME.unpack_from(read)
        if salt_here != salt:
            return
        yield page, pages_after, read[_FRAME.size :]
        at += step


def _is_first_frame_whole(file: BinaryIO, magic: int, begin: bytes, page_bytes: int) -> bool:
    """A power cut may have left less than its header says; then SQLite plays nothing."""
    frame = os.pread(file.fileno(), _FRAME.size + page_bytes, _LOG_HEADER.size)
    if len(frame) < _FRAME.size + page_bytes:
        return False
    words = struct.Struct((">" if magic & 1 else "<") + f"{(24 + 8 + page_bytes) // 4}I")
    first = second = 0
    sums = words.unpack(begin[:24] + frame[:8] + frame[_FRAME.size :])
    for even, odd in zip(sums[::2], sums[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return _FRAME.unpack_from(frame)[4:] == (first, second)
