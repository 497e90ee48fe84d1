"""Which transactions does a page show? Ordered index scans, merged; never a scan of all history."""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Any

from ..ledger.kinds import Type
from ..money import Currency
from ..storage.unit import Row, Unit
from .counts import Book, Days, place
from .model import Line, Seen

_LINE = """
s.id, s.entry_id, s.position, s.type, s.on_day, e.description, s.description, e.notes, e.internal_reference,
    e.interest_on, e.book_on, e.process_on, e.due_on, e.payment_on, e.invoice_on, s.reconciled,
    e.created_at, e.updated_at, s.units, g.id, g.name, h.id, h.name, b.id, b.name,
    e.bill_by_hand, c.id, c.code, c.name, c.symbol, c.places,
    s.foreign_units, f.id, f.code, f.name, f.symbol, f.places,
    o.id, o.name, o.iban, o.kind, d.id, d.name, d.iban, d.kind
"""
_OF_LINE = """
JOIN entries e ON e.user_id = s.user_id AND e.id = s.entry_id
JOIN currencies c ON c.id = s.currency_id
LEFT JOIN currencies f ON f.id = s.foreign_currency_id
LEFT JOIN categories g ON g.user_id = s.user_id AND g.id = s.category_id
LEFT JOIN budgets h ON h.user_id = s.user_id AND h.id = s.budget_id
LEFT JOIN bills b ON b.user_id = s.user_id AND b.id = e.bill_id
JOIN accounts o ON o.user_id = s.user_id AND o.id = s.source_id
JOIN accounts d ON d.user_id = s.user_id AND d.id = s.destination_id
"""
_NEWEST_FIRST = "on_day DESC, entry_id DESC, position"


def page(db: Unit, book: Book, days: Days, *, limit: int, offset: int) -> list[Line]:
    """The newest first; deep pages begin where the kept counts say."""
    at = place(db, book, days.end, offset)
    streams = [f"type = {int(one)}" for one in sorted(book.types)]
    parameters: dict[str, Any] = {}
    if book.account_id is not None:
        streams = _of_account(book.types)
        parameters = {"account_id": book.account_id}
    rows = db.all(
        _page(tuple(streams)),
        user_id=book.user_id,
        start=days.start,
        end=at.day,
        limit=limit,
        skip=at.skip,
        reach=limit + at.skip,
        **parameters,
    )
    return _lines(db, book.user_id, rows)


def _of_account(types: frozenset[Type]) -> list[str]:
    narrowed = "" if types == frozenset(Type) else f" AND type IN ({', '.join(str(int(one)) for one in sorted(types))})"
    return [f"source_id = :account_id{narrowed}", f"destination_id = :account_id{narrowed}"]


@cache
def _page(streams: tuple[str, ...]) -> str:
    """Each stream is read in the order of its index, and only as far as the page reaches."""
    merged = " UNION ALL ".join(
        f"""
        SELECT id, on_day, entry_id, position FROM (
            SELECT id, on_day, entry_id, position FROM splits
            WHERE user_id = :user_id AND {stream} AND on_day >= :start AND on_day <= :end
            ORDER BY {_NEWEST_FIRST} LIMIT :reach
        ) AS stream_{number}
        """
        for number, stream in enumerate(streams)
    )
    return f"""
    SELECT {_LINE} FROM (
        SELECT id FROM ({merged}) AS merged ORDER BY {_NEWEST_FIRST} LIMIT :limit OFFSET :skip
    ) AS page JOIN splits s ON s.id = page.id {_OF_LINE}
    WHERE s.user_id = :user_id ORDER BY s.on_day DESC, s.entry_id DESC, s.position
    """


def _side(column: str) -> str:
    return f"""
        SELECT id, on_day, entry_id, position FROM (
            SELECT id, on_day, entry_id, position FROM splits
            WHERE user_id = v.user_id AND {column} = v.id AND on_day >= :start AND on_day <= :end
            ORDER BY {_NEWEST_FIRST} LIMIT :limit
        ) AS {column}_side
    """


_OF_ACCOUNTS = f"""
SELECT v.id, {_LINE}
FROM accounts v
JOIN splits s ON s.user_id = v.user_id AND s.id IN (
    SELECT id FROM ({_side("source_id")} UNION ALL {_side("destination_id")}) AS merged
    ORDER BY {_NEWEST_FIRST} LIMIT :limit
)
{_OF_LINE}
WHERE v.user_id = :user_id AND v.id IN :account_ids
ORDER BY v.id, s.on_day DESC, s.entry_id DESC, s.position
"""


