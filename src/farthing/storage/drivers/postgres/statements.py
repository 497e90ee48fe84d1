"""Binds parameters to statements, and keeps statements until they are sent."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from ...rows.reader import StructReader
from ...unit import Rows, for_postgres
from .connection import Statement


@lru_cache(maxsize=1024)
def _statement(sql: str) -> tuple[bytes, tuple[str, ...]]:
    text, names = for_postgres(sql)
    return text.encode(), names


def bind(sql: str, parameters: Mapping[str, Any]) -> Statement:
    text, names = _statement(sql)
    return text, [parameters[name] for name in names]


def bind_each(sql: str, rows: Rows) -> Iterator[Statement]:
    text, names = _statement(sql)
    for row in rows:
        yield text, row if isinstance(row, tuple) else [row[name] for name in names]


class QueuedStatement(Struct, frozen=True):
    """A statement that has not been sent yet, and what is done with its answer or its failure."""

    statement: Statement
    on_overflow: Exception | None = None
    then: Callable[[list[Any]], None] | None = None
    reader: StructReader[Any] | None = None
