"""Implements a unit of work on PostgreSQL."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any, NamedTuple, Protocol, TypeVar

import psycopg
from msgspec import Struct

from ...fair.leash import Leash
from ...rows.reader import StructReader, find_reader
from ...unit import Answer, Author, Dialect, Overflow, Row, Rows
from . import fibers
from .connection import (
    COMMIT,
    PostgresConnection,
    QueuedStatement,
    Result,
    Statement,
    bind,
    bind_each,
    find_set_insert,
    translate,
)
from .pool import Pool

_STREAM_ROWS = 2000
# Longer queues are sent at once, to bound the memory they take.
_QUEUED_MAX = 200
READ = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# READ WRITE is omitted on purpose: it would override the setting of a database that its owner made read-only.
WRITE = b"BEGIN ISOLATION LEVEL READ COMMITTED"

_OVER = "this unit of work has ended, and its connection belongs to another"
T = TypeVar("T")
S = TypeVar("S", bound=Struct)


class Connections(Protocol):
    """Represents the database from which a unit of work takes its connection."""

    def current_pool(self) -> Pool: ...
    def gather_first_statistics(self, connection: PostgresConnection) -> None: ...


class _Held(NamedTuple):
    """Holds a connection, and the pool to which it must be returned."""

    pool: Pool
    connection: PostgresConnection


class PostgresUnit:
    """Runs one transaction. Takes a connection and sends BEGIN only with the first statement.

    Statements whose answers are not needed yet are queued, and sent together with the next one that needs an answer.
    """

    dialect: Dialect = "postgresql"

    def __init__(self, database: Connections, begin: bytes, leash: Leash | None = None) -> None:
        self.on_overflow: Exception | None = None
        self.has_new_jobs = False
        self._author: Author | None = None
        self._database = database
        self._begin = begin
        self._held: _Held | None = None
        self._is_over = False
        self._streams: set[int] = set()
        self._queue: list[QueuedStatement] = []
        self._is_large, self._rows_written = False, 0
        self._leash = leash
        if leash:  # if this process is killed meanwhile, PostgreSQL still ends the statement
            self._queue.append(QueuedStatement((b"SET LOCAL statement_timeout = %d" % (leash.seconds * 1000), None)))

    @property
    def author(self) -> Author | None:
        if self._author is None and self._queue:
            self.flush()
        return self._author

    @author.setter
    def author(self, author: Author | None) -> None:
        self._author = author

    def __enter__(self) -> "PostgresUnit":
        return self

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        try:
            self._end(failed=error is not None)
        except psycopg.Error as failure:
            raise translate(failure) from failure
        finally:
            self._is_over = True

    def _end(self, *, failed: bool) -> None:
        try:
            if failed:
                self._queue.clear()
                self._roll_back()
            else:
                self._commit()
        except BaseException:
            self._roll_back()
            raise
        finally:
            if self._held:
                self._held.connection.leash = None
                self._held.pool.give_back(self._held.connection)

    def _roll_back(self) -> None:
        if self._held and not self._held.connection.closed:
            self._held.connection.leash = None
            self._held.connection.run_batch([(b"ROLLBACK", None)])

    def _commit(self) -> None:
        """Sends COMMIT together with the queue, which saves a round trip, except in two cases.

        The queue is sent first if one of its answers is handled by a callback, which may still raise. It is also sent
        first if nothing was sent before: when a connection turns out to be lost, the first batch is repeated, and a
        COMMIT must never be sent twice.
        """
        if self._held is None or self._begin is READ or any(queued.then for queued in self._queue):
            self.flush()
        if self._held and self._begin is READ:
            self._held.connection.end_reads()
        elif self._held:
            [result] = self._send((COMMIT, None))
            assert result.command_status == COMMIT, "a statement had failed, so nothing was committed"
            if self._is_large:
                self._database.gather_first_statistics(self._held.connection)

    def one(self, sql: str, **parameters: Any) -> Row | None:
        rows = self.all(sql, **parameters)
        return rows[0] if rows else None

    def all(self, sql: str, **parameters: Any) -> list[Row]:
        [result] = self._send(bind(sql, parameters))
        return self._do(PostgresConnection.load, result)

    def value(self, sql: str, **parameters: Any) -> Any:
        rows = self.all(sql, **parameters)
        return rows[0][0] if rows else None

    def struct(self, model: type[S], sql: str, /, **parameters: Any) -> S | None:
        structs = self.structs(model, sql, **parameters)
        return structs[0] if structs else None

    def structs(self, model: type[S], sql: str, /, **parameters: Any) -> list[S]:
        [result] = self._send(bind(sql, parameters))
        return self._read(result, find_reader(model, sql))

    def ask_structs(
        self, model: type[S], sql: str, then: Callable[[list[S]], None] | None = None, /, **parameters: Any
    ) -> Answer[S]:
        answer: Answer[S] = Answer(self.flush)
        reader = find_reader(model, sql)
        self._add(QueuedStatement(bind(sql, parameters), self.on_overflow, then or answer.receive, reader))
        return answer

    def ask(self, sql: str, then: Callable[[list[Row]], None] | None = None, /, **parameters: Any) -> Answer[Row]:
        answer: Answer[Row] = Answer(self.flush)
        self._add(QueuedStatement(bind(sql, parameters), self.on_overflow, then or answer.receive))
        return answer

    def run(self, sql: str, **parameters: Any) -> None:
        self._add(QueuedStatement(bind(sql, parameters), self.on_overflow))

    def run_and_count(self, sql: str, **parameters: Any) -> int:
        [result] = self._send(bind(sql, parameters))
        return result.command_tuples or 0

    def many(self, sql: str, rows: Rows) -> None:
        """Runs a statement for several rows, if possible all at once: a statement costs as much as many more rows."""
        listed: Sequence[Any] = list(rows)
        self._rows_written += len(listed)
        self._is_large = self._is_large or self._rows_written >= _QUEUED_MAX
        insert = find_set_insert(sql) if len(listed) > 1 else None
        if insert and (written := insert.write(listed)):
            self.run(insert.sql, rows=written)
        else:
            self._add(*[QueuedStatement(statement, self.on_overflow) for statement in bind_each(sql, listed)])

    def many_returning(self, sql: str, rows: Rows) -> list[Row]:
        results = self._send(*bind_each(sql, rows))
        return [row for result in results for row in self._do(PostgresConnection.load, result)]

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self._send((b"SAVEPOINT attempt", None))
        try:
            yield
            self.flush()
        except BaseException:
            self._queue.clear()
            if self._held and not self._held.connection.closed:
                self._send((b"ROLLBACK TO attempt", None), (b"RELEASE attempt", None))
            raise
        self._add(QueuedStatement((b"RELEASE attempt", None)))

    def stream(self, sql: str, **parameters: Any) -> Iterator[Row]:
        for result in self._fetch(sql, parameters):
            yield from self._do(PostgresConnection.load, result)

    def stream_structs(self, model: type[S], sql: str, /, **parameters: Any) -> Iterator[S]:
        for result in self._fetch(sql, parameters):
            yield from self._read(result, find_reader(model, sql))

    def _fetch(self, sql: str, parameters: Mapping[str, Any]) -> Iterator[Result]:
        """Reads a result in batches. If the caller stops early, the cursor stays open until the unit ends."""
        number = next(unused for unused in count() if unused not in self._streams)
        self._streams.add(number)
        self.run(f"DECLARE stream_{number} NO SCROLL CURSOR FOR {sql}", **parameters)
        fetch: Statement = (b"FETCH %d FROM stream_%d" % (_STREAM_ROWS, number), None)
        while (result := self._send(fetch)[0]).ntuples:
            yield result
        self._add(QueuedStatement((b"CLOSE stream_%d" % number, None)))
        self._streams.remove(number)

    def script(self, sql: str) -> None:
        self.flush()
        self._do(PostgresConnection.script, sql)

    def cpu_s(self) -> float:
        return fibers.cpu_s()

    def flush(self) -> None:
        if self._queue:
            self._send()

    def _add(self, *statements: QueuedStatement) -> None:
        assert not self._is_over, _OVER
        self._queue += statements
        if len(self._queue) >= _QUEUED_MAX:
            self._is_large = True
            self.flush()

    def _send(self, *statements: Statement) -> list[Result]:
        """Sends the queue and then the given statements. Returns only the results of the given statements."""
        queue, self._queue = self._queue, []
        try:
            results = self._do(PostgresConnection.run_batch, [*(queued.statement for queued in queue), *statements])
        except Overflow as error:
            failed_at = self._held.connection.failed_at if self._held else len(queue)
            if failed_at < len(queue) and (instead := queue[failed_at].on_overflow):
                raise instead from error
            raise
        for queued, result in zip(queue, results, strict=False):
            if queued.then:
                queued.then(
                    self._read(result, queued.reader) if queued.reader else self._do(PostgresConnection.load, result)
                )
        return results[len(queue) :]

    def _read(self, result: Result, reader: StructReader[S]) -> list[S]:
        if not reader.is_ready:
            reader.prepare((result.fname(number) or b"").decode() for number in range(result.nfields))
        return reader.read(self._do(PostgresConnection.load, result))

    def _do(self, act: Callable[..., T], *arguments: Any) -> T:
        assert not self._is_over, _OVER
        if self._leash:
            self._leash.refuse_more()
        try:
            if self._held is None:
                return self._do_first(act, *arguments)
            return act(self._held.connection, *arguments)
        except psycopg.errors.QueryCanceled as error:
            raise self._leash.reason() if self._leash else translate(error) from error
        except psycopg.Error as error:
            raise translate(error) from error

    def _do_first(self, act: Callable[..., T], *arguments: Any) -> T:
        """Runs the first batch. If the connection was lost while it was idle, tries once more on a new connection."""
        pool = self._database.current_pool()
        try:
            return self._try_first(pool, act, *arguments)
        except psycopg.OperationalError:
            if self._held or not pool.is_lost:
                raise
            return self._try_first(self._database.current_pool(), act, *arguments)

    def _try_first(self, pool: Pool, act: Callable[..., T], *arguments: Any) -> T:
        connection = pool.take()
        connection.begin(self._begin)
        connection.leash = self._leash
        try:
            return act(connection, *arguments)
        finally:
            if connection.closed:
                pool.give_back(connection)
            else:
                self._held = _Held(pool, connection)
