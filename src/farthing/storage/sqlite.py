"""How do we speak to SQLite? With apsw: WAL, durable commits, one connection per thread that uses it."""

import errno
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import apsw
import msgspec

from ..errors import Damaged, DiskFull, Locked, ReadOnly, Unavailable
from .unit import Author, Busy, Clash, Dialect, Overflow, Remembered, Row, Rows, for_sqlite, lists_in

T = TypeVar("T")
# A commit takes a millisecond; whoever waits this long waits for something that is stuck.
PATIENCE_MS = 30_000
# On a slow disk a commit takes longer, and whoever only reads should not wait for it.
_SLOW_S = 0.005
_COMMITS = 64  # so many, about, are looked at
_NOT_STORABLE = 3091  # SQLITE_CONSTRAINT_DATATYPE: 64 bits overflowed, and a STRICT column refused the float

# A write touches some forty pages, mostly those that the writes before it touched: the longer they are gathered in the
# log, the fewer have to be copied from it. In one block of its index, which readers look through, are 4 062 pages.
_SETTINGS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -8192;
PRAGMA wal_autocheckpoint = 4000;
"""


@lru_cache(maxsize=1024)
def _sql(sql: str) -> tuple[str, tuple[str, ...]]:
    """In its own words; and which parameters are lists, that travel as JSON."""
    return for_sqlite(sql), lists_in(sql)


def _bound(sql: str, parameters: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The parameters of a call are nobody else's: they are changed in place."""
    text, lists = _sql(sql)
    for name in lists:
        parameters[name] = _encode(parameters[name]).decode()
    return text, parameters


_encode = msgspec.json.Encoder().encode


_MADE_IF_ABSENT = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
# A file that was there and is gone has not become empty books.
_NO_MORE_MADE = apsw.SQLITE_OPEN_READWRITE
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_NOT_ALLOWED = (errno.EROFS, errno.EPERM, errno.EACCES)


def _ours(error: apsw.Error, connection: apsw.Connection | None, file: str = "") -> Exception:
    """The driver's error as one of ours; what is left is a bug and stays what it is.

    `file` is the one that it wrote, if that is not the connection's own; what is damaged is always the connection's.
    """
    match error:
        case apsw.ConstraintError() if getattr(error, "extendedresult", 0) == _NOT_STORABLE:
            return Overflow(str(error))
        case apsw.ConstraintError():
            return Clash(str(error))
        case apsw.BusyError() | apsw.LockedError():
            return Busy(str(error))
        case apsw.CorruptError() | apsw.NotADBError():
            return Damaged(f"The database file {connection.filename if connection else file} is damaged: {error}.")
        case (
            apsw.FullError() | apsw.IOError() | apsw.ReadOnlyError() | apsw.CantOpenError() | apsw.PermissionsError()
        ):  # fmt: skip
            reason, own = (connection.system_errno, connection.filename) if connection else (0, "")
            return _of_the_disk(error, reason, file or own)
    return error


def _of_the_disk(error: apsw.Error, reason: int, file: str) -> Unavailable:
    """SQLite does not say which file it is, and it may be a copy on another disk.

    `reason` is what the operating system said last; of an error without its word it may be another's.
    """
    spoke = isinstance(error, apsw.IOError | apsw.CantOpenError)
    if isinstance(error, apsw.FullError) or (spoke and reason in _NO_ROOM):
        return DiskFull(f"There is no room on the disk of {file}.")
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError) or (spoke and reason in _NOT_ALLOWED):
        return ReadOnly(f"The database cannot be written to: {error} {file}")
    if isinstance(error, apsw.CantOpenError) and _is_write_protected(Path(file).parent):
        # SQLite looked for what stands beside the file last, so that the system only said that it is not there.
        return ReadOnly(f"The database cannot be opened: SQLite writes beside {file}, where nothing can be written.")
    return Unavailable(f"The database cannot be used just now: {error} {file}")


def _is_write_protected(folder: Path) -> bool:
    return folder.is_dir() and not os.access(folder, os.W_OK)


