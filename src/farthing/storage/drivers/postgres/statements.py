"""Binds parameters to statements, turns an INSERT of many rows into one, and keeps statements until they are sent."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

import msgspec
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


_INSERT = re.compile(
    r"\s*INSERT INTO (?P<table>\w+) \((?P<columns>[^()]+)\)\s+VALUES \((?P<values>[^()]+)\)(?P<rest>[^:]*)", re.DOTALL
)
_KEY = re.compile(r"\s*ON CONFLICT \(([^()]+)\)\s+DO UPDATE")
_encode = msgspec.json.Encoder().encode


class SetInsert(msgspec.Struct, frozen=True):
    """`names` are the parameters of the original, and `columns` where their values go; `key` identifies a row.

    The table itself tells PostgreSQL the types. Arrays of columns (`unnest`) cost half as much again.
    """

    sql: str
    names: tuple[str, ...]
    columns: tuple[tuple[str, int], ...]
    key: tuple[int, ...]

    def write(self, rows: Rows) -> str | None:
        """The rows as JSON. None if one exceeds 64 bits, or comes twice: a statement cannot update a row twice."""
        listed = [row if isinstance(row, tuple) else tuple(row[name] for name in self.names) for row in rows]
        if self.key and len({tuple(row[index] for index in self.key) for row in listed}) < len(listed):
            return None
        with suppress(OverflowError):
            return _encode([{column: row[index] for column, index in self.columns} for row in listed]).decode()
        return None


@lru_cache(maxsize=1024)
def find_set_insert(sql: str) -> SetInsert | None:
    """Returns the multi-row form of a plain INSERT, or None for any other statement and for one with RETURNING."""
    insert = _INSERT.fullmatch(sql)
    if not insert or "RETURNING" in insert["rest"]:
        return None
    values = dict(zip(_split(insert["columns"]), _split(insert["values"]), strict=True))
    if any(":" in value[1:] for value in values.values()):
        return None
    named = {column: value[1:] for column, value in values.items() if value.startswith(":")}
    names = tuple(dict.fromkeys(named.values()))
    places = {column: names.index(name) for column, name in named.items()}
    conflict = _KEY.match(insert["rest"])
    chosen = ", ".join(column if column in named else value for column, value in values.items())
    return SetInsert(
        sql=f"INSERT INTO {insert['table']} ({', '.join(values)})"
        f" SELECT {chosen} FROM json_populate_recordset(NULL::{insert['table']}, :rows) AS given {insert['rest']}",
        names=names,
        columns=tuple(places.items()),
        key=tuple(places[column] for column in _split(conflict[1]) if column in places) if conflict else (),
    )


def _split(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",")]
