"""How do we speak to SQLite? With apsw: WAL, durable commits, one connection per thread that uses it."""

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

import apsw
import msgspec

from ..errors import Unavailable
from .unit import Author, Busy, Clash, Dialect, Overflow, Row, translated

# A commit takes a millisecond; whoever waits this long waits for something that is stuck.
PATIENCE_MS = 120_000
_NOT_STORABLE = 3091  # SQLITE_CONSTRAINT_DATATYPE: 64 bits overflowed, and a STRICT column refused the float

_SETTINGS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -8192;
"""


@lru_cache(maxsize=1024)
def _sql(sql: str) -> str:
    return translated(sql, "sqlite")


def _bound(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    for value in parameters.values():
        if type(value) is list:
            return {name: _as_json(given) for name, given in parameters.items()}
    return parameters


def _as_json(value: Any) -> Any:
    return msgspec.json.encode(value).decode() if type(value) is list else value


def _ours(error: apsw.Error) -> Exception:
    """The driver's error as one of ours; what is left is a bug and stays what it is."""
    match error:
        case apsw.ConstraintError() if getattr(error, "extendedresult", 0) == _NOT_STORABLE:
            return Overflow(str(error))
        case apsw.ConstraintError():
            return Clash(str(error))
        case apsw.BusyError() | apsw.LockedError():
            return Busy(str(error))
        case (
            apsw.FullError() | apsw.IOError() | apsw.ReadOnlyError() | apsw.CantOpenError()
            | apsw.CorruptError() | apsw.NotADBError() | apsw.PermissionsError()
        ):  # fmt: skip
            return Unavailable(f"The database cannot be used just now: {error}")
    return error


class SqliteUnit:
    dialect: Dialect = "sqlite"

    def __init__(self, connection: apsw.Connection) -> None:
        self._execute = connection.execute
        self._executemany = connection.executemany
        self._changed = connection.changes
        self.author: Author | None = None

    def one(self, sql: str, **parameters: Any) -> Row | None:
        rows = self.all(sql, **parameters)
        return rows[0] if rows else None

    def all(self, sql: str, **parameters: Any) -> list[Row]:
        try:
            return self._execute(_sql(sql), _bound(parameters)).fetchall()
        except apsw.Error as error:
            raise _ours(error) from error

    def value(self, sql: str, **parameters: Any) -> Any:
        rows = self.all(sql, **parameters)
        return rows[0][0] if rows else None

    def run(self, sql: str, **parameters: Any) -> int:
        self.all(sql, **parameters)
        return self._changed()

    def many(self, sql: str, rows: Iterable[Mapping[str, Any]]) -> None:
        try:
            self._executemany(_sql(sql), rows)
        except apsw.Error as error:
            raise _ours(error) from error

    def many_returning(self, sql: str, rows: Iterable[Mapping[str, Any]]) -> list[Row]:
        try:
            return self._executemany(_sql(sql), rows).fetchall()
        except apsw.Error as error:
            raise _ours(error) from error

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self._execute("SAVEPOINT attempt")
        try:
            yield
        except BaseException:
            self._execute("ROLLBACK TO attempt")
            self._execute("RELEASE attempt")
            raise
        self._execute("RELEASE attempt")

    def stream(self, sql: str, **parameters: Any) -> Iterator[Row]:
        try:
            yield from self._execute(_sql(sql), _bound(parameters))
        except apsw.Error as error:
            raise _ours(error) from error

    def script(self, sql: str) -> None:
        self._execute(sql).fetchall()


class _Transaction:
    """One `with` block. Written out, because a generator would cost a short read a tenth of its time."""

    __slots__ = ("_begin", "_connection", "_patient")

    def __init__(self, connection: apsw.Connection, begin: str, patient: bool) -> None:
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
            raise Unavailable(f"The database has been busy for {PATIENCE_MS // 1000} seconds.") from error
        except apsw.Error as error:
            raise _ours(error) from error
        return SqliteUnit(self._connection)

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            self._commit()
        else:
            self._roll_back()

    def _commit(self) -> None:
        try:
            self._connection.execute("COMMIT")
        except BaseException as error:
            self._roll_back()
            if isinstance(error, apsw.Error):
                raise _ours(error) from error
            raise

    def _roll_back(self) -> None:
        # Some failures (a full disk) have rolled back already.
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")


class SqliteDatabase:
    dialect: Dialect = "sqlite"
    # Short statements run on the event loop itself: threads were measured two to three times dearer.
    on_loop = True

    def __init__(self, path: Path) -> None:
        self.path = path
        self._of_thread = threading.local()
        self._opened: list[apsw.Connection] = []
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise Unavailable(f"The data folder cannot be made: {error}") from error

    def reading(self, *, patient: bool = True) -> "_Transaction":
        return _Transaction(self._connection(), "BEGIN", patient)

    def writing(self, *, patient: bool = True) -> "_Transaction":
        return _Transaction(self._connection(), "BEGIN IMMEDIATE", patient)

    def snapshot(self, path: Path) -> None:
        """The whole database as of this moment, in a new file; whoever writes meanwhile goes on writing."""
        try:
            self._connection().execute("VACUUM INTO ?", (str(path),)).fetchall()
        except apsw.Error as error:
            raise _ours(error) from error

    def settle(self) -> None:
        """Afterwards all of it is in the one file, and none beside it."""
        self._connection().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _connection(self) -> apsw.Connection:
        connection: apsw.Connection | None = getattr(self._of_thread, "connection", None)
        if connection is None:
            try:
                connection = apsw.Connection(str(self.path), statementcachesize=512)
                connection.set_busy_timeout(PATIENCE_MS)
                # Otherwise each new value of a range has its statement compiled again, which is dearer than running it.
                connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
                connection.execute(_SETTINGS).fetchall()  # to the end: a script stops at the first row it gives
            except apsw.Error as error:
                raise _ours(error) from error
            self._of_thread.connection = connection
            self._opened.append(connection)
        return connection

    def close(self) -> None:
        for connection in self._opened:
            connection.close()
        self._opened.clear()
        self._of_thread = threading.local()
