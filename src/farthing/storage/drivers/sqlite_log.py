"""Copies SQLite's log back into the database file in its own thread, so that no request has to wait."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock

import apsw

# The log is copied when it has this many pages. A write touches some forty pages, mostly the same as earlier writes, so
# waiting longer saves copies. One block of the log's index, which every read searches, describes 4 062 pages.
COPIED_PAGES = 4000
# SQLite reuses the log from its beginning only when all of it was copied, and while others write, the thread may never
# catch up. When the log is this many times as long, the next commit copies the remaining pages, which are few by then.
_LONG = 2


class LogCopier:
    """Watches the log through every connection of a process. If the process is killed, all changes are in the log."""

    def __init__(self, connect: Callable[[], apsw.Connection], pages: int = COPIED_PAGES) -> None:
        """Creates the copying thread. `connect` must return the connection of the thread that calls it."""
        self._connect = connect
        self._pages = pages
        self._thread = ThreadPoolExecutor(1, "farthing-log")
        self._asked = Lock()
        self.copied_beside = self.copied_here = 0

    def watch(self, connection: apsw.Connection) -> None:
        """Replaces SQLite's automatic checkpoint, which would delay the commit that makes the log too long."""
        connection.set_wal_hook(self._look)

    def _look(self, connection: apsw.Connection, _name: str, pages: int) -> int:
        """Checks the length of the log after each commit. Must not raise, or the commit would appear to have failed."""
        if pages >= self._pages * _LONG:
            self.copied_here += 1
            _copy(connection)
        elif pages >= self._pages and self._asked.acquire(blocking=False):
            with suppress(RuntimeError):  # the connection is being closed, and closing the last one copies everything
                self._thread.submit(self._copy_beside)
        return apsw.SQLITE_OK

    def _copy_beside(self) -> None:
        try:
            self.copied_beside += 1
            with suppress(Exception):  # the next commit tries again, and reports what is wrong with the file
                _copy(self._connect())
        finally:
            self._asked.release()

    def close(self) -> None:
        self._thread.shutdown()


def _copy(connection: apsw.Connection) -> None:
    """Copies the log without waiting. Pages that must wait for other readers are copied next time."""
    with suppress(apsw.Error):
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
