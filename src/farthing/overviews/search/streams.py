"""Reads transactions newest first, each stream in index order, and merges the streams."""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from farthing.books.transactions.counts import LAST_DAY, Days
from farthing.ledger.kinds import Type
from farthing.storage.unit import Row, Unit

Place = tuple[str, int]  # day and entry, the order of every list
Candidate = tuple[str, int, int]  # a place, and whether it fits: 1 or 0
_BEYOND = 2**62
# Before every entry, newest first.
BEGINNING: Place = (LAST_DAY, _BEYOND)
_PIECE_MAX = 500


class Source(Struct, frozen=True):
    """What a stream reads: the entries of rows with this value in the column.

    An entry fits if `condition` holds for one of these rows; it is SQL with parameters.
    """

    table: str
    column: str
    value: int
    entry: str = "entry_id"
    condition: str = ""
    parameters: Mapping[str, Any] = {}


def of_types(types: Sequence[Type]) -> list[Source]:
    return [Source(table="splits", column="type", value=int(one)) for one in types]


def of_account(account_id: int) -> list[Source]:
    return [Source(table="splits", column=side, value=account_id) for side in ("source_id", "destination_id")]


def merge_streams(
    db: Unit, user_id: int, sources: Sequence[Source], days: Days, batch: int, *, before: Place
) -> Iterator[Candidate]:
    """Each entry once. With many streams the pieces are smaller, because little is needed of most of them."""
    piece = max(1, batch // max(1, len(sources) // 10))
    first, last = min(before, (days.end, _BEYOND)), None
    for candidate in heapq.merge(*(_stream(db, user_id, one, days, piece, first) for one in sources), reverse=True):
        place = candidate[:2]
        if place != last:  # of several, one that fits comes first
            yield candidate
        last = place


def _stream(db: Unit, user_id: int, source: Source, days: Days, piece: int, before: Place) -> Iterator[Candidate]:
    """Reads in pieces, so that taking few entries costs little."""
    last = before
    fits = f"MAX(CASE WHEN {source.condition} THEN 1 ELSE 0 END)" if source.condition else "1"
    grouped = f"GROUP BY on_day, {source.entry}" if source.condition else ""
    while True:
        rows: list[Row] = db.all(
            f"""
            SELECT on_day, {source.entry}, {fits} FROM {source.table}
            WHERE user_id = :user_id AND {source.column} = :value AND (on_day, {source.entry}) < (:day, :entry_id)
                AND on_day >= :start
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
