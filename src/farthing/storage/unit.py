"""Defines the interface that both databases implement: units of work, and the statements inside them."""

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
    """Raised if a write violates a uniqueness or reference constraint. The calling store translates the error."""


class Overflow(Exception):
    """Raised if a stored sum would exceed 64 bits."""


class Author(Struct, frozen=True):
    """States in whose books a unit of work writes, and under which revision. `rules_version` is 0 without rules, and
    `hooks` is 0 without webhooks.

    `by_id` is the person who makes the change: the owner of the books, or somebody with whom the books are shared. It
    is None if the program itself makes the change.
    """

    user_id: int
    revision: int
    token_id: int | None
    at: str
    rules_version: int = 0
    by_id: int | None = None
    hooks: int = 0


class Owned(Struct, Generic[T], frozen=True):
    """Pairs the id of an owner with an item that belongs to that owner. The item is read from the other columns."""

    owner_id: int
    item: T


class Answer(Generic[T]):
    """Provides the rows of a queued query, which is sent with the next statement, or when `rows` is called."""

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
    """Runs statements inside one database transaction. The code that opened the unit commits it, never a handler.

    SQL is written once for both databases, with `:name` for parameters and `IN :names` for lists. Statements run in the
    order of the calls. To save round trips to PostgreSQL, statements whose answer is not needed yet are queued. These
    are sent with the next statement that needs an answer, or before the commit, and raise their errors at that point.
    `flush` sends them at once.
    """

    dialect: Dialect
    author: Author | None
    # While this is set, new statements raise it instead of Overflow.
    on_overflow: Exception | None
    # If true, the job process must be woken after the commit.
    has_new_jobs: bool

    def one(self, sql: str, **parameters: Any) -> Row | None: ...
    def all(self, sql: str, **parameters: Any) -> list[Row]: ...
    def value(self, sql: str, **parameters: Any) -> Any: ...
    def struct(self, model: type[S], sql: str, /, **parameters: Any) -> S | None:
        """Reads the first row into a struct, like `structs`. Returns None if there is no row."""

    def structs(self, model: type[S], sql: str, /, **parameters: Any) -> list[S]:
        """Reads rows into structs by the names of their columns.

        Each field is read from the column of the same name, and converted to the type of the field. A struct inside a
        struct is read from columns such as `"currency.code"`, or from columns with the names of its own fields.
        An optional struct is None if all its columns are NULL. Raises TypeError if a column is missing or has no field.
        """

    def ask_structs(
        self, model: type[S], sql: str, then: Callable[[list[S]], None] | None = None, /, **parameters: Any
    ) -> Answer[S]: ...
    def ask(self, sql: str, then: Callable[[list[Row]], None] | None = None, /, **parameters: Any) -> Answer[Row]:
        """Queues a query, so that several independent queries can be sent together: ask all, then read the answers.

        `then` is called with the rows as soon as they arrive. If `then` raises an error, the statement that was waiting
        for an answer at that moment raises it.
        """

    def run(self, sql: str, **parameters: Any) -> None:
        """Queues a statement without a result, and does not wait for it."""

    def run_and_count(self, sql: str, **parameters: Any) -> int:
        """Runs a statement and returns the number of affected rows."""

    def flush(self) -> None:
        """Waits until every statement so far has run. Call this inside the `try` that handles their errors."""

    def many(self, sql: str, rows: Rows) -> None:
        """Queues a statement for each row, and does not wait.

        Rows may be tuples, with values in the order in which the statement first names its parameters. Tuples are twice
        as fast as mappings.
        """

    def many_returning(self, sql: str, rows: Rows) -> list[Row]:
        """Runs a statement with RETURNING for each row, and returns one result row for each, in the same order."""

    def savepoint(self) -> AbstractContextManager[None]:
        """Begins a block. If the block fails, only the changes made inside it are rolled back."""

    def stream(self, sql: str, **parameters: Any) -> Iterator[Row]: ...
    def stream_structs(self, model: type[S], sql: str, /, **parameters: Any) -> Iterator[S]: ...
    def script(self, sql: str) -> None:
        """Runs several statements without parameters. Only for migrations."""

    def cpu_s(self) -> float:
        """Returns the processor time that this work has used in this process. Only differences are meaningful."""


