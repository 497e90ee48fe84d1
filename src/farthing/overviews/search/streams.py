"""Reads transactions newest first, each stream in index order, and merges the streams."""

import heapq
from collections.abc import Iterator, Sequence

from msgspec import Struct

from farthing.books.transactions.counts import Days
from farthing.ledger.kinds import Type
from farthing.storage.unit import Row, Unit

Place = tuple[str, int]  # day and entry, the order of every list
_BEYOND = 2**62
_PIECE_MAX = 2000


class Source(Struct, frozen=True):
    """What a stream reads: the entries of rows with this value in the column."""

    table: str
    column: str
    value: int
    entry: str = "entry_id"


def of_types(types: Sequence[Type]) -> list[Source]:
    return [Source(table="splits", column="type", value=int(one)) for one in types]


def of_account(account_id: int) -> list[Source]:
    return [Source(table="splits", column=side, value=account_id) for side in ("source_id", "destination_id")]


def merge_streams(db: Unit, user_id: int, sources: Sequence[Source], days: Days, batch: int) -> Iterator[Place]:
    """Each entry once. With many streams the pieces are smaller, because little is needed of most of them."""
    piece = max(1, batch // max(1, len(sources) // 10))
    last = None
    for place in heapq.merge(*(_stream(db, user_id, one, days, piece) for one in sources), reverse=True):
        if place != last:
            yield place
        last = place


def _stream(db: Unit, user_id: int, source: Source, days: Days, piece: int) -> Iterator[Place]:
    """Reads in pieces, so that taking few entries costs little."""
    last: Place = (days.end, _BEYOND)
    while True:
        rows: list[Row] = db.all(
            f"""
            SELECT on_day, {source.entry} FROM {source.table}
            WHERE user_id = :user_id AND {source.column} = :value AND (on_day, {source.entry}) < (:day, :entry_id)
                AND on_day >= :start
            ORDER BY on_day DESC, {source.entry} DESC LIMIT :most
            """,
            user_id=user_id,
            value=source.value,
            day=last[0],
            entry_id=last[1],
            start=days.start,
            most=piece,
        )
        yield from ((on, entry_id) for on, entry_id in rows)
        if len(rows) < piece:
            return
        last = (rows[-1][0], rows[-1][1])
        piece = min(2 * piece, _PIECE_MAX)
