"""Reads several streams of transactions, each newest first in index order, and merges them."""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from farthing.books.transactions.counts import LAST_DAY, Days
from farthing.ledger.kinds import Type
from farthing.storage.unit import Row, Unit

ListPosition = tuple[str, int]  # day and entry, the order of every list
Candidate = tuple[str, int, int]  # a position, and 1 if the entry fits, else 0
_BEYOND = 2**62
# The position before the newest entry.
BEGINNING: ListPosition = (LAST_DAY, _BEYOND)
_PIECE_MAX = 500


class StreamSource(Struct, frozen=True):
    """A stream reads the rows of `table` that have `value` in `column`.

    An entry fits if `condition`, which is SQL with `parameters`, holds for one of its rows. `only` is SQL that all rows
    of the stream meet, so that an index of such rows serves it.
    """

    table: str
    column: str
    value: int
    entry: str = "entry_id"
    condition: str = ""
    parameters: Mapping[str, Any] = {}
    only: str = "1 = 1"


def of_types(types: Sequence[Type]) -> list[StreamSource]:
    return [StreamSource(table="splits", column="type", value=int(type_)) for type_ in types]


def of_account(account_id: int) -> list[StreamSource]:
    return [StreamSource(table="splits", column=side, value=account_id) for side in ("source_id", "destination_id")]


def of_uncategorised(user_id: int) -> list[StreamSource]:
    """Returns the splits without a category. There are two indexes, because the inbox lists no transfers."""
    return [
        StreamSource(table="splits", column="user_id", value=user_id, only=f"category_id IS NULL AND type {types}")
        for types in ("< 3", ">= 3")
    ]


def merge_streams(
    db: Unit, user_id: int, sources: Sequence[StreamSource], days: Days, batch: int, *, before: ListPosition
) -> Iterator[Candidate]:
    """Yields each entry once. The more streams there are, the smaller the pieces: most streams contribute little."""
    piece = max(1, batch // max(1, len(sources) // 10))
    first, last = min(before, (days.end, _BEYOND)), None
    for candidate in heapq.merge(
        *(_stream(db, user_id, source, days, piece, first) for source in sources), reverse=True
    ):
        position = candidate[:2]
        if position != last:  # among duplicates, a candidate that fits comes first
            yield candidate
        last = position


def _stream(
    db: Unit, user_id: int, source: StreamSource, days: Days, piece: int, before: ListPosition
) -> Iterator[Candidate]:
    """Reads a stream in pieces, so that little is read if the caller needs only a few entries."""
    last = before
    fits = f"MAX(CASE WHEN {source.condition} THEN 1 ELSE 0 END)" if source.condition else "1"
    grouped = f"GROUP BY on_day, {source.entry}" if source.condition else ""
    while True:
        rows: list[Row] = db.all(
            f"""
            SELECT on_day, {source.entry}, {fits} FROM {source.table}
            WHERE user_id = :user_id AND {source.column} = :value AND (on_day, {source.entry}) < (:day, :entry_id)
                AND on_day >= :start AND {source.only}
            {grouped} ORDER BY on_day DESC, {source.entry} DESC LIMIT :most
            """,
            **source.parameters,
            user_id=user_id,
            value=source.value,
            day=last[0],
            entry_id=last[1],
            start=days.start,
            most=piece,
        )
        yield from ((on, entry_id, fits) for on, entry_id, fits in rows)
        if len(rows) < piece:
            return
        last = (rows[-1][0], rows[-1][1])
        piece = min(2 * piece, _PIECE_MAX)
