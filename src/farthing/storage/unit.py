"""What can be done inside one database transaction? The same few verbs on both databases."""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol, TypeVar

from msgspec import Struct

T = TypeVar("T")
Row = tuple[Any, ...]
# What goes into a statement, again and again.
Rows = Iterable[Mapping[str, Any]] | Sequence[Row]
Dialect = Literal["sqlite", "postgresql"]
# What was read, by kind, and by id or question: `storage/memory.py`.
Remembered = dict[str, dict[Any, Any]]


class Busy(Exception):
    """Someone else holds the write lock, and the caller asked not to wait."""


class Clash(Exception):
    """A uniqueness or reference constraint said no; the store that can reach it says what that means."""


class Overflow(Exception):
    """A kept sum would leave 64 bits."""


class Author(Struct, frozen=True):
    """On whose behalf a unit of work writes, and as which revision; `rules_version` is 0 for who has no rules."""

    user_id: int
    revision: int
    token_id: int | None
    at: str
    rules_version: int = 0


class Unit(Protocol):
    """Statements inside one transaction; committed by whoever opened it, never by a handler.

    SQL is written once for both databases: `:name` parameters, and `IN :names` for a list.
    """

    dialect: Dialect
    author: Author | None
    memory: Remembered | None

    def one(self, sql: str, **parameters: Any) -> Row | None: ...
    def all(self, sql: str, **parameters: Any) -> list[Row]: ...
    def value(self, sql: str, **parameters: Any) -> Any: ...
    def run(self, sql: str, **parameters: Any) -> int:
        """Returns how many rows were touched."""
        ...

    def many(self, sql: str, rows: Rows) -> None:
        """Rows may be tuples, in the order in which the statement first names each value: that takes half the time."""
        ...

    def many_returning(self, sql: str, rows: Rows) -> list[Row]:
        """One RETURNING row for each row given, in order."""
        ...

    def savepoint(self) -> AbstractContextManager[None]:
        """A block whose failure takes back only what was done inside it."""
        ...

    def stream(self, sql: str, **parameters: Any) -> Iterator[Row]: ...
    def script(self, sql: str) -> None:
        """Several statements without parameters: migrations only."""
        ...


class Database(Protocol):
    """Where the books are kept; `storage/sqlite.py` and `storage/postgres.py` are the two."""

    dialect: Dialect
    # May short work be done on the event loop, plainly? Where not, it is `run` there.
    on_loop: bool
    # Not what writes, though, while a commit takes so long that those who read would notice.
    is_slow: bool

    def run(self, work: Callable[..., T], *given: Any) -> Awaitable[T]:
        """On the event loop, which goes on with other work whenever this has to wait for the database."""
        ...

    def reading(self, *, patient: bool = True) -> AbstractContextManager[Unit]:
        """One snapshot for all statements inside."""
        ...

    def writing(self, *, patient: bool = True) -> AbstractContextManager[Unit]:
        """One unit of work: commits when the block ends, rolls back when it raises."""
        ...

    def close(self) -> None: ...


_TOKEN = re.compile(r"'[^']*'|::|\bIN :(?P<list>[a-z_0-9]+)|:(?P<name>[a-z_][a-z_0-9]*)|(?P<space>\s+)")


def for_sqlite(sql: str) -> str:
    """Our SQL in its words, without our indentation; strings in quotes are left alone."""

    def written(found: re.Match[str]) -> str:
        if found["list"]:
            return f"IN (SELECT value FROM json_each(:{found['list']}))"
        return " " if found["space"] else found[0]

    return _TOKEN.sub(written, sql).strip()


def for_postgres(sql: str) -> tuple[str, tuple[str, ...]]:
    """The same in its words, with `$1` for the first of the parameters; and their names, in order."""
    names: dict[str, int] = {}

    def written(found: re.Match[str]) -> str:
        name = found["list"] or found["name"]
        if name:
            place = f"${names.setdefault(name, len(names) + 1)}"
            return f"= ANY({place})" if found["list"] else place
        return " " if found["space"] else found[0]

    return _TOKEN.sub(written, sql).strip(), tuple(names)


def lists_in(sql: str) -> tuple[str, ...]:
    """Which of its parameters are lists? Each once, however often it is used."""
    return tuple(dict.fromkeys(found["list"] for found in _TOKEN.finditer(sql) if found["list"]))
