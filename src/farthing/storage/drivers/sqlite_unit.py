"""Runs the statements of a unit of work, between BEGIN and COMMIT, on a SQLite connection and translates errors."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path
from time import thread_time
from typing import Any, NoReturn, TypeVar

import apsw
import msgspec
from msgspec import Struct

from farthing.kernel.errors import Damaged, DiskFull, Locked, ReadOnly, Unavailable

from ..fair.leash import Leash
from ..rows.reader import StructReader, find_reader
from ..unit import Answer, Author, Clash, Dialect, Overflow, Row, Rows, for_sqlite, lists_in

_NOT_STORABLE = 3091  # SQLITE_CONSTRAINT_DATATYPE: 64 bits overflowed, and a STRICT column refused the float
_NOT_ALLOWED = (errno.EROFS, errno.EPERM, errno.EACCES)
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def translate(error: apsw.Error, connection: apsw.Connection | None, file: str = "") -> Exception:
    """Converts an error of apsw into one of our own. Returns an unexpected error, which is a bug, unchanged.

    `file` is the file that was being written, if that is not the database file of the connection.
    """
    match error:
        case apsw.ConstraintError() if getattr(error, "extendedresult", 0) == _NOT_STORABLE:
            return Overflow(str(error))
        case apsw.ConstraintError():
            return Clash(str(error))
        case apsw.BusyError() | apsw.LockedError():
            return Locked(str(error))
        case apsw.CorruptError() | apsw.NotADBError():
            return Damaged(f"The database file {connection.filename if connection else file} is damaged: {error}.")
        case apsw.NoMemError():
            return Unavailable("There was too little memory for the database.")
        case (
            apsw.FullError() | apsw.IOError() | apsw.ReadOnlyError() | apsw.CantOpenError() | apsw.PermissionsError()
        ):  # fmt: skip
            reason, own = (connection.system_errno, connection.filename) if connection else (0, "")
            return translate_disk_error(error, reason, file or own)
    return error


def translate_disk_error(error: apsw.Error, reason: int, file: str) -> Unavailable:
    """Converts an error about a file. `file` is its name, which SQLite does not report: it may be a copy elsewhere.

    `reason` is the last error number of the operating system. It is only used for I/O errors and files that cannot be
    opened, because after other errors it may be outdated.
    """
    has_reason = isinstance(error, apsw.IOError | apsw.CantOpenError)
    if isinstance(error, apsw.FullError) or (has_reason and reason in _NO_ROOM):
        return DiskFull(f"There is no room on the disk of {file}.")
    if isinstance(error, apsw.ReadOnlyError | apsw.PermissionsError) or (has_reason and reason in _NOT_ALLOWED):
        return ReadOnly(f"The database cannot be written to: {error} {file}")
    if isinstance(error, apsw.CantOpenError) and _is_write_protected(Path(file).parent):
        # SQLite looked for the journal last, so the system only reports that there is none.
        return ReadOnly(
            f"The database cannot be opened: SQLite must create files next to {file}, but the folder is not writable."
        )
    return Unavailable(f"The database cannot be used just now: {error} {file}")


def _is_write_protected(folder: Path) -> bool:
    return folder.is_dir() and not os.access(folder, os.W_OK)


S = TypeVar("S", bound=Struct)
_encode = msgspec.json.Encoder().encode
# How many rows are converted to structs at a time.
_STREAM_ROWS = 500


@lru_cache(maxsize=1024)
def _statement(sql: str) -> tuple[str, tuple[str, ...]]:
    """Returns the statement for SQLite, and the names of its list parameters, which are passed as JSON."""
    return for_sqlite(sql), lists_in(sql)


def _bind(sql: str, parameters: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns the statement for SQLite with its parameters, which are changed in place: no other code uses them."""
    text, lists = _statement(sql)
    for name in lists:
        parameters[name] = _encode(parameters[name]).decode()
    return text, parameters


def _prepare(reader: StructReader[S], cursor: apsw.Cursor) -> None:
    if not reader.is_ready:
        with suppress(apsw.ExecutionCompleteError):  # without rows, SQLite does not report the columns
            reader.prepare(column[0] for column in cursor.getdescription())