class SqliteUnit:
    __slots__ = ("_changed", "_connection", "_execute", "_executemany", "author", "memory")
    dialect: Dialect = "sqlite"

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._execute: Callable[..., apsw.Cursor] = connection.execute
        self._executemany: Callable[..., apsw.Cursor] = connection.executemany
        self._changed = connection.changes
        self.author: Author | None = None
        self.memory: Remembered | None = None

    def one(self, sql: str, **parameters: Any) -> Row | None:
        rows = self._run(sql, parameters)
        return rows[0] if rows else None

    def all(self, sql: str, **parameters: Any) -> list[Row]:
        return self._run(sql, parameters)

    def value(self, sql: str, **parameters: Any) -> Any:
        rows = self._run(sql, parameters)
        return rows[0][0] if rows else None

    def run(self, sql: str, **parameters: Any) -> int:
        self._run(sql, parameters)
        return self._changed()

    def _run(self, sql: str, parameters: dict[str, Any]) -> list[Row]:
        try:
            return self._execute(*_bound(sql, parameters)).fetchall()
        except apsw.Error as error:
            raise self._failed(error) from error

    def many(self, sql: str, rows: Rows) -> None:
        try:
            self._executemany(_sql(sql)[0], rows)
        except apsw.Error as error:
            raise self._failed(error) from error
        except OverflowError as error:
            raise Overflow(str(error)) from error

    def many_returning(self, sql: str, rows: Rows) -> list[Row]:
        try:
            return self._executemany(_sql(sql)[0], rows).fetchall()
        except apsw.Error as error:
            raise self._failed(error) from error

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self.all("SAVEPOINT attempt")
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:  # else there is nothing left to go back to
                self.all("ROLLBACK TO attempt")
                self.all("RELEASE attempt")
            raise
        self.all("RELEASE attempt")

    def stream(self, sql: str, **parameters: Any) -> Iterator[Row]:
        try:
            yield from self._execute(*_bound(sql, parameters))
        except apsw.Error as error:
            raise self._failed(error) from error

    def script(self, sql: str) -> None:
        try:
            self._execute(sql).fetchall()
        except apsw.Error as error:
            raise self._failed(error) from error

    def _failed(self, error: apsw.Error) -> Exception:
        """Some failures (a full disk) roll everything back at once: then whatever comes after would stand alone."""
        ours = _ours(error, self._connection)
        if not self._connection.in_transaction:

            def over(*_given: object) -> NoReturn:
                raise ours

            self._execute = self._executemany = over
        return ours


_READ, _WRITE = "BEGIN", "BEGIN IMMEDIATE"


class _Transaction:
    """One `with` block. Written out, because a generator would cost a short read a tenth of its time."""

    __slots__ = ("_begin", "_connection", "_database", "_patient")

    def __init__(self, database: "SqliteDatabase", connection: apsw.Connection, begin: str, patient: bool) -> None:
        self._database = database
        self._connection = connection
        self._begin = begin
        self._patient = patient

    def __enter__(self) -> SqliteUnit:
        self._connection.set_busy_timeout(PATIENCE_MS if self._patient else 0)
        try:
            self._connection.execute(self._begin)
        except apsw.BusyError as error:
            if not self._patient:
                raise Busy(str(error)) from error
            raise Locked(f"Somebody has held the database for {PATIENCE_MS // 1000} seconds.") from error
        except apsw.Error as error:
            raise self._told(_ours(error, self._connection)) from error
        return SqliteUnit(self._connection)

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            self._commit()
        else:
            self._roll_back()
            self._told(error)

    def _commit(self) -> None:
        if not self._connection.in_transaction:
            raise Unavailable("The database has taken everything back by itself.")
        began = time.perf_counter()
        try:
            self._connection.execute("COMMIT")
        except BaseException as error:
            ours = _ours(error, self._connection) if isinstance(error, apsw.Error) else error
            self._roll_back()
            raise self._told(ours) from error
        if self._begin is _WRITE:
            self._database.note_commit(time.perf_counter() - began)

    def _roll_back(self) -> None:
        # Some failures (a full disk) have rolled back already.
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def _told(self, error: Any) -> Any:
        """Whatever is wrong with the file, the next connection looks for itself."""
        if isinstance(error, Unavailable) and not isinstance(error, DiskFull | Locked):
            self._database.part_with(self._connection)
        return error


