"""Notices when the SQLite file was deleted, moved or replaced: SQLite itself would go on writing into the old one."""

import os
import time
from contextlib import suppress
from pathlib import Path

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
