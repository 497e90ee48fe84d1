"""Generates simple statements for one table, whose rows are chosen by the values of some columns.

The names of tables and columns come from our code, never from a client.
"""

from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from msgspec import Struct

from .unit import Unit

S = TypeVar("S", bound=Struct)


def find(db: Unit, model: type[S], table: str, /, **which: Any) -> S | None:
    return db.struct(model, _select(model, table, tuple(which)), **which)


def find_all(db: Unit, model: type[S], table: str, /, **which: Any) -> list[S]:
    """Reads all rows with these values, in the order of their ids."""
    return db.structs(model, f"{_select(model, table, tuple(which))} ORDER BY id", **which)


def has(db: Unit, table: str, /, **which: Any) -> bool:
    return db.value(f"SELECT 1 FROM {table} WHERE {_equal(tuple(which))} LIMIT 1", **which) is not None


def add(db: Unit, table: str, /, **values: Any) -> None:
    db.run(_insert(table, tuple(values)), **_plain(values))


def add_and_get(db: Unit, model: type[S], table: str, /, **values: Any) -> S:
    """Adds a row and returns it, including its id and other values that the database has set."""
    statement = f"{_insert(table, tuple(values))} RETURNING {columns_of(model)}"
    row = db.struct(model, statement, **_plain(values))
    assert row is not None
    return row


def change(db: Unit, table: str, which: Mapping[str, Any], /, **values: Any) -> None:
    """Sets columns of all rows whose columns have the values in `which`."""
    new = {f"new_{column}": value for column, value in _plain(values).items()}
    db.run(_update(table, tuple(which), tuple(values)), **which, **new)


def remove(db: Unit, table: str, /, **which: Any) -> None:
    db.run(_delete(table, tuple(which)), **which)


def remove_and_count(db: Unit, table: str, /, **which: Any) -> int:
    """Removes rows and returns their number. Slower than `remove`, because it must wait for the database."""
    return db.run_and_count(_delete(table, tuple(which)), **which)


@cache
def columns_of(model: type[Struct]) -> str:
    return ", ".join(model.__struct_fields__)


@cache
def _select(model: type[Struct], table: str, which: tuple[str, ...]) -> str:
    return f"SELECT {columns_of(model)} FROM {table} WHERE {_equal(which)}"


@cache
def _insert(table: str, columns: tuple[str, ...]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(f':{column}' for column in columns)})"


@cache
def _update(table: str, which: tuple[str, ...], columns: tuple[str, ...]) -> str:
    return f"UPDATE {table} SET {', '.join(f'{column} = :new_{column}' for column in columns)} WHERE {_equal(which)}"


@cache
def _delete(table: str, which: tuple[str, ...]) -> str:
    return f"DELETE FROM {table} WHERE {_equal(which)}"


def _equal(columns: tuple[str, ...]) -> str:
    return " AND ".join(f"{column} = :{column}" for column in columns)


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {column: to_column(value) for column, value in values.items()}


def to_column(value: Any) -> Any:
    """Converts values that the databases cannot store: a boolean becomes 0 or 1, and an enum member its value."""
    if isinstance(value, Enum):
        return value.value
    return int(value) if isinstance(value, bool) else value
