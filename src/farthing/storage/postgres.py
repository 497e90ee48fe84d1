"""How do we speak to PostgreSQL? With psycopg and its pool, from fibers and from threads."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import count
from typing import Any, NoReturn, TypeVar

import psycopg
from psycopg import pq

from ..errors import DiskFull, ReadOnly, Unavailable
from . import fibers
from .connection import COMMIT, Connection
from .connections import WAIT_S, Connections
from .rows import parted, statements
from .unit import Author, Clash, Dialect, Overflow, Remembered, Row, Rows

# While the database is gone, it is looked for so often, and everybody else is told so at once.
_LOOK_EVERY_S = 1.0
_LOOK_S = 3
_CLOSING_S = 1.0
_SNAPSHOT = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_UNIT_OF_WORK = b"BEGIN ISOLATION LEVEL READ COMMITTED"

T = TypeVar("T")


def _ours(error: psycopg.Error) -> Exception:
    """The driver's error as one of ours; what is left is a bug and stays what it is."""
    match error:
        case psycopg.errors.NumericValueOutOfRange():
            return Overflow(str(error))
        case psycopg.IntegrityError():
            return Clash(str(error))
        case psycopg.errors.DiskFull():
            return DiskFull(f"There is no room on the disk of the database: {error}".splitlines()[0])
        case psycopg.errors.ReadOnlySqlTransaction():
            return ReadOnly(f"The database takes no writes: {error}".splitlines()[0])
        case psycopg.OperationalError():
            return Unavailable(f"The database cannot be reached just now: {error}".splitlines()[0])
    return error


@contextmanager
def _in_our_words() -> Iterator[None]:
    """For what is rare: where each request comes by, it is written out."""
    try:
        yield
    except psycopg.Error as error:
        raise _ours(error) from error


