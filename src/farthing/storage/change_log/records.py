"""Reads and writes the records of one table, such as bills. Every write is logged, so that it can be undone."""

from collections.abc import Callable, Collection, Sequence
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from farthing.kernel.money import Currency
from farthing.kernel.shown import rate
from farthing.kernel.text import fold

from ..schema import TABLES
from ..tables import to_column
from ..unit import Row, Unit, page_of
from . import changes

S = TypeVar("S", bound=Struct)
D = TypeVar("D", bound=Struct)


class Records(Generic[S, D]):
    """Stores drafts in a table, and reads its rows as structs of the type `model`.

    `select` is the SQL that reads rows. If it gives the table an alias, pass that with a dot, such as `b.`, as `alias`.
    """

    def __init__(
        self,
        model: type[S],
        table: str,
        select: str,
        *,
        alias: str = "",
        order: str = "id",
        elsewhere: Sequence[str] = (),
        complete: Callable[[D], dict[str, Any]] | None = None,
    ) -> None:
        """Sets up the table. `elsewhere` names the fields of a draft that have no column of their own.

        `complete` computes those columns of a draft that cannot be derived from the names of its fields.
        """
        self._model, self._table, self._select, self._order = model, table, select, order
        self._elsewhere, self._complete = elsewhere, complete
        self._from = f"{table} {alias.rstrip('.')}".strip()
        self._own, self._id = f"{alias}user_id = :user_id", f"{alias}id"
        self._get = f"{select} WHERE {self._own} AND {self._id} = :id"

    def get(self, db: Unit, user_id: int, record_id: int) -> S | None:
        return db.struct(self._model, self._get, user_id=user_id, id=record_id)

    def get_some(self, db: Unit, user_id: int, ids: Collection[int]) -> list[S]:
        return self.find(db, user_id, f"{self._id} IN :ids", ids=sorted(ids))

    def find(self, db: Unit, user_id: int, condition: str = "", /, **values: Any) -> list[S]:
        """Returns all records that meet the condition, in order."""
        sql = f"{self._select} WHERE {self._where(condition)} ORDER BY {self._order}"
        return db.structs(self._model, sql, user_id=user_id, **values)

    def page(
        self, db: Unit, user_id: int, condition: str = "", /, *, limit: int, offset: int, **values: Any
    ) -> tuple[int, list[S]]:
        """Returns the number of records that meet the condition, and one page of these records."""
        where, at = self._where(condition), {"limit": limit, "offset": offset}
        return page_of(db, self._model, self._select, self._from, where, self._order, user_id=user_id, **at, **values)

    def _where(self, condition: str) -> str:
        return f"{self._own} AND ({condition})" if condition else self._own

    def is_taken(self, db: Unit, user_id: int, *, column: str, value: str | None, except_id: int) -> bool:
        """Checks whether another record has this value in the column."""
        sql = f"SELECT 1 FROM {self._table} WHERE user_id = :user_id AND {column} = :value AND id <> :id LIMIT 1"
        return value is not None and bool(db.value(sql, user_id=user_id, value=value, id=except_id))

    def add(self, db: Unit, user_id: int, draft: D, now: str, **more: Any) -> int:
        """Adds a record. `more` holds values for columns that do not come from the draft."""
        return changes.insert(db, self._table, user_id, {**self.columns(draft), **more}, now)

    def change(self, db: Unit, user_id: int, record_id: int, draft: D, now: str, **more: Any) -> None:
        columns = {**self.columns(draft), **more}
        changes.update(db, self._table, user_id, "id = :id", columns, now=now, id=record_id)

    def remove(self, db: Unit, user_id: int, record_id: int) -> None:
        """Removes a record. Remove everything that refers to the record first."""
        changes.delete(db, self._table, user_id, "id = :id", id=record_id)

    def columns(self, draft: D) -> dict[str, Any]:
        """Returns the columns to store for a draft, with their values."""
        columns = columns_of_draft(self._table, draft, self._elsewhere)
        return columns | self._complete(draft) if self._complete else columns

    def add_last(self, db: Unit, user_id: int, draft: D, now: str, **more: Any) -> int:
        """Adds a record at the last position. Only for tables with positions, which are numbered from 1."""
        return self.add(db, user_id, draft, now, position=next_position(db, user_id, self._table), **more)

    def move_to_order(self, db: Unit, user_id: int, record_id: int, order: int | None) -> None:
        """Moves a record to a position, and renumbers the other records. Does nothing if `order` is None."""
        if order is not None:
            changes.move_to(db, self._table, user_id, self._list_positions(db, user_id), record_id, order)

    def put_in_order(self, db: Unit, user_id: int, ids: Sequence[int]) -> list[int]:
        """Puts records into an order. The others follow in the order they have.

        Returns the ids of records that do not exist; then nothing is changed.
        """
        positions: dict[int, int] = dict(self._list_positions(db, user_id))
        unknown = [record_id for record_id in ids if record_id not in positions]
        if not unknown:
            ordered = dict.fromkeys([*ids, *positions])
            changes.renumber(db, self._table, user_id, [(record_id, positions[record_id]) for record_id in ordered])
        return unknown

    def close_gaps(self, db: Unit, user_id: int) -> None:
        """Renumbers all records 1, 2, 3 and so on, such as after one was removed."""
        changes.renumber(db, self._table, user_id, self._list_positions(db, user_id))

    def _list_positions(self, db: Unit, user_id: int) -> list[Row]:
        sql = f"SELECT id, position FROM {self._table} WHERE user_id = :user_id ORDER BY position, id"
        return db.all(sql, user_id=user_id)