class Database(Protocol):
    """Opens units of work. `storage/drivers` has the implementations for SQLite and PostgreSQL."""

    dialect: Dialect

    async def read(self, work: Callable[[Unit], T], *, large: bool = False, asker: Asker = ANYBODY) -> T:
        """Calls `work` once, inside `reading`, without blocking the event loop while it waits for the database.

        Use `large` for work on thousands of rows, which would block the event loop for too long. It runs in a thread,
        where it is interrupted if it takes too long or its client has hung up. Users take turns.
        """

    async def write(self, work: Callable[[Unit], T], *, large: bool = False, asker: Asker = ANYBODY) -> T:
        """Works like `read`, but calls `work` inside `writing`. Work that has begun is not interrupted."""

    def reading(self) -> AbstractContextManager[Unit]:
        """Opens a unit in which all statements see the same snapshot. Blocks, so only jobs and commands may use it."""

    def writing(self) -> AbstractContextManager[Unit]:
        """Opens a unit that commits when the block ends, and rolls back if the block raises. Blocks, like `reading`."""

    def keep_copy(self, name: str) -> None:
        """Copies a SQLite database to a file with `name` in its file name. Does nothing on PostgreSQL."""

    def close(self) -> None: ...


def columns_of(model: type[Struct], table: str, field: str) -> str:
    """Returns SQL that selects a struct inside a struct, such as `c.id AS "currency.id", c.code AS "currency.code"`."""
    return ", ".join(f'{table}.{name} AS "{field}.{name}"' for name in model.__struct_fields__)


def structs_by_owner(db: Unit, model: type[S], sql: str, /, **values: Any) -> dict[int, list[S]]:
    """Reads structs, grouped by the column `owner_id`. The result has an empty list for any other owner."""
    owned = Owned[model]  # type: ignore[valid-type]  # the type is known only when it runs
    items: dict[int, list[S]] = defaultdict(list)
    for row in db.structs(owned, sql, **values):
        items[row.owner_id].append(row.item)
    return items


def page_of(
    db: Unit, model: type[S], select: str, table: str, where: str, order: str, *, limit: int, offset: int, **values: Any
) -> tuple[int, list[S]]:
    """Returns the number of rows that meet the condition, and one page of these rows."""
    counted = db.ask(f"SELECT COUNT(*) FROM {table} WHERE {where}", **values)
    page = f"{select} WHERE {where} ORDER BY {order} LIMIT :limit OFFSET :offset"
    rows = db.structs(model, page, limit=limit, offset=offset, **values)
    return int(counted.rows()[0][0]), rows


_TOKEN = re.compile(r"'[^']*'|::|\bIN :(?P<list>[a-z_0-9]+)|:(?P<name>[a-z_][a-z_0-9]*)|(?P<space>\s+)")


def for_sqlite(sql: str) -> str:
    """Translates our SQL for SQLite, and removes indentation. Quoted strings stay unchanged."""

    def translate(match: re.Match[str]) -> str:
        if match["list"]:
            return f"IN (SELECT value FROM json_each(:{match['list']}))"
        return " " if match["space"] else match[0]

    return _TOKEN.sub(translate, sql).strip()


def for_postgres(sql: str) -> tuple[str, tuple[str, ...]]:
    """Translates our SQL for PostgreSQL, with `$1` and so on for parameters. Also returns their names in that order."""
    names: dict[str, int] = {}

    def translate(match: re.Match[str]) -> str:
        name = match["list"] or match["name"]
        if name:
            number = f"${names.setdefault(name, len(names) + 1)}"
            return f"= ANY({number})" if match["list"] else number
        return " " if match["space"] else match[0]

    return _TOKEN.sub(translate, sql).strip(), tuple(names)


def lists_in(sql: str) -> tuple[str, ...]:
    """Returns the names of the parameters that are lists, without duplicates."""
    return tuple(dict.fromkeys(match["list"] for match in _TOKEN.finditer(sql) if match["list"]))