class _Nobody:
    """In place of who has been asked before, or must not be asked."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def __getattr__(self, _name: str) -> NoReturn:
        raise AssertionError(self._reason)


# The connection is somebody else's by then.
_OVER: Any = _Nobody("this unit is over")
_READ_ONLY: Any = _Nobody("who only reads writes nothing")


class PostgresUnit:
    dialect: Dialect = "postgresql"

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._streams: set[int] = set()
        self.author: Author | None = None
        self.memory: Remembered | None = None

    def end(self) -> None:
        self._connection = _OVER

    def one(self, sql: str, **parameters: Any) -> Row | None:
        rows = self._rows(sql, parameters)
        return rows[0] if rows else None

    def all(self, sql: str, **parameters: Any) -> list[Row]:
        return self._rows(sql, parameters)

    def value(self, sql: str, **parameters: Any) -> Any:
        rows = self._rows(sql, parameters)
        return rows[0][0] if rows else None

    def run(self, sql: str, **parameters: Any) -> int:
        try:
            return self._connection.run(sql, parameters)
        except psycopg.Error as error:
            raise _ours(error) from error

    def many(self, sql: str, rows: Rows) -> None:
        insert = parted(sql)
        with _in_our_words():
            if insert:
                for text, values in statements(insert, list(rows)):
                    self._connection.tell(text, values)
            else:
                self._connection.tell_each(sql, rows)

    def many_returning(self, sql: str, rows: Rows) -> list[Row]:
        connection = self._connection
        with _in_our_words():
            return [row for result in connection.tell_each(sql, rows) for row in connection.rows(result)]

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self._command(b"SAVEPOINT attempt")
        try:
            yield
        except BaseException:
            if not self._connection.broken:
                self._command(b"ROLLBACK TO attempt")
                self._command(b"RELEASE attempt")
            raise
        self._command(b"RELEASE attempt")

    def stream(self, sql: str, **parameters: Any) -> Iterator[Row]:
        """Whoever stops early leaves theirs open until the unit ends."""
        number = next(one for one in count() if one not in self._streams)
        self._streams.add(number)
        self._rows(f"DECLARE stream_{number} NO SCROLL CURSOR FOR {sql}", parameters)
        while rows := self._connection.rows(self._command(b"FETCH 2000 FROM stream_%d" % number)):
            yield from rows
        self._command(b"CLOSE stream_%d" % number)
        self._streams.remove(number)

    def script(self, sql: str) -> None:
        self._connection.settle()
        self._connection.execute(sql)

    def _command(self, words: bytes) -> pq.abc.PGresult:
        with _in_our_words():
            return self._connection.command(words)

    def _rows(self, sql: str, parameters: dict[str, Any]) -> list[Row]:
        try:
            return self._connection.ask(sql, parameters)
        except psycopg.Error as error:
            raise _ours(error) from error


def _reach(url: str, timeout_s: int) -> None:
    psycopg.connect(url, connect_timeout=timeout_s).close()


def _begin_reading(connection: Connection) -> None:
    connection.command(_SNAPSHOT)


def _begin_writing(connection: Connection) -> None:
    connection.command(_UNIT_OF_WORK + b" READ WRITE" if connection.can_write else _UNIT_OF_WORK)


class _Transaction:
    """One `with` block. Written out, as that of SQLite is: a generator takes three times as long."""

    __slots__ = ("_begin", "_connection", "_connections", "_database", "_unit")

    def __init__(self, database: "PostgresDatabase", begin: Callable[[Connection], None]) -> None:
        self._database = database
        self._begin = begin

    def __enter__(self) -> PostgresUnit:
        try:
            self._connections, self._connection, _ = self._database.begun(self._begin)
        except psycopg.Error as error:
            raise _ours(error) from error
        self._unit = PostgresUnit(self._connection)
        return self._unit

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        self._unit.end()
        try:
            try:
                if error is None:
                    self._connection.command(COMMIT)
                elif not self._connection.broken:
                    self._connection.command(b"ROLLBACK")
            finally:
                self._database.give_back(self._connections, self._connection)
        except psycopg.Error as failure:
            raise _ours(failure) from failure
        if isinstance(error, psycopg.Error):
            raise _ours(error) from error


class _Questions(PostgresUnit):
    """What a fiber reads, as a `with` block and in it. It begins with the first question, and with no other word."""

    def __init__(self, database: "PostgresDatabase") -> None:
        super().__init__(_READ_ONLY)
        self._database = database
        self._held: tuple[Connections, Connection] | None = None

    def __enter__(self) -> "_Questions":
        return self

    def __exit__(self, _kind: object, _error: object, _trace: object) -> None:
        database, held = self._database, self._held
        self._database, self._held = _OVER, None
        if held:
            database.give_back(*held)

    def stream(self, sql: str, **parameters: Any) -> Iterator[Row]:
        yield from self._rows(sql, parameters)

    def _rows(self, sql: str, parameters: dict[str, Any]) -> list[Row]:
        try:
            if self._held:
                return self._held[1].ask(sql, parameters)
            connections, connection, rows = self._database.begun(Connection.ask, sql, parameters)
        except psycopg.Error as error:
            raise _ours(error) from error
        self._held = connections, connection
        return rows


class PostgresDatabase:
    dialect: Dialect = "postgresql"
    on_loop = False
    is_slow = False

    def __init__(self, url: str, connections_max: int) -> None:
        self._url = url
        self._connections_max = connections_max
        self._changing = threading.Lock()
        self._look_at = 0.0
        # Who waits for a connection waits here, where it costs nobody a thread.
        self._turns = asyncio.Semaphore(connections_max)
        try:
            # The pool would say only that it waited; one connection of our own says what is wrong.
            _reach(url, WAIT_S)
            self._connections: Connections | None = self._new_connections()
            self._connections.first()
        except psycopg.Error as error:
            raise _ours(error) from error

    def _new_connections(self) -> Connections:
        return Connections(self._url, self._connections_max, self.give_back)

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        async with self._turns:
            return await fibers.run(work, *given)

    def reading(self, *, patient: bool = True) -> AbstractContextManager[PostgresUnit]:  # noqa: ARG002 -- readers never wait here
        return _Questions(self) if fibers.is_current() else _Transaction(self, _begin_reading)

    def writing(self, *, patient: bool = True) -> AbstractContextManager[PostgresUnit]:  # noqa: ARG002 -- whoever waits blocks nobody
        return _Transaction(self, _begin_writing)

    def begun(self, begin: Callable[..., T], *given: Any) -> tuple[Connections, Connection, T]:
        """What broke while nobody used it is no reason to refuse anything: nothing was done with it yet."""
        try:
            return self._begun(begin, *given)
        except psycopg.OperationalError:
            if self._connections:
                raise
            return self._begun(begin, *given)

    def _begun(self, begin: Callable[..., T], *given: Any) -> tuple[Connections, Connection, T]:
        connections = self._connections or self._found_again()
        connection = connections.take()
        try:
            return connections, connection, begin(connection, *given)
        except BaseException:
            self.give_back(connections, connection)
            raise

    def give_back(self, connections: Connections, connection: Connection) -> None:
        """With one that broke, all are given up: the others would break one by one, each at somebody's cost."""
        with suppress(psycopg.Error):  # all that was asked has been answered
            connection.end()
        if connection.broken:
            connection.unwatch()
            with self._changing:
                if self._connections is connections:
                    self._connections, self._look_at = None, 0.0
            fibers.aside(connections.give_up, _CLOSING_S)  # whoever waits in it hears of it at once
        connections.give_back(connection)

    def _found_again(self) -> Connections:
        """One at a time looks for it, and not all the time; the others do not wait."""
        with self._changing:
            if self._connections:
                return self._connections
            now = time.monotonic()
            if now < self._look_at:
                raise Unavailable("The database cannot be reached just now: it was gone a moment ago.")
            self._look_at = now + _LOOK_S + _LOOK_EVERY_S
        try:
            fibers.aside(_reach, self._url, _LOOK_S)
        finally:
            self._look_at = time.monotonic() + _LOOK_EVERY_S
        with self._changing:
            self._connections = self._connections or self._new_connections()
            return self._connections

    def close(self) -> None:
        if self._connections:
            self._connections.close()
