"""Implements the database interface for SQLite, with apsw: WAL, durable commits, and one connection per thread."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import apsw

from farthing.kernel.errors import DiskFull, FileGone, Locked, Unavailable

from ..fair.leash import LARGE_READ_S, Leash
from ..fair.line import ANYBODY, Asker
from ..fair.loop_turns import LoopTurns
from ..fair.rests import Rests
from ..fair.threads import FairThreads
from ..unit import Dialect, Unit
from .sqlite_files import OpenFiles, create_private, draw, refuse_foreign_log
from .sqlite_log import COPIED_PAGES, LogCopier
from .sqlite_unit import SqliteUnit, translate

T = TypeVar("T")
# A commit takes a millisecond, so if a wait takes this long, something is stuck.
WAIT_MS = 30_000
# If commits take longer than this, the disk is slow and reads should not wait for them.
_SLOW_S = 0.005
# The average is taken over about this many commits.
_COMMITS = 64

_SETTINGS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -8192;
PRAGMA automatic_index = OFF;
"""
# How many large reads run at the same time. Each user has at most one of these.
_READERS = 4
# After how many steps of SQLite a large read checks whether it may continue: about every millisecond.
_STEPS = 50_000
_OPEN_OR_CREATE = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
# Used after the first connection: if the file disappears, no empty database must replace it.
_OPEN_EXISTING = apsw.SQLITE_OPEN_READWRITE

_READ, _WRITE = "BEGIN", "BEGIN IMMEDIATE"
# Makes a read take its snapshot at once, so that it waits for a busy file, if at all, before it has done anything.
_TAKE_SNAPSHOT = "SELECT 1 FROM sqlite_schema WHERE 0"


class _CannotBegin(Locked):
    """Raised before the first statement of a unit of work if another connection has locked the file."""


class _Transaction:
    """Runs one transaction in a `with` block.

    This is a class because a generator with `contextmanager` would make a short read a tenth slower.
    """

    __slots__ = ("_before", "_begin", "_connection", "_database", "_wait_ms")

    def __init__(self, database: "SqliteDatabase", connection: apsw.Connection, begin: str, wait_ms: int) -> None:
        self._database = database
        self._connection = connection
        self._begin = begin
        self._before = connection.total_changes()
        self._wait_ms = wait_ms

    def __enter__(self) -> SqliteUnit:
        self._connection.set_busy_timeout(self._wait_ms)
        try:
            self._connection.execute(self._begin)
            if self._begin is _READ:
                self._connection.execute(_TAKE_SNAPSHOT)
        except apsw.Error as error:
            ours = translate(error, self._connection)
            self._roll_back()
            if isinstance(error, apsw.BusyError):
                raise _CannotBegin(
                    f"Another program has locked the database for {self._wait_ms / 1000:g} s."
                ) from error
            raise self._drop_connection_after(ours) from error
        return SqliteUnit(self._connection)

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            self._commit()
        else:
            self._roll_back()
            self._drop_connection_after(error)

    def _commit(self) -> None:
        if not self._connection.in_transaction:
            raise Unavailable("SQLite itself has rolled back this transaction.")
        began = time.perf_counter()
        try:
            if self._begin is _WRITE and self._connection.total_changes() != self._before:
                draw(self._connection)
            self._connection.execute("COMMIT")
        except BaseException as error:
            ours = translate(error, self._connection) if isinstance(error, apsw.Error) else error
            self._roll_back()
            raise self._drop_connection_after(ours) from error
        if self._begin is _WRITE:
            self._database.note_commit(time.perf_counter() - began)

    def _roll_back(self) -> None:
        # After some failures, such as a full disk, SQLite has rolled back already.
        if self._connection.in_transaction:
            try:
                self._connection.execute("ROLLBACK")
            except apsw.Error:  # closing the connection rolls back as well
                self._database.discard_connection(self._connection)

    def _drop_connection_after(self, error: Any) -> Any:
        """Closes the connection after a problem with the file. The next unit tries again with a new connection."""
        if isinstance(error, Unavailable) and not isinstance(error, DiskFull | Locked):
            self._database.discard_connection(self._connection)
        return error


def _apply_settings(connection: apsw.Connection, wait_ms: int) -> None:
    """Applies our settings. Retries, because SQLite lets only one of several processes enable WAL in a new file."""
    until = time.monotonic() + wait_ms / 1000
    while True:
        try:
            connection.execute(_SETTINGS).fetchall()  # reading the rows runs all statements, not only the first
        except apsw.BusyError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


