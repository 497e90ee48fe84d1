"""Detects if the SQLite file was deleted, moved or replaced, or if the log next to it belongs to another file."""

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

# How often reads check the files: asking the operating system takes longer than some reads. Every write checks.
_LOOK_EVERY_S = 0.5
_MARK = ".made"
_MARK_SAYS = """Farthing has created a database here: {file}

If the database is missing, Farthing does not create an empty one in its place: put the file back, or restore a backup
with `farthing restore`. To start with empty books instead, delete this note.
"""

Identity = tuple[int, int]


def identify(path: Path | str) -> Identity | None:
    """Returns the device and inode of a file. While any process has the file open, no other file gets the same ones."""
    try:
        stat = os.stat(path)  # noqa: PTH116 -- a Path would take longer than the call itself
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


class OpenFiles:
    """Remembers which database file and which log were opened, to notice if another file replaces them."""

    def __init__(self, path: Path) -> None:
        self._path, self._log_path = str(path), f"{path}-wal"
        self._file: Identity | None = None
        self._log: Identity | None = None
        self._look_at = 0.0

    def note(self) -> None:
        """Remembers the files. Call this after opening a connection: while one is open, SQLite deletes neither file."""
        self._file = self._file or identify(self._path)
        self._log = self._log or identify(self._log_path)

    def forget_log(self) -> None:
        """Forgets the log. Call this after closing our last connection: then SQLite may delete the log."""
        self._log = None

    def are_writable(self) -> bool:
        """Tells whether we may write to both files. If not, SQLite opens them read-only, the log without an error."""
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
            raise FileGone(f"{path} was replaced by another file: stop the server, and start it again.")
        raise FileGone(f"{path} is gone: put the same file back, or stop the server and restore a backup.")


def create_private(path: Path) -> None:
    """Creates the file so that only we can read it. SQLite gives its log the same permissions."""
    with suppress(OSError):  # SQLite then tries to create the file, and reports what is wrong
        path.touch(mode=0o600, exist_ok=False)


def mark_made(file: Path) -> None:
    """Leaves a marker file next to the database, so that a missing database is not mistaken for a new installation."""
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


# SQLite's file format: the size of the header, and where it holds the schema version and the two numbers of `draw`.
_HEADER_BYTES = 100
_SCHEMA, _NUMBER, _BEFORE = slice(40, 44), slice(60, 64), slice(68, 72)
# The log has a header, followed by frames. Each frame has a header of its own and holds one page.
_LOG_HEADER, _FRAME = struct.Struct(">8I"), struct.Struct(">6I")
_MAGIC, _MAGIC_MASK = 0x377F0682, ~1
# Retries are needed because a running server may restart its log between two reads.
_TRIES, _MOMENT_S = 10, 0.02


class _Log(Struct, frozen=True):
    """Summarizes what SQLite would copy from the log into the file.

    `headers` holds the versions of the database file's header that are in the log, oldest first.
    """

    headers: list[bytes]
    has_commits: bool


def draw(connection: apsw.Connection) -> None:
    """Draws a new random number for the file's header, and keeps the previous one next to it.

    `refuse_foreign_log` uses these numbers to tell whether a log belongs to a file. Call this at the end of each write,
    and for a new copy of the file.
    """
    before = connection.execute("PRAGMA user_version").get
    number = secrets.randbits(31) | 1
    connection.execute(f"PRAGMA application_id = {before}; PRAGMA user_version = {number}").fetchall()


def refuse_foreign_log(path: Path) -> None:
    """Raises FileGone if the log next to a file belongs to another file. Changes neither of them."""
    path = path.resolve()  # SQLite keeps the log next to the real file, not next to a link
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_MOMENT_S)
        if _belong_together(path):
            return
    log = f"{path}-wal"
    raise FileGone(
        f"{log} does not belong to {path}: it contains the last changes of another file, which was replaced, for"
        f" example by a backup. These changes would damage the current file. To keep those changes, put that file back."
        f" To use this file without them, move {log} elsewhere. Nothing was changed."
    )


def put_log_aside(path: Path) -> Path | None:
    """Renames the log of a missing file, because the file may be found again, and SQLite would delete the log."""
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
    # The second number covers a first commit by a program that draws no numbers and so leaves the number unchanged.
    return header[_NUMBER] in (first[_BEFORE], first[_NUMBER]) and header[_SCHEMA] <= first[_SCHEMA]


def _read_header(path: Path) -> bytes:
    """Reads the header of a database file. Returns b"" if there is no file."""
    try:
        with path.open("rb") as file:
            return file.read(_HEADER_BYTES)
    except FileNotFoundError:
        return b""


def _read_log(file: BinaryIO) -> _Log:
    """Reads the frames written since the log was last restarted. Ignores them if the first one is incomplete."""
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
    """Yields for each frame the page number, the size of the file in pages, and the first bytes of the page.

    The size is 0 unless the frame ends a commit.
    """
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
    """Verifies the checksum of the first frame. After a power cut it may be incomplete, and SQLite ignores the log."""
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
