"""How do we speak to PostgreSQL? With psycopg and its pool, from a few threads."""

import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, LiteralString, TypeAlias

import psycopg
from psycopg.types.numeric import Int8Dumper
from psycopg_pool import ConnectionPool

from ..errors import DiskFull, ReadOnly, Unavailable
from .rows import parted, statements
from .unit import Author, Clash, Dialect, Overflow, Remembered, Row, translated

_WAIT_S = 30
# While the database is gone, it is looked for so often, and everybody else is told so at once.
_LOOK_EVERY_S = 1.0
_LOOK_S = 3
_CLOSING_S = 1.0
_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# As many statements as we have, and some of them with several numbers of rows: all keep their plans.
_PLANS_MAX = 400
_UNIT_OF_WORK = "BEGIN ISOLATION LEVEL READ COMMITTED"

_Pool: TypeAlias = "ConnectionPool[psycopg.Connection[Row]]"


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


class PostgresUnit:
    dialect: Dialect = "postgresql"

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._connection = connection
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
        self._run("SAVEPOINT attempt", {})
        try:
            yield
        except BaseException:
            if not self._connection.broken:
                self._run("ROLLBACK TO attempt", {})
                self._run("RELEASE attempt", {})
            raise
        self._run("RELEASE attempt", {})

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

    def _run(self, sql: str, parameters: dict[str, Any]) -> psycopg.Cursor[Row]:
        try:
            return self._connection.execute(_sql(sql), parameters)
        except psycopg.Error as error:
            raise _ours(error) from error


def _prepared(connection: psycopg.Connection[Row]) -> None:
    # Whole numbers always travel as 64 bits; otherwise each size of number would get a plan of its own.
    connection.adapters.register_dumper(int, Int8Dumper)
    # A plan once made is kept: our statements look alike for everybody, and to plan a list takes as long as to run it.
    connection.execute("SET plan_cache_mode = force_generic_plan")
    connection.prepared_max = _PLANS_MAX


class PostgresDatabase:
    dialect: Dialect = "postgresql"
    on_loop = False

    def __init__(self, url: str, connections_max: int) -> None:
        self._url = url
        self._connections_max = connections_max
        self._changing = threading.Lock()
        self._look_at = 0.0
        try:
            # The pool would say only that it waited; one connection of our own says what is wrong.
            psycopg.connect(url, connect_timeout=_WAIT_S).close()
            self._pool: _Pool | None = self._new_pool()
            self._pool.wait(_WAIT_S)
        except psycopg.Error as error:
            raise _ours(error) from error

    def _new_pool(self) -> _Pool:
        return ConnectionPool(
            self._url,
            min_size=1,
            max_size=self._connections_max,
            timeout=_WAIT_S,
            kwargs={"autocommit": True},
            configure=_prepared,
            open=True,
            name="farthing",
        )

    @contextmanager
    def reading(self, *, patient: bool = True) -> Iterator[PostgresUnit]:  # noqa: ARG002 -- readers never wait here
        with self._transaction(_SNAPSHOT) as unit:
            yield unit

    @contextmanager
    def writing(self, *, patient: bool = True) -> Iterator[PostgresUnit]:  # noqa: ARG002 -- waiting threads block nobody
        with self._transaction(_UNIT_OF_WORK) as unit:
            yield unit

    @contextmanager
    def _transaction(self, begin: LiteralString) -> Iterator[PostgresUnit]:
        try:
            pool, connection = self._begun(begin)
            try:
                yield PostgresUnit(connection)
                connection.execute("COMMIT")
            except BaseException:
                if not connection.broken:
                    connection.execute("ROLLBACK")
                raise
            finally:
                self._give_back(pool, connection)
        except psycopg.Error as error:
            raise _ours(error) from error

    def _begun(self, begin: LiteralString) -> tuple[_Pool, psycopg.Connection[Row]]:
        """What broke while nobody used it is no reason to refuse anything: nothing was done with it yet."""
        try:
            return self._begin(begin)
        except psycopg.OperationalError:
            if self._pool:
                raise
            return self._begin(begin)

    def _begin(self, begin: LiteralString) -> tuple[_Pool, psycopg.Connection[Row]]:
        pool = self._pool or self._found_again()
        connection = pool.getconn()
        try:
            connection.execute(begin)
        except BaseException:
            self._give_back(pool, connection)
            raise
        return pool, connection

    def _give_back(self, pool: _Pool, connection: psycopg.Connection[Row]) -> None:
        """With one that broke, all are given up: the others would break one by one, each at somebody's cost."""
        if connection.broken:
            with self._changing:
                if self._pool is pool:
                    self._pool, self._look_at = None, 0.0
            pool.close(_CLOSING_S)  # whoever waits in it hears of it at once
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
            psycopg.connect(self._url, connect_timeout=_LOOK_S).close()
        finally:
            self._look_at = time.monotonic() + _LOOK_EVERY_S
        with self._changing:
            self._pool = self._pool or self._new_pool()
            return self._pool

    def close(self) -> None:
        if self._pool:
            self._pool.close()
