"""Copies SQLite's log back into the file, in a thread of its own, so that no request waits for it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock

import apsw

# A write touches some forty pages, mostly those that the writes before it touched: the longer they are gathered in the
# log, the fewer have to be copied from it. In one block of its index, which readers look through, are 4 062 pages.
COPIED_PAGES = 4000
# While others write, the thread may never catch up, and only a log that is copied to its end begins anew. From here on
# whoever commits copies the rest, which by then is little.
_LONG = 2


class LogCopier:
    """Watches the log of every connection of a process. Whoever is killed loses nothing: it is all in the log."""

    def __init__(self, connect: Callable[[], apsw.Connection], pages: int = COPIED_PAGES) -> None:
        """`connect` gives the connection of the calling thread."""
        self._connect = connect
        self._pages = pages
        self._thread = ThreadPoolExecutor(1, "farthing-log")
        self._asked = Lock()
        self.copied_beside = self.copied_here = 0

    def watch(self, connection: apsw.Connection) -> None:
        """In place of SQLite's own copying, which happens in the commit that makes the log too long."""
        connection.set_wal_hook(self._look)

    def _look(self, connection: apsw.Connection, _name: str, pages: int) -> int:
        """SQLite calls this after each commit; failing here would seem to say that the commit failed."""
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
    """Never waits: pages that others still read are copied next time."""
    with suppress(apsw.Error):
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