class SqliteUnit:
    __slots__ = (
        "_changed",
        "_connection",
        "_execute",
        "_executemany",
        "author",
        "has_new_jobs",
        "leash",
        "on_overflow",
    )
    dialect: Dialect = "sqlite"

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._execute: Callable[..., apsw.Cursor] = connection.execute
        self._executemany: Callable[..., apsw.Cursor] = connection.executemany
        self._changed = connection.changes
        self.author: Author | None = None
        self.leash: Leash | None = None
        self.has_new_jobs = False
        self.on_overflow: Exception | None = None  # code that sets this must also catch Overflow

    def one(self, sql: str, **parameters: Any) -> Row | None:
        rows = self._run(sql, parameters)
        return rows[0] if rows else None

    def all(self, sql: str, **parameters: Any) -> list[Row]:
        return self._run(sql, parameters)

    def value(self, sql: str, **parameters: Any) -> Any:
        rows = self._run(sql, parameters)
        return rows[0][0] if rows else None

    def struct(self, model: type[S], sql: str, /, **parameters: Any) -> S | None:
        structs = self.structs(model, sql, **parameters)
        return structs[0] if structs else None

    def structs(self, model: type[S], sql: str, /, **parameters: Any) -> list[S]:
        if self.leash:
            self.leash.refuse_more()
        reader = find_reader(model, sql)
        try:
            cursor = self._execute(*_bind(sql, parameters))
            _prepare(reader, cursor)
            return reader.read(cursor.fetchall())
        except apsw.Error as error:
            raise self._translate(error) from error

    def ask_structs(
        self, model: type[S], sql: str, then: Callable[[list[S]], None] | None = None, /, **parameters: Any
    ) -> Answer[S]:
        answer: Answer[S] = Answer(self.flush)
        (then or answer.receive)(self.structs(model, sql, **parameters))
        return answer

    def ask(self, sql: str, then: Callable[[list[Row]], None] | None = None, /, **parameters: Any) -> Answer[Row]:
        answer: Answer[Row] = Answer(self.flush)
        (then or answer.receive)(self._run(sql, parameters))
        return answer

    def run(self, sql: str, **parameters: Any) -> None:
        self._run(sql, parameters)

    def run_and_count(self, sql: str, **parameters: Any) -> int:
        self._run(sql, parameters)
        return self._changed()

    def flush(self) -> None:
        """Does nothing: every statement has run when its call returns."""

    def _run(self, sql: str, parameters: dict[str, Any]) -> list[Row]:
        if self.leash:
            self.leash.refuse_more()
        try:
            return self._execute(*_bind(sql, parameters)).fetchall()
        except apsw.Error as error:
            raise self._translate(error) from error

    def many(self, sql: str, rows: Rows) -> None:
        try:
            self._executemany(_statement(sql)[0], rows)
        except apsw.Error as error:
            raise self._translate(error) from error
        except OverflowError as error:
            raise Overflow(str(error)) from error

    def many_returning(self, sql: str, rows: Rows) -> list[Row]:
        try:
            return self._executemany(_statement(sql)[0], rows).fetchall()
        except apsw.Error as error:
            raise self._translate(error) from error

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self.all("SAVEPOINT attempt")
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:  # SQLite may have rolled back the whole unit
                self.all("ROLLBACK TO attempt")
                self.all("RELEASE attempt")
            raise
        self.all("RELEASE attempt")

    def stream_structs(self, model: type[S], sql: str, /, **parameters: Any) -> Iterator[S]:
        reader = find_reader(model, sql)
        with self._translating():
            cursor = self._execute(*_bind(sql, parameters))
            _prepare(reader, cursor)
            while rows := list(islice(cursor, _STREAM_ROWS)):
                yield from reader.read(rows)

    def stream(self, sql: str, **parameters: Any) -> Iterator[Row]:
        with self._translating():
            yield from self._execute(*_bind(sql, parameters))

    def script(self, sql: str) -> None:
        with self._translating():
            self._execute(sql).fetchall()

    def cpu_s(self) -> float:
        return thread_time()

    @contextmanager
    def _translating(self) -> Iterator[None]:
        """Translates errors. Short statements do not use this, because it would noticeably slow them down."""
        try:
            yield
        except apsw.Error as error:
            raise self._translate(error) from error

    def _translate(self, error: apsw.Error) -> Exception:
        """Translates an error, and makes the unit unusable if SQLite has rolled it back, as on a full disk.

        Every later statement of the unit then raises the same error. Otherwise each would be committed on its own.
        """
        is_cut = self.leash is not None and isinstance(error, apsw.InterruptError)
        ours = self.leash.reason() if is_cut and self.leash else translate(error, self._connection)
        if not self._connection.in_transaction:

            def refuse(*_given: object) -> NoReturn:
                raise ours

            self._execute = self._executemany = refuse
        return ours