class SqliteDatabase:
    """Runs short work on the event loop itself, because it would cost two to three times as much in threads.

    Large work, and work that must wait for a busy file, runs in threads: a few for reading and one for writing, in
    which users take turns. One more thread copies the log back into the file.
    """

    dialect: Dialect = "sqlite"

    def __init__(
        self, path: Path, *, overwrite_deleted: bool = False, wait_ms: int = WAIT_MS, log_pages: int = COPIED_PAGES
    ) -> None:
        """Prepares the database. No unit waits longer than `wait_ms` for a busy file."""
        self.log = LogCopier(self.connection, log_pages)
        self.path = path
        self._files = OpenFiles(path)
        self._wait_ms = wait_ms
        self._turns = LoopTurns()
        self._rests = Rests()
        self._readers = FairThreads("farthing-reader", _READERS, of_user_max=1, rests=self._rests)
        self._writer = FairThreads("farthing-writer", 1, of_user_max=1, rests=self._rests)
        self.large_read_s = LARGE_READ_S
        self.is_slow = False
        self._commit_s = 0.0
        self._overwrite_deleted = overwrite_deleted
        self._of_thread = threading.local()
        self._opened: list[apsw.Connection] = []
        self._flags = _OPEN_OR_CREATE
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise Unavailable(f"The data folder cannot be created: {error}") from error

    async def read(self, work: Callable[[Unit], T], *, large: bool = False, asker: Asker = ANYBODY) -> T:
        self._rests.note_request(asker)
        if large:
            return await self._readers.run(asker, self._read_large, work, time.monotonic(), asker)
        with suppress(_CannotBegin):  # `work` was not called
            return await self._run_on_loop(_READ, work, asker)
        return await self._readers.run(asker, self._wait_and_run, _READ, work, time.monotonic())

    async def write(self, work: Callable[[Unit], T], *, large: bool = False, asker: Asker = ANYBODY) -> T:
        self._rests.note_request(asker)
        if not large and not self.is_slow:
            with suppress(_CannotBegin):
                return await self._run_on_loop(_WRITE, work, asker)
        return await self._writer.run(asker, self._wait_and_run, _WRITE, work, time.monotonic())

    async def _run_on_loop(self, begin: str, work: Callable[[Unit], T], asker: Asker) -> T:
        """Runs work on the event loop. Raises _CannotBegin, before calling `work`, if the file is locked."""
        await self._turns.wait(asker)
        with self._transaction(begin, 0) as db:
            return work(db)

    def _read_large(self, work: Callable[[Unit], T], came_at: float, asker: Asker) -> T:
        with self._leashed(Leash(asker, self.large_read_s)) as leash:
            return self._wait_and_run(_READ, work, came_at, leash)

    def _wait_and_run(self, begin: str, work: Callable[[Unit], T], came_at: float, leash: Leash | None = None) -> T:
        """Runs work, and waits for a busy file if necessary. Time spent in the queue counts towards `wait_ms`.

        Otherwise each of several queued requests would wait for the full time, one after the other.
        """
        queued_ms = int((time.monotonic() - came_at) * 1000)
        with self._transaction(begin, max(0, self._wait_ms - queued_ms)) as db:
            db.leash = leash
            return work(db)

    @contextmanager
    def _leashed(self, leash: Leash) -> Iterator[Leash]:
        """Interrupts statements of this thread as soon as the leash says that the work must stop."""
        connection = self.connection()
        connection.set_progress_handler(leash.is_over, _STEPS)
        try:
            yield leash
        finally:
            with suppress(apsw.ConnectionClosedError):
                connection.set_progress_handler(None)

    def reading(self) -> "_Transaction":
        return self._transaction(_READ, self._wait_ms)

    def writing(self) -> "_Transaction":
        return self._transaction(_WRITE, self._wait_ms)

    def _transaction(self, begin: str, wait_ms: int) -> "_Transaction":
        self._files.refuse_lost(writing=begin is _WRITE)
        connection = self.connection()
        if begin is _WRITE and self._of_thread.is_read_only:
            self.discard_connection(connection)
            connection = self.connection()
        return _Transaction(self, connection, begin, wait_ms)

    def note_commit(self, seconds: float) -> None:
        """Updates the average duration of commits, and from that, whether the disk is slow.

        The average avoids frequent switches between the event loop and the writer thread, which are expensive: a write
        by one of them invalidates the page cache of the other's connection. A single stall counts as no more than ten
        slow commits, because a disk that stalls now and then is not slow.
        """
        self._commit_s += (min(seconds, 10 * _SLOW_S) - self._commit_s) / _COMMITS
        self.is_slow = self._commit_s > _SLOW_S

    def keep_copy(self, name: str) -> None:
        """Copies the database to a new file in the same folder. Does nothing if that file exists."""
        copy = self.path.with_name(f"{self.path.stem}.{name}.sqlite3")
        if not copy.exists():
            self.snapshot(copy)

    def snapshot(self, path: Path) -> None:
        """Copies the current state of the whole database into a new file. Others can write meanwhile."""
        create_private(path)
        connection = self.connection()
        try:
            connection.execute("VACUUM INTO ?", (str(path),)).fetchall()
            with closing(apsw.Connection(str(path))) as copy:
                draw(copy)  # the log of this file is not the log of its copy
        except apsw.Error as error:
            raise translate(error, connection, str(path)) from error

    def distrust(self) -> None:
        """Disables triggers, views and expressions in an untrusted file, for the connection of this thread."""
        connection = self.connection()
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        for option in ("ENABLE_TRIGGER", "ENABLE_VIEW", "TRUSTED_SCHEMA"):
            connection.config(getattr(apsw, f"SQLITE_DBCONFIG_{option}"), 0)

    def empty_log(self) -> None:
        """Copies all changes from the log into the database file, and empties the log."""
        connection = self.connection()
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except apsw.Error as error:
            raise translate(error, connection) from error

    def connection(self) -> apsw.Connection:
        """Returns the connection of this thread, and opens it if necessary."""
        connection: apsw.Connection | None = getattr(self._of_thread, "connection", None)
        if connection is None:
            self._files.look()  # if the log was deleted, opening a connection would make a second log
            connection = self._connect()
            self._of_thread.connection = connection
            self._files.note()
            self._of_thread.is_read_only = not self._files.are_writable()
            self._opened.append(connection)
            self._flags = _OPEN_EXISTING
        return connection

    def discard_connection(self, connection: apsw.Connection) -> None:
        """Closes the connection of this thread, which is unusable.

        Keeps the connection if the log was deleted: the changes in a deleted log exist only while it is open.
        """
        try:
            self._files.look()
        except FileGone:
            return
        self._of_thread.connection = None
        with suppress(ValueError):
            self._opened.remove(connection)
        if not self._opened:
            self._files.forget_log()
        with suppress(apsw.Error):
            connection.close()

    def _connect(self) -> apsw.Connection:
        connection = None
        if self._flags == _OPEN_OR_CREATE:
            refuse_foreign_log(self.path)
            create_private(self.path)
        try:
            connection = apsw.Connection(str(self.path), flags=self._flags, statementcachesize=512)
            connection.set_busy_timeout(self._wait_ms)
            # Otherwise SQLite recompiles a statement for each new value of a range, which costs more than running it.
            connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            _apply_settings(connection, self._wait_ms)
            connection.execute(_TAKE_SNAPSHOT).fetchall()  # creates the log file
            if self._overwrite_deleted:
                connection.execute("PRAGMA secure_delete = ON").fetchall()
            self.log.watch(connection)
        except apsw.Error as error:
            raise translate(error, connection, str(self.path)) from error
        return connection

    def close(self) -> None:
        self._readers.shutdown()
        self._writer.shutdown()
        self.log.close()
        for connection in self._opened:
            connection.close()
        self._opened.clear()
        self._files.forget_log()
        self._of_thread = threading.local()


# How many pages are copied between two reports of progress.
_AT_ONCE = 10_000


def take_over(
    target: SqliteDatabase, source: SqliteDatabase, refuse: Callable[[Unit], None], progress: Callable[[str], None]
) -> None:
    """Replaces all content of the target with that of the source, in one unit of work.

    Calls `refuse` when nobody else can write to the target any more. `refuse` must raise if the target must be kept.
    """
    with target.reading():
        pass  # refuses a file that has been replaced
    connection = target.connection()
    try:
        draw(connection)  # the copied pages include another file's header, which must not come first in the log
        with connection.backup("main", source.connection(), "main") as pages:
            pages.step(1)  # takes the lock
            with closing(SqliteDatabase(target.path)) as beside, beside.reading() as db:
                refuse(db)
            while not pages.done:
                progress(f"pages: {pages.page_count - pages.remaining} of {pages.page_count}")
                pages.step(_AT_ONCE)
    except apsw.Error as error:
        raise translate(error, connection, str(target.path)) from error
