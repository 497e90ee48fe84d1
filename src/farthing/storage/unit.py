"""The interface of both databases: units of work and the statements inside them."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Generic, Literal, Protocol, TypeVar

from msgspec import Struct

from .fair.line import ANYBODY, Asker

T = TypeVar("T")
S = TypeVar("S", bound=Struct)
Row = tuple[Any, ...]
# The parameters of a statement that runs many times.
Rows = Iterable[Mapping[str, Any]] | Sequence[Row]
Dialect = Literal["sqlite", "postgresql"]


class Clash(Exception):
    """A uniqueness or reference constraint was violated; the store that caused it translates the error."""


class Overflow(Exception):
    """A stored sum would exceed 64 bits."""


class Author(Struct, frozen=True):
    """Says in whose books a unit of work writes, and as which revision. `rules_version` is 0 without rules.

    `by_id` is the person who does it: the user themselves, somebody with whom the books are shared, or nobody.
    """

    user_id: int
    revision: int
    token_id: int | None
    at: str
    rules_version: int = 0
    by_id: int | None = None


class Owned(Struct, Generic[T], frozen=True):
    """A row that belongs to another: the id of its owner, and what is read from its other columns."""

    owner_id: int
    item: T


class Answer(Generic[T]):
    """The rows of a question that is sent when they are needed, or together with something else before that."""

    __slots__ = ("_flush", "_rows")

    def __init__(self, flush: Callable[[], None]) -> None:
        self._flush = flush
        self._rows: list[T] | None = None

    def receive(self, rows: list[T]) -> None:
        self._rows = rows

    def rows(self) -> list[T]:
        if self._rows is None:
            self._flush()
        assert self._rows is not None, "the question was rolled back before it was sent"
        return self._rows


class Unit(Protocol):
    """Statements inside one database transaction; committed by whoever opened it, never by a handler.

    SQL is written once for both databases: `:name` parameters, and `IN :names` for a list. Statements run in the order
    in which they are given. PostgreSQL is far away, so what nobody waits for is sent with the next statement that has
    to be answered, at the latest before the commit, and its errors are raised there; `flush` sends it at once.
    """

    dialect: Dialect
    author: Author | None
    # Raised instead of Overflow by the statements that are given while it is set.
    on_overflow: Exception | None
    # Whoever commits it wakes the job process.
    has_new_jobs: bool

    def one(self, sql: str, **parameters: Any) -> Row | None: ...
    def all(self, sql: str, **parameters: Any) -> list[Row]: ...
    def value(self, sql: str, **parameters: Any) -> Any: ...
    def struct(self, model: type[S], sql: str, /, **parameters: Any) -> S | None:
        """Reads the first row into a struct."""

    def structs(self, model: type[S], sql: str, /, **parameters: Any) -> list[S]:
        """Reads rows into structs by the names of their columns.

        Each field takes the column of its name, as its type says; a struct in a field is given by columns such as
        `"currency.code"`, or by its own fields; it is None if all of them are NULL. A missing or an additional column
        is a TypeError.
        """

    def ask_structs(
        self, model: type[S], sql: str, then: Callable[[list[S]], None] | None = None, /, **parameters: Any
    ) -> Answer[S]: ...
    def ask(self, sql: str, then: Callable[[list[Row]], None] | None = None, /, **parameters: Any) -> Answer[Row]:
        """Sends several questions together that do not depend on each other: ask all, then read the answers.

        `then` is called with the rows as soon as they are there. What it raises is raised by the statement with which
        they came.
        """

    def run(self, sql: str, **parameters: Any) -> None:
        """Does not wait."""

    def run_and_count(self, sql: str, **parameters: Any) -> int:
        """Returns the number of affected rows."""

    def flush(self) -> None:
        """Waits until every statement so far has run. Call it where their errors are caught."""

    def many(self, sql: str, rows: Rows) -> None:
        """Does not wait. Rows may be tuples, in the order in which the statement first names each value; that is twice
        as fast.
        """

    def many_returning(self, sql: str, rows: Rows) -> list[Row]:
        """One RETURNING row for each row given, in order."""

    def savepoint(self) -> AbstractContextManager[None]:
        """A block whose failure rolls back only what was done inside it."""

    def stream(self, sql: str, **parameters: Any) -> Iterator[Row]: ...
    def stream_structs(self, model: type[S], sql: str, /, **parameters: Any) -> Iterator[S]: ...
    def script(self, sql: str) -> None:
        """Several statements without parameters: migrations only."""

    def cpu_s(self) -> float:
        """The processor time of this work in this process; only differences mean anything."""


class Database(Protocol):
    """A database; `storage/drivers` has the two implementations."""

    dialect: Dialect

    async def read(self, work: Callable[[Unit], T], *, large: bool = False, asker: Asker = ANYBODY) -> T:
        """Calls `work` once, inside `reading`, without blocking the event loop while it waits for the database.

        `large` work, on thousands of rows, runs in a thread, because it would block the event loop too long; a read is
        interrupted there after a while, or when nobody waits for it. Users take turns.
        """

    async def write(self, work: Callable[[Unit], T], *, large: bool = False, asker: Asker = ANYBODY) -> T:
        """The same inside `writing`; what has begun is not interrupted."""

    def reading(self) -> AbstractContextManager[Unit]:
        """One snapshot for all statements inside. Blocks: for jobs and the command line."""

    def writing(self) -> AbstractContextManager[Unit]:
        """One unit of work: commits when the block ends, rolls back when it raises. Blocks, as `reading` does."""

    def keep_copy(self, name: str) -> None:
        """Keeps a copy of a SQLite file under this name; does nothing on PostgreSQL."""

    def close(self) -> None: ...


def columns_of(model: type[Struct], table: str, field: str) -> str:
    """Selects a struct for a field of another, such as `c.id AS "currency.id", c.code AS "currency.code"`."""
    return ", ".join(f'{table}.{name} AS "{field}.{name}"' for name in model.__struct_fields__)


def structs_by_owner(db: Unit, model: type[S], sql: str, /, **values: Any) -> dict[int, list[S]]:
    """Reads structs by the column `owner_id`. Owners without any have an empty list."""
    owned = Owned[model]  # type: ignore[valid-type]  # the type is known only when it runs
    items: dict[int, list[S]] = defaultdict(list)
    for row in db.structs(owned, sql, **values):
        items[row.owner_id].append(row.item)
    return items


def page_of(
    db: Unit, model: type[S], select: str, table: str, where: str, order: str, *, limit: int, offset: int, **values: Any
) -> tuple[int, list[S]]:
    """Counts the rows of the table that meet the condition, and reads one page of what is selected from it."""
    counted = db.ask(f"SELECT COUNT(*) FROM {table} WHERE {where}", **values)
    page = f"{select} WHERE {where} ORDER BY {order} LIMIT :limit OFFSET :offset"
    rows = db.structs(model, page, limit=limit, offset=offset, **values)
    return int(counted.rows()[0][0]), rows


_TOKEN = re.compile(r"'[^']*'|::|\bIN :(?P<list>[a-z_0-9]+)|:(?P<name>[a-z_][a-z_0-9]*)|(?P<space>\s+)")


def for_sqlite(sql: str) -> str:
    """Translate our SQL for SQLite, without indentation; quoted strings stay as they are."""

    def translate(match: re.Match[str]) -> str:
        if match["list"]:
            return f"IN (SELECT value FROM json_each(:{match['list']}))"
        return " " if match["space"] else match[0]

    return _TOKEN.sub(translate, sql).strip()


def for_postgres(sql: str) -> tuple[str, tuple[str, ...]]:
    """Translate our SQL for PostgreSQL, with `$1` and so on for parameters; also returns their names in order."""
    names: dict[str, int] = {}

    def translate(match: re.Match[str]) -> str:
        name = match["list"] or match["name"]
        if name:
            number = f"${names.setdefault(name, len(names) + 1)}"
            return f"= ANY({number})" if match["list"] else number
        return " " if match["space"] else match[0]

    return _TOKEN.sub(translate, sql).strip(), tuple(names)


def lists_in(sql: str) -> tuple[str, ...]:
    """The names of the parameters that are lists, each once."""
    return tuple(dict.fromkeys(match["list"] for match in _TOKEN.finditer(sql) if match["list"]))