def columns_of_draft(table: str, draft: Struct, elsewhere: Sequence[str] = ()) -> dict[str, Any]:
    """Returns the values of a draft by column. Columns are matched to fields by name.

    For example, the field `on` fills the column `on_day`, and `name` fills both `name` and `name_fold`. Fields without
    a column must be named in `elsewhere`, so that no field is forgotten by mistake.
    """
    columns = _map_columns(table, draft.__struct_fields__, tuple(elsewhere))
    return {column: convert(getattr(draft, name)) for name, column, convert in columns}


@cache
def _map_columns(
    table: str, fields: tuple[str, ...], elsewhere: tuple[str, ...]
) -> list[tuple[str, str, Callable[[Any], Any]]]:
    """Returns each field with its column and the function that converts its value."""
    columns: list[tuple[str, str, Callable[[Any], Any]]] = []
    for name in fields:
        column = next((column for column in (name, f"{name}_id", f"{name}_day") if column in TABLES[table]), None)
        assert column or name in elsewhere, f"{table} has no column for {name}"
        columns += [(name, column, _as_stored)] if column else []
        columns += [(name, f"{name}_fold", fold)] if f"{name}_fold" in TABLES[table] else []
    return columns


def _as_stored(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return rate(value)
    if isinstance(value, Currency):
        return value.id
    return msgspec.json.encode(value).decode() if isinstance(value, tuple) else to_column(value)


def next_position(db: Unit, user_id: int, table: str) -> int:
    """Returns the position after the last record, for tables with positions."""
    last = db.value(f"SELECT MAX(position) FROM {table} WHERE user_id = :user_id", user_id=user_id)
    return int(last or 0) + 1


def find_id(db: Unit, sql: str, **values: Any) -> int | None:
    """Runs a query for ids, and returns the first id, or None if there is none."""
    row_id: int | None = db.value(sql, **values)
    return row_id


def find_ids(db: Unit, sql: str, **values: Any) -> list[int]:
    """Runs a query for ids, and returns all of them, in the order of the query."""
    return [row_id for (row_id,) in db.all(sql, **values)]


def values_by_id(db: Unit, user_id: int, table: str, column: str, ids: Collection[int]) -> dict[int, Any]:
    """Maps ids of rows to their values in a column. Ids of rows that do not exist are missing in the result."""
    sql = f"SELECT id, {column} FROM {table} WHERE user_id = :user_id AND id IN :ids"
    return dict(db.all(sql, user_id=user_id, ids=sorted(ids))) if ids else {}
