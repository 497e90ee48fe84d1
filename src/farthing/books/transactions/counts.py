"""Counts splits or entries and finds where a page starts. Reads stored counts instead of the whole history."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any, Literal

from msgspec import Struct

from farthing.ledger.entry import Summed
from farthing.ledger.kinds import Type
from farthing.storage.unit import Unit

FIRST_DAY, LAST_DAY = "0000-00-00", "9999-99-99"

# Up to this offset, a plain OFFSET is cheaper than looking up where the page starts.
_NEAR = 200


class Days(Struct, frozen=True):
    start: str = FIRST_DAY
    end: str = LAST_DAY


class PageStart(Struct, frozen=True):
    """The start of a page: after `skip` splits or entries, counted backwards from the end of `day`."""

    day: str
    skip: int


class LabelFilter(Struct, frozen=True):
    """Selects the splits of a label, or of an account."""

    label: Summed
    id: int


class Book(Struct, frozen=True):
    """Selects the splits to list by their types, for all of a user's books or only for one account or label.

    `unit` says what its lists count: splits, or the entries that have such splits.
    """

    user_id: int
    types: frozenset[Type]
    labelled: LabelFilter | None = None
    unit: Literal["splits", "entries"] = "splits"

    @property
    def source(self) -> str:
        """Returns the table and conditions of the stored counts to sum, up to the word `grain`: append its value."""
        return self._source(f"type IN ({numbers(self.types)})")

    def source_of(self, type_: Type) -> str:
        return self._source(f"type = {int(type_)}")

    def _source(self, types: str) -> str:
        table, of = (f"sums_of_{self.labelled.label}", "label_id = :label_id AND ") if self.labelled else ("counts", "")
        return f"{table} WHERE user_id = :user_id AND {of}{types} AND grain"

    @property
    def is_narrowed(self) -> bool:
        """Checks if types are filtered without an index, so that a rare type would mean scanning the whole history."""
        return self.labelled is not None and self.types != frozenset(Type)

    @property
    def parameters(self) -> dict[str, Any]:
        return {"user_id": self.user_id} | ({"label_id": self.labelled.id} if self.labelled else {})


@cache
def numbers(types: frozenset[Type]) -> str:
    """Writes types for an IN list."""
    return ", ".join(str(int(type_)) for type_ in sorted(types))


def total(db: Unit, book: Book, days: Days) -> int:
    """Counts the splits or entries of the book in a range of days, from the stored counts."""
    if days == Days():
        parts = db.value(f"SELECT SUM({book.unit}) FROM {book.source} = 'all'", **book.parameters)
        return int(parts or 0)
    first, last = days.start[:7], days.end[:7]
    parts = db.one(
        f"""
        SELECT (SELECT SUM({book.unit}) FROM {book.source} = 'month' AND period > :first AND period < :last),
            (SELECT SUM({book.unit}) FROM {book.source} = 'day' AND period >= :start AND period <= :first_end),
            (SELECT SUM({book.unit}) FROM {book.source} = 'day' AND period >= :last_start AND period <= :end)
        """,
        first=first,
        last=last,
        start=days.start,
        first_end=min(f"{first}-99", days.end),
        last_start=f"{last}-00" if last > first else LAST_DAY,
        end=days.end,
        **book.parameters,
    )
    return sum(int(part or 0) for part in parts or ())


def find_page_start(db: Unit, book: Book, end: str, offset: int) -> PageStart:
    """Finds the start of a page from the counts of each month, then from the counts of each day in one month.

    Reads a few hundred rows at most.
    """
    if offset <= _NEAR:
        return PageStart(end, offset)
    days = _newest_first(db, book, "day", above=end[:7], below=f"{end}~") if end < LAST_DAY else ()
    start = _skip(chain(days, _newest_first(db, book, "month", above="", below=end[:7])), offset, FIRST_DAY)
    if start.day == FIRST_DAY or len(start.day) > len("2024-05"):
        return start
    of_month = _newest_first(db, book, "day", above=start.day, below=f"{start.day}~")
    return _skip(of_month, start.skip, f"{start.day}-00")


def _skip(periods: Iterable[tuple[str, int]], left: int, end: str) -> PageStart:
    """Skips `left` splits, and returns where the page starts: in a period or, if there are fewer splits, at `end`."""
    for period, splits in periods:
        if left < splits:
            return PageStart(period, left)
        left -= splits
    return PageStart(end, 0)


def find_days(db: Unit, book: Book, start: str, at: PageStart, limit: int) -> list[str]:
    """Finds the days that the page covers. Reads at most `at.skip + limit` rows for each type."""
    reach = at.skip + limit
    streams = " UNION ALL ".join(
        f"""
        SELECT period, {book.unit} FROM (
            SELECT period, {book.unit} FROM {book.source_of(type_)} = 'day' AND period >= :start AND period <= :end
                AND {book.unit} > 0 ORDER BY period DESC LIMIT :reach
        ) AS stream_{int(type_)}
        """
        for type_ in sorted(book.types)
    )
    rows = db.all(streams, start=start, end=at.day, reach=reach, **book.parameters)
    held: Counter[str] = Counter()
    for day, splits in rows:
        held[day] += splits
    days: list[str] = []
    for day in sorted(held, reverse=True):
        if reach <= 0:
            break
        days.append(day)
        reach -= held[day]
    return days


def _newest_first(db: Unit, book: Book, grain: str, *, above: str, below: str) -> Iterator[tuple[str, int]]:
    sql = f"""
        SELECT period, SUM({book.unit}) FROM {book.source} = :grain AND period > :above AND period < :below
        GROUP BY period ORDER BY period DESC
    """
    rows: Iterable[tuple[Any, ...]] = db.all(sql, grain=grain, above=above, below=below, **book.parameters)
    for period, splits in rows:
        yield period, int(splits)
