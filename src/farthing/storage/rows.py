"""How do many rows reach PostgreSQL? Several in one INSERT: there a statement costs far more than the row it brings."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from .unit import Row

# A plan is made for each number of rows: these, and what is left over after them.
_TOGETHER = (100, 10)
_INSERT = re.compile(r"(?P<head>\s*INSERT INTO [^()]+\([^()]+\)\s*VALUES\s*)\((?P<row>[^()]+)\)(?P<tail>.*)", re.DOTALL)
_NAME = re.compile(r":([a-z_][a-z_0-9]*)")


class Insert(NamedTuple):
    """`head VALUES (row) tail`; the names are those of the row, in order."""

    head: str
    row: str
    tail: str
    names: tuple[str, ...]


@lru_cache(maxsize=256)
def parted(sql: str) -> Insert | None:
    """None: another kind of statement, or one that needs a parameter outside of its row."""
    found = _INSERT.fullmatch(sql)
    if found is None or _NAME.search(found["tail"]):
        return None
    return Insert(found["head"], found["row"], found["tail"], tuple(_NAME.findall(found["row"])))


def statements(insert: Insert, rows: Sequence[Mapping[str, Any] | Row]) -> Iterator[tuple[bytes, list[Any]]]:
    """What to execute, with parameters by number."""
    first = 0
    while first < len(rows):
        left = len(rows) - first
        batch = rows[first : first + next((size for size in _TOGETHER if size <= left), left)]
        yield _written(insert, len(batch)), [value for row in batch for value in _values(insert, row)]
        first += len(batch)


def _values(insert: Insert, row: Mapping[str, Any] | Row) -> Iterable[Any]:
    return row if isinstance(row, tuple) else (row[name] for name in insert.names)


@lru_cache(maxsize=1024)
def _written(insert: Insert, number: int) -> bytes:
    places = iter(range(1, number * len(insert.names) + 1))
    rows = (_NAME.sub(lambda _name: f"${next(places)}", insert.row) for _ in range(number))
    return f"{insert.head}{', '.join(f'({row})' for row in rows)}{insert.tail}".encode()