def _make_for_us(path: Path) -> None:
    """Left to SQLite, others could read it; what stands beside it gets its mode. SQLite says why it cannot be made."""
    with suppress(OSError):
        path.touch(mode=0o600, exist_ok=False)


def _settle(connection: apsw.Connection) -> None:
    """When several make a new file one with a log at the same moment, SQLite sends all but one away at once."""
    until = time.monotonic() + PATIENCE_MS / 1000
    while True:
        try:
            connection.execute(_SETTINGS).fetchall()  # to the end: a script stops at the first row it gives
        except apsw.BusyError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return


class SqliteDatabase:
    dialect: Dialect = "sqlite"
    # Short statements run on the event loop itself: threads were measured two to three times dearer.
    on_loop = True

    def __init__(self, path: Path, *, forgets: bool = False) -> None:
        """With `forgets` what is deleted is overwritten."""
        self.path = path
        self.is_slow = False
        self._commit_s = 0.0
        self._forgets = forgets
        self._of_thread = threading.local()
        self._opened: list[apsw.Connection] = []
        self._flags = _MADE_IF_ABSENT
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise Unavailable(f"The data folder cannot be made: {error}") from error

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        return work(*given)

    def reading(self, *, patient: bool = True) -> "_Transaction":
        return _Transaction(self, self.connection(), _READ, patient)

    def writing(self, *, patient: bool = True) -> "_Transaction":
        connection = self.connection()
        if connection.readonly("main"):  # it was opened while nothing could be written, and would stay so
            self.part_with(connection)
            connection = self.connection()
        return _Transaction(self, connection, _WRITE, patient)

    def note_commit(self, seconds: float) -> None:
        """On average, and a stall counts no more than ten slow ones: a disk that stalls now and then is not slow.

        To change between the event loop and the thread is dear: the writes of one make the pages that the connection of
        the other has in memory worthless.
        """
        self._commit_s += (min(seconds, 10 * _SLOW_S) - self._commit_s) / _COMMITS
        self.is_slow = self._commit_s > _SLOW_S

    def snapshot(self, path: Path) -> None:
        """The whole database as of this moment, in a new file; whoever writes meanwhile goes on writing."""
        _make_for_us(path)
        connection = self.connection()
        try:
            connection.execute("VACUUM INTO ?", (str(path),)).fetchall()
        except apsw.Error as error:
            raise _ours(error, connection, str(path)) from error

    def settle(self) -> None:
        """Afterwards all of it is in the one file, and none beside it."""
        connection = self.connection()
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except apsw.Error as error:
            raise _ours(error, connection) from error

    def connection(self) -> apsw.Connection:
        """The one of this thread."""
        connection: apsw.Connection | None = getattr(self._of_thread, "connection", None)
        if connection is None:
            connection = self._connected()
            self._of_thread.connection = connection
            self._opened.append(connection)
            self._flags = _NO_MORE_MADE
        return connection

    def part_with(self, connection: apsw.Connection) -> None:
        """It is this thread's, and no good any more."""
        self._of_thread.connection = None
        with suppress(ValueError):
            self._opened.remove(connection)
        connection.close()

    def _connected(self) -> apsw.Connection:
        connection = None
        if self._flags == _MADE_IF_ABSENT:
            _make_for_us(self.path)
        try:
            connection = apsw.Connection(str(self.path), flags=self._flags, statementcachesize=512)
            connection.set_busy_timeout(PATIENCE_MS)
            # Otherwise each new value of a range has its statement compiled again, which is dearer than running it.
            connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
            _settle(connection)
            if self._forgets:
                connection.execute("PRAGMA secure_delete = ON").fetchall()
        except apsw.Error as error:
            raise _ours(error, connection, str(self.path)) from error
        return connection

    def close(self) -> None:
        for connection in self._opened:
            connection.close()
        self._opened.clear()
        self._of_thread = threading.local()
