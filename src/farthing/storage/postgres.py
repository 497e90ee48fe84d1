"""How do we speak to PostgreSQL? With psycopg and its pool, from a few threads."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, LiteralString

import psycopg
from psycopg.types.numeric import Int8Dumper
from psycopg_pool import ConnectionPool

from ..errors import Unavailable
from .rows import parted, statements
from .unit import Author, Clash, Dialect, Overflow, Row, translated

_WAIT_S = 30
_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# As many statements as we have, and some of them with several numbers of rows: all keep their plans.
_PLANS_MAX = 400
_UNIT_OF_WORK = "BEGIN ISOLATION LEVEL READ COMMITTED"


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
        case psycopg.OperationalError():
            return Unavailable(f"The database cannot be reached just now: {error}".splitlines()[0])
    return error


class PostgresUnit:
    dialect: Dialect = "postgresql"

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._connection = connection
        self.author: Author | None = None

    def one(self, sql: str, **parameters: Any) -> Row | None:
        return self._run(sql, parameters).fetchone()

    def all(self, sql: str, **parameters: Any) -> list[Row]:
        return self._run(sql, parameters).fetchall()

    def value(self, sql: str, **parameters: Any) -> Any:
        row = self.one(sql, **parameters)
        return row[0] if row else None

    def run(self, sql: str, **parameters: Any) -> int:
        return self._run(sql, parameters).rowcount

    def many(self, sql: str, rows: Iterable[Mapping[str, Any]]) -> None:
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
        self._connection.execute("SAVEPOINT attempt")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK TO attempt")
            self._connection.execute("RELEASE attempt")
            raise
        self._connection.execute("RELEASE attempt")

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
        self._pool: ConnectionPool[psycopg.Connection[Row]] = ConnectionPool(
            url,
            min_size=1,
            max_size=connections_max,
            timeout=_WAIT_S,
            kwargs={"autocommit": True},
            configure=_prepared,
            open=False,
            name="farthing",
        )
        try:
            # The pool would say only that it waited; one connection of our own says what is wrong.
            psycopg.connect(url, connect_timeout=_WAIT_S).close()
            self._pool.open(wait=True, timeout=_WAIT_S)
        except psycopg.Error as error:
            raise _ours(error) from error

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
            with self._pool.connection() as connection:
                connection.execute(begin)
                try:
                    yield PostgresUnit(connection)
                    connection.execute("COMMIT")
                except BaseException:
                    if not connection.broken:
                        connection.execute("ROLLBACK")
                    raise
        except psycopg.Error as error:
            raise _ours(error) from error

    def close(self) -> None:
        self._pool.close()
