"""Copies SQLite's log back into the file, in a thread of its own, so that no request waits for it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock

import apsw

# The log is copied when it has this many pages. A write touches some forty, mostly the same as the writes before it, so
# the longer we wait, the fewer have to be copied. One block of the log's index, which every read searches, holds 4 062.
COPIED_PAGES = 4000
# The log starts again from its beginning only when it was copied to its end, and while others write, the thread may
# never get there. When the log is this many times as long, the next commit copies what is left: little, by then.
_LONG = 2


class LogCopier:
    """Watches the log through every connection of a process. A process that is killed loses nothing: the log has it."""

    def __init__(self, connect: Callable[[], apsw.Connection], pages: int = COPIED_PAGES) -> None:
        """`connect` gives the connection of the calling thread."""
        self._connect = connect
        self._pages = pages
        self._thread = ThreadPoolExecutor(1, "farthing-log")
        self._asked = Lock()
        self.copied_beside = self.copied_here = 0

    def watch(self, connection: apsw.Connection) -> None:
        """Replaces SQLite's automatic checkpoint, for which the commit that makes the log too long has to wait."""
        connection.set_wal_hook(self._look)

    def _look(self, connection: apsw.Connection, _name: str, pages: int) -> int:
        """SQLite calls this after each commit. It must not raise, or the commit would seem to have failed."""
        if pages >= self._pages * _LONG:
            self.copied_here += 1
            _copy(connection)
        elif pages >= self._pages and self._asked.acquire(blocking=False):
            with suppress(RuntimeError):  # the connection is being closed, and the last one copies everything
                self._thread.submit(self._copy_beside)
        return apsw.SQLITE_OK

    def _copy_beside(self) -> None:
        try:
            self.copied_beside += 1
            with suppress(Exception):  # the next commit asks again, and tells what is wrong with the file
                _copy(self._connect())
        finally:
            self._asked.release()

    def close(self) -> None:
        self._thread.shutdown()


def _copy(connection: apsw.Connection) -> None:
    """Copies without waiting: pages that others still need are copied next time."""
    with suppress(apsw.Error):
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
