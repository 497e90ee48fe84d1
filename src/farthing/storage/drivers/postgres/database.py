"""Keeps the books in PostgreSQL: psycopg and its pool, used by fibers and by threads."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from itertools import count
from typing import Any, TypeVar

import psycopg

from farthing.kernel.errors import DiskFull, Locked, ReadOnly, Unavailable

from ...unit import Author, Clash, Dialect, Overflow, Row, Rows, Unit, for_postgres
from . import fibers
from .connection import Connection
from .connections import ALIVE_S, CONNECT_TIMEOUT_S, RETRY_EVERY_S, Connections, connect_once, watch_line

_STREAM_ROWS = 2000
_READ = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# Without READ WRITE: a database that its owner made read-only stays so.
_WRITE = b"BEGIN ISOLATION LEVEL READ COMMITTED"

T = TypeVar("T")


def _translate(error: psycopg.Error) -> Exception:
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
        case psycopg.errors.LockNotAvailable():
            return Locked(f"Something else holds a lock in the database: {error}".splitlines()[0])
        case psycopg.errors.InvalidSqlStatementName() | psycopg.errors.DuplicatePreparedStatement():
            hint = "A connection pooler that mixes up prepared statements needs FARTHING_DATABASE_PREPARE=off"
            return Unavailable(f"{hint}: {error}".splitlines()[0])
        case psycopg.OperationalError():
            return Unavailable(f"The database cannot be reached just now: {error}".splitlines()[0])
    return error


@lru_cache(maxsize=1024)
def _statement(sql: str) -> tuple[bytes, tuple[str, ...]]:
    text, names = for_postgres(sql)
    return text.encode(), names


class PostgresUnit:
    """One transaction. It takes its connection and begins with its first statement."""

    dialect: Dialect = "postgresql"

    def __init__(self, database: "PostgresDatabase", begin: bytes) -> None:
        self.author: Author | None = None
        self._database = database
        self._begin = begin
        self._held: tuple[Connections, Connection] | None = None
        self._is_over = False
        self._streams: set[int] = set()

    def __enter__(self) -> "PostgresUnit":
        return self

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        self._is_over = True
        try:
            self._end(failed=error is not None)
        except psycopg.Error as failure:
            raise _translate(failure) from failure
        if isinstance(error, psycopg.Error):
            raise _translate(error) from error

    def _end(self, *, failed: bool) -> None:
        if self._held is None:
            return
        connections, connection = self._held
        try:
            if self._begin is _READ and not failed:
                connection.end_reads()
            elif not failed:
                connection.commit_writes()
            elif not connection.closed:
                connection.command(b"ROLLBACK")
        finally:
            connections.give_back(connection)

    def one(self, sql: str, **parameters: Any) -> Row | None:
        rows = self.all(sql, **parameters)
        return rows[0] if rows else None

    def all(self, sql: str, **parameters: Any) -> list[Row]:
        text, names = _statement(sql)
        result = self._do(Connection.run_statement, text, [parameters[name] for name in names])
        return self._do(Connection.load, result)

    def value(self, sql: str, **parameters: Any) -> Any:
        rows = self.all(sql, **parameters)
        return rows[0][0] if rows else None

    def run(self, sql: str, **parameters: Any) -> int:
        text, names = _statement(sql)
        return self._do(Connection.run_statement, text, [parameters[name] for name in names]).command_tuples or 0

    def many(self, sql: str, rows: Rows) -> None:
        self._run_each(sql, rows)

    def many_returning(self, sql: str, rows: Rows) -> list[Row]:
        results = self._run_each(sql, rows)
        return [row for result in results for row in self._do(Connection.load, result)]

    def _run_each(self, sql: str, rows: Rows) -> Sequence[Any]:
        text, names = _statement(sql)
        values = [row if isinstance(row, tuple) else [row[name] for name in names] for row in rows]
        return self._do(Connection.run_each, text, values)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self._do(Connection.command, b"SAVEPOINT attempt")
        try:
            yield
        except BaseException:
            if self._held and not self._held[1].closed:
                self._do(Connection.command, b"ROLLBACK TO attempt")
                self._do(Connection.command, b"RELEASE attempt")
            raise
        self._do(Connection.command, b"RELEASE attempt")

    def stream(self, sql: str, **parameters: Any) -> Iterator[Row]:
        """A caller that stops early leaves its cursor open until the unit ends."""
        number = next(one for one in count() if one not in self._streams)
        self._streams.add(number)
        self.run(f"DECLARE stream_{number} NO SCROLL CURSOR FOR {sql}", **parameters)
        fetch = b"FETCH %d FROM stream_%d" % (_STREAM_ROWS, number)
        while rows := self._do(Connection.load, self._do(Connection.command, fetch)):
            yield from rows
        self._do(Connection.command, b"CLOSE stream_%d" % number)
        self._streams.remove(number)

    def script(self, sql: str) -> None:
        self._do(Connection.script, sql)

    def _do(self, act: Callable[..., T], *given: Any) -> T:
        assert not self._is_over, "this unit of work has ended, and its connection belongs to another"
        try:
            if self._held is None:
                return self._do_first(act, *given)
            return act(self._held[1], *given)
        except psycopg.Error as error:
            raise _translate(error) from error

    def _do_first(self, act: Callable[..., T], *given: Any) -> T:
        """A connection that was lost while nobody used it fails nothing: there is one more attempt, on a new one."""
        connections = self._database.connections()
        try:
            return self._try_first(connections, act, *given)
        except psycopg.OperationalError:
            if self._held or not connections.is_lost:
                raise
            return self._try_first(self._database.connections(), act, *given)

    def _try_first(self, connections: Connections, act: Callable[..., T], *given: Any) -> T:
        connection = connections.take()
        connection.begin(self._begin)
        try:
            return act(connection, *given)
        finally:
            if connection.closed:
                connections.give_back(connection)
            else:
                self._held = connections, connection


def _call_in(begin: Callable[[], AbstractContextManager[PostgresUnit]], work: Callable[[Unit], T]) -> T:
    with begin() as db:
        return work(db)


class PostgresDatabase:
    dialect: Dialect = "postgresql"

    def __init__(self, url: str, connections_max: int, *, prepare: bool = True) -> None:
        self._url = watch_line(url)
        self._connections_max = connections_max
        self._prepare = prepare
        self._changing = threading.Lock()
        # Requests wait here for a connection, where waiting takes no thread.
        self._turns = asyncio.Semaphore(connections_max)
        self._threads = ThreadPoolExecutor(connections_max, "farthing-large")
        try:
            # The pool would only say that it waited; a connection of our own says what is wrong.
            connect_once(self._url, CONNECT_TIMEOUT_S)
            self._connections = self._new_connections()
            self._connections.pool.wait(CONNECT_TIMEOUT_S)
        except psycopg.Error as error:
            raise _translate(error) from error

    def _new_connections(self) -> Connections:
        return Connections(self._url, self._connections_max, prepare=self._prepare)

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        async with self._turns:
            return await fibers.run(work, *given)

    async def read(self, work: Callable[[Unit], T], *, large: bool = False) -> T:
        return await self._run(large, _call_in, self.reading, work)

    async def write(self, work: Callable[[Unit], T], *, large: bool = False) -> T:
        return await self._run(large, _call_in, self.writing, work)

    async def _run(self, large: bool, work: Callable[..., T], *given: Any) -> T:
        """Large work runs in a thread: on the event loop, its fiber would let nobody else go on while it computes."""
        if large:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *given)
        return await self.run(work, *given)

    def reading(self) -> AbstractContextManager[PostgresUnit]:
        return PostgresUnit(self, _READ)

    def writing(self) -> AbstractContextManager[PostgresUnit]:
        return PostgresUnit(self, _WRITE)

    def connections(self) -> Connections:
        return self._reconnect() if self._connections.is_lost else self._connections

    def _reconnect(self) -> Connections:
        """One request at a time tries, and not all the time; the others do not wait."""
        with self._changing:
            lost, now = self._connections, time.monotonic()
            if not lost.is_lost:
                return lost
            if now < lost.retry_at:
                raise Unavailable("The database cannot be reached just now: it was gone a moment ago.")
            lost.retry_at = now + ALIVE_S + RETRY_EVERY_S
        try:
            fibers.run_in_thread(connect_once, self._url, ALIVE_S)
        finally:
            lost.retry_at = time.monotonic() + RETRY_EVERY_S
        with self._changing:
            if self._connections.is_lost:
                self._connections = self._new_connections()
            return self._connections

    def keep_copy(self, name: str) -> None:
        """Nothing to do: whoever runs a server of PostgreSQL backs it up."""

    def close(self) -> None:
        self._threads.shutdown()
        self._connections.close()
