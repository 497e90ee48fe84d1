"""How do we speak to PostgreSQL? With psycopg and its pool, from fibers and from threads."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any, LiteralString, TypeAlias, TypeVar

import psycopg
from psycopg import generators, pq
from psycopg.types.numeric import Int8Dumper
from psycopg_pool import ConnectionPool, PoolTimeout

from ..errors import DiskFull, ReadOnly, Unavailable
from . import fibers
from .rows import parted, statements
from .unit import Author, Clash, Dialect, Overflow, Remembered, Row, translated

_WAIT_S = 30
# While the database is gone, it is looked for so often, and everybody else is told so at once.
_LOOK_EVERY_S = 1.0
_LOOK_S = 3
_CLOSING_S = 1.0
_AT_ONCE_S = 0.001
_SNAPSHOT = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# As many statements as we have, and some of them with several numbers of rows: all keep their plans.
_PLANS_MAX = 400
_UNIT_OF_WORK = b"BEGIN ISOLATION LEVEL READ COMMITTED"
_COMMIT, _ROLLBACK = b"COMMIT", b"ROLLBACK"

T = TypeVar("T")
_Pool: TypeAlias = "ConnectionPool[_Connection]"


@lru_cache(maxsize=1024)
def _sql(sql: str) -> LiteralString:
    return translated(sql, "postgresql")


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


class _Connection(psycopg.Connection[Row]):
    """Of a fiber it sets only that fiber aside; everybody else it blocks."""

    watch: fibers.Watch | None = None

    def wait(self, gen: Any, *given: Any, **named: Any) -> Any:
        if not fibers.is_current():
            return super().wait(gen, *given, **named)
        descriptor = self.pgconn.socket  # of a connection that is lost there is none, and it says so
        if self.watch is None:
            self.watch = fibers.Watch(descriptor)
        until = self.watch.until
        try:
            wanted = next(gen)
            while not self.broken:
                wanted = gen.send(until(wanted))
        except StopIteration as done:
            return done.value
        raise psycopg.OperationalError("the connection is lost")

    def command(self, words: bytes) -> None:
        """Without what a cursor does for parameters and rows; and a ROLLBACK leaves the plans that were made."""
        self.pgconn.send_query(words)
        [result] = self.wait(generators.execute(self.pgconn))
        if result.status != pq.ExecStatus.COMMAND_OK:
            raise psycopg.errors.error_from_result(result)
        assert words != _COMMIT or result.command_status == _COMMIT, "a statement had failed, and nothing is kept"


class PostgresUnit:
    dialect: Dialect = "postgresql"

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection
        self._cursor = connection.cursor()
        self.author: Author | None = None
        self.memory: Remembered | None = None

    def one(self, sql: str, **parameters: Any) -> Row | None:
        return self._run(sql, parameters).fetchone()

    def all(self, sql: str, **parameters: Any) -> list[Row]:
        return self._run(sql, parameters).fetchall()

    def value(self, sql: str, **parameters: Any) -> Any:
        row = self.one(sql, **parameters)
        return row[0] if row else None

    def run(self, sql: str, **parameters: Any) -> int:
        return self._run(sql, parameters).rowcount

    def many(self, sql: str, rows: Iterable[Mapping[str, Any]] | Sequence[Row]) -> None:
        insert = parted(sql)
        try:
            if insert:
                numbered = psycopg.RawCursor(self._connection)
                for statement, parameters in statements(insert, list(rows)):
                    numbered.execute(statement, parameters)
            else:
                self._connection.cursor().executemany(_sql(sql), rows)
        except psycopg.Error as error:
            raise _ours(error) from error

    def many_returning(self, sql: str, rows: Iterable[Mapping[str, Any]]) -> list[Row]:
        try:
            with self._connection.cursor() as cursor:
                cursor.executemany(_sql(sql), rows, returning=True)
                return [row for result in cursor.results() if (row := result.fetchone())]
        except psycopg.Error as error:
            raise _ours(error) from error

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
        try:
            with self._connection.cursor(name="stream") as cursor:
                cursor.itersize = 2000
                cursor.execute(_sql(sql), parameters)
                yield from cursor
        except psycopg.Error as error:
            raise _ours(error) from error

    def script(self, sql: str) -> None:
        self._connection.execute(sql)

    def _command(self, words: bytes) -> None:
        try:
            self._connection.command(words)
        except psycopg.Error as error:
            raise _ours(error) from error

    def _run(self, sql: str, parameters: dict[str, Any]) -> psycopg.Cursor[Row]:
        try:
            return self._cursor.execute(_sql(sql), parameters)
        except psycopg.Error as error:
            raise _ours(error) from error


def _prepared(connection: _Connection) -> None:
    # Whole numbers always travel as 64 bits; otherwise each size of number would get a plan of its own.
    connection.adapters.register_dumper(int, Int8Dumper)
    # A plan once made is kept: our statements look alike for everybody, and to plan a list takes as long as to run it.
    connection.execute("SET plan_cache_mode = force_generic_plan")
    connection.prepared_max = _PLANS_MAX


def _reach(url: str, timeout_s: int) -> None:
    psycopg.connect(url, connect_timeout=timeout_s).close()


def _taken(pool: _Pool) -> _Connection:
    """A fiber takes what is there; for what has to be waited for, others wait."""
    if fibers.is_current():
        with suppress(PoolTimeout):
            if pool.get_stats()["pool_available"]:
                return pool.getconn(_AT_ONCE_S)
    return fibers.aside(pool.getconn)


class _Transaction:
    """One `with` block. Written out, as that of SQLite is: a generator takes three times as long."""

    __slots__ = ("_begin", "_connection", "_database", "_pool")

    def __init__(self, database: "PostgresDatabase", begin: bytes) -> None:
        self._database = database
        self._begin = begin

    def __enter__(self) -> PostgresUnit:
        try:
            self._pool, self._connection = self._database.begun(self._begin)
        except psycopg.Error as error:
            raise _ours(error) from error
        return PostgresUnit(self._connection)

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        try:
            try:
                if error is None:
                    self._connection.command(_COMMIT)
                elif not self._connection.broken:
                    self._connection.command(_ROLLBACK)
            finally:
                self._database.give_back(self._pool, self._connection)
        except psycopg.Error as failure:
            raise _ours(failure) from failure
        if isinstance(error, psycopg.Error):
            raise _ours(error) from error


class PostgresDatabase:
    dialect: Dialect = "postgresql"
    on_loop = False

    def __init__(self, url: str, connections_max: int) -> None:
        self._url = url
        self._connections_max = connections_max
        self._changing = threading.Lock()
        self._look_at = 0.0
        # Who waits for a connection waits here, where it costs nobody a thread.
        self._turns = asyncio.Semaphore(connections_max)
        try:
            # The pool would say only that it waited; one connection of our own says what is wrong.
            _reach(url, _WAIT_S)
            self._pool: _Pool | None = self._new_pool()
            self._pool.wait(_WAIT_S)
        except psycopg.Error as error:
            raise _ours(error) from error

    def _new_pool(self) -> _Pool:
        return ConnectionPool(
            self._url,
            connection_class=_Connection,
            min_size=1,
            max_size=self._connections_max,
            timeout=_WAIT_S,
            kwargs={"autocommit": True},
            configure=_prepared,
            open=True,
            name="farthing",
        )

    async def run(self, work: Callable[..., T], *given: Any) -> T:
        async with self._turns:
            return await fibers.run(work, *given)

    def reading(self, *, patient: bool = True) -> "_Transaction":  # noqa: ARG002 -- readers never wait here
        return _Transaction(self, _SNAPSHOT)

    def writing(self, *, patient: bool = True) -> "_Transaction":  # noqa: ARG002 -- whoever waits blocks nobody
        return _Transaction(self, _UNIT_OF_WORK)

    def begun(self, begin: bytes) -> tuple[_Pool, _Connection]:
        """What broke while nobody used it is no reason to refuse anything: nothing was done with it yet."""
        try:
            return self._begin(begin)
        except psycopg.OperationalError:
            if self._pool:
                raise
            return self._begin(begin)

    def _begin(self, begin: bytes) -> tuple[_Pool, _Connection]:
        pool = self._pool or self._found_again()
        connection = _taken(pool)
        try:
            connection.command(begin)
        except BaseException:
            self.give_back(pool, connection)
            raise
        return pool, connection

    def give_back(self, pool: _Pool, connection: _Connection) -> None:
        """With one that broke, all are given up: the others would break one by one, each at somebody's cost."""
        if connection.watch:
            connection.watch.end()
            connection.watch = None
        if connection.broken:
            with self._changing:
                if self._pool is pool:
                    self._pool, self._look_at = None, 0.0
            fibers.aside(pool.close, _CLOSING_S)  # whoever waits in it hears of it at once
        pool.putconn(connection)

    def _found_again(self) -> _Pool:
        """One at a time looks for it, and not all the time; the others do not wait."""
        with self._changing:
            if self._pool:
                return self._pool
            now = time.monotonic()
            if now < self._look_at:
                raise Unavailable("The database cannot be reached just now: it was gone a moment ago.")
            self._look_at = now + _LOOK_S + _LOOK_EVERY_S
        try:
            fibers.aside(_reach, self._url, _LOOK_S)
        finally:
            self._look_at = time.monotonic() + _LOOK_EVERY_S
        with self._changing:
            self._pool = self._pool or self._new_pool()
            return self._pool

    def close(self) -> None:
        if self._pool:
            self._pool.close()