def newest_of_accounts(
    db: Unit, user_id: int, account_ids: list[int], days: Days, *, limit: int
) -> dict[int, list[Line]]:
    """Each account's newest transactions, in one query however many accounts there are."""
    rows = db.all(_OF_ACCOUNTS, user_id=user_id, account_ids=account_ids, start=days.start, end=days.end, limit=limit)
    lines = _lines(db, user_id, [row[1:] for row in rows])
    of_account: dict[int, list[Line]] = defaultdict(list)
    for row, line in zip(rows, lines, strict=True):
        of_account[row[0]].append(line)
    return of_account


def of_entries(db: Unit, user_id: int, entry_ids: list[int]) -> list[Line]:
    """The lines of these entries, in the order of the ids and of the splits."""
    rows = db.all(
        f"""
        SELECT {_LINE} FROM splits s {_OF_LINE}
        WHERE s.user_id = :user_id AND s.entry_id IN :entry_ids ORDER BY s.entry_id, s.position
        """,
        user_id=user_id,
        entry_ids=entry_ids,
    )
    return _lines(db, user_id, rows)


_OF_BILLS = f"""
SELECT {_LINE} FROM (
    SELECT id, ROW_NUMBER() OVER (PARTITION BY bill_id ORDER BY on_day DESC, id DESC) AS place FROM entries
    WHERE user_id = :user_id AND bill_id IN :bill_ids AND on_day >= :start AND on_day <= :end
) AS page
JOIN splits s ON s.user_id = :user_id AND s.entry_id = page.id {_OF_LINE}
WHERE page.place > :skip AND page.place <= :upto ORDER BY s.on_day DESC, s.entry_id DESC, s.position
"""


def of_bills(
    db: Unit, user_id: int, bill_ids: list[int], days: Days, *, limit: int, offset: int = 0
) -> dict[int, list[Line]]:
    """A page of each bill's transactions in one query; pages count transactions, each with all of its splits."""
    rows = db.all(
        _OF_BILLS,
        user_id=user_id,
        bill_ids=bill_ids,
        start=days.start,
        end=days.end,
        skip=offset,
        upto=offset + limit,
    )
    found: dict[int, list[Line]] = defaultdict(list)
    for line in _lines(db, user_id, rows):
        assert line.bill_id is not None
        found[line.bill_id].append(line)
    return found


def count_of_bill(db: Unit, user_id: int, bill_id: int, days: Days) -> int:
    """A bill has few payments: these are counted where they are."""
    found = db.value(
        """
        SELECT COUNT(*) FROM entries
        WHERE user_id = :user_id AND bill_id = :bill_id AND on_day >= :start AND on_day <= :end
        """,
        user_id=user_id,
        bill_id=bill_id,
        start=days.start,
        end=days.end,
    )
    return int(found)


def entry_of(db: Unit, user_id: int, split_id: int) -> tuple[int, Type] | None:
    """A transaction is addressed by the id of any of its splits."""
    row = db.one(
        "SELECT entry_id, type FROM splits WHERE user_id = :user_id AND id = :id", user_id=user_id, id=split_id
    )
    return (row[0], Type(row[1])) if row else None


def days_of_splits(db: Unit, user_id: int, account_id: int, split_ids: list[int]) -> dict[int, str]:
    """Which of these splits touch the account, and when."""
    rows = db.all(
        """
        SELECT id, on_day FROM splits
        WHERE user_id = :user_id AND id IN :ids AND (source_id = :account_id OR destination_id = :account_id)
        """,
        user_id=user_id,
        account_id=account_id,
        ids=split_ids,
    )
    return dict(rows)


def _lines(db: Unit, user_id: int, rows: list[Row]) -> list[Line]:
    tags = _tags(db, user_id, {row[1] for row in rows})
    return [_line(row, tags) for row in rows]


def _tags(db: Unit, user_id: int, entry_ids: Iterable[int]) -> dict[int, tuple[str, ...]]:
    rows = db.all(
        """
        SELECT l.entry_id, t.name FROM entry_tags l JOIN tags t ON t.user_id = l.user_id AND t.id = l.tag_id
        WHERE l.user_id = :user_id AND l.entry_id IN :entry_ids ORDER BY l.id
        """,
        user_id=user_id,
        entry_ids=list(entry_ids),
    )
    tags: dict[int, tuple[str, ...]] = defaultdict(tuple)
    for entry_id, name in rows:
        tags[entry_id] += (name,)
    return tags


def _line(row: Row, tags: dict[int, tuple[str, ...]]) -> Line:
    """The columns in the order of the dataclass; groups of them become a currency or an account."""
    columns = (
        *row[:15],
        bool(row[15]),
        *row[16:25],
        bool(row[25]),
        Currency(*row[26:31]),
        row[31],
        Currency(*row[32:37]) if row[32] else None,
        Seen(*row[37:41]),
        Seen(*row[41:45]),
        tags.get(row[1], ()),
    )
    return Line(*columns)
