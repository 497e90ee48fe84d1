"""Reads pages of transactions by merging ordered index scans, which never read the whole history."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, Literal

from msgspec import Struct

from farthing.ledger.entry import Entry, Summed
from farthing.ledger.kinds import Type
from farthing.storage.drivers import dialects
from farthing.storage.unit import Answer, Owned, Row, Unit

from .counts import Book, Days, find_days, find_page_start, numbers
from .line_names import AskedNames, LineNames, NamedIds
from .model import Line, LineDates, LineEntry


class _LineRow(Struct, frozen=True, gc=False):
    """A line as it is stored, with ids in place of names."""

    id: int
    position: int
    type: int
    on: str
    description: str | None
    reconciled: bool
    units: int
    currency_id: int
    foreign_units: int | None
    foreign_currency_id: int | None
    source_id: int
    destination_id: int
    category_id: int | None
    budget_id: int | None
    refund: bool
    entry_id: int
    entry_description: str
    notes: str | None
    internal_reference: str | None
    dates: LineDates | None
    bill_id: int | None
    bill_by_hand: bool
    recurrence_id: int | None
    external_id: str | None
    external_url: str | None
    created_at: str
    updated_at: str


_LINE = """
s.id, s.position, s.type, s.on_day AS "on", s.description, s.reconciled, s.units, s.currency_id, s.foreign_units,
s.foreign_currency_id, s.source_id, s.destination_id, s.category_id, s.budget_id, s.refund, s.entry_id,
e.description AS entry_description, e.notes, e.internal_reference, e.interest_on, e.book_on, e.process_on, e.due_on,
e.payment_on, e.invoice_on, e.bill_id, e.bill_by_hand, e.recurrence_id, d.external_id, d.external_url,
e.created_at, e.updated_at
"""
_OF_LINE = """
JOIN entries e ON e.user_id = s.user_id AND e.id = s.entry_id
LEFT JOIN entry_details d ON d.user_id = s.user_id AND d.entry_id = s.entry_id
"""
_NEWEST_FIRST = "on_day DESC, entry_id DESC, position"


def page(db: Unit, book: Book, days: Days, *, limit: int, offset: int) -> list[Line]:
    """Returns a page of lines, newest first; finds the start of a deep page from the stored counts."""
    at = find_page_start(db, book, days.end, offset)
    reach: dict[str, Any] = {"start": days.start, "end": at.day, "reach": limit + at.skip}
    if book.is_narrowed:
        reach = {"days": find_days(db, book, days.start, at, limit)}
    sql = _page(list_conditions(book), on_days=book.is_narrowed)
    rows = db.structs(_LineRow, sql, limit=limit, skip=at.skip, **reach, **book.parameters)
    # The rows are sorted in Python, because the database would have to sort entire rows.
    rows.sort(key=_position_of)
    rows.sort(key=_day_and_entry_of, reverse=True)
    return _lines(db, book.user_id, rows)


_position_of = attrgetter("position")
_day_and_entry_of = attrgetter("on", "entry_id")


def list_conditions(book: Book) -> tuple[str, ...]:
    """Returns the conditions of the streams that together make up the book. Each stream is read in index order."""
    if book.labelled is None:
        return tuple(f"s.type = {int(type_)}" for type_ in sorted(book.types))
    narrowed = f" AND s.type IN ({numbers(book.types)})" if book.is_narrowed else ""
    return tuple(f"{column} = :label_id{narrowed}" for column in _CARRIES[book.labelled.label])


_CARRIES: dict[Summed, tuple[str, ...]] = {
    "accounts": ("s.source_id", "s.destination_id"),
    "categories": ("s.category_id",),
    "budgets": ("s.budget_id",),
    "tags": ("l.tag_id",),
}
TAGGED = "entry_tags l JOIN splits s ON s.user_id = l.user_id AND s.entry_id = l.entry_id"


def _stream(condition: str, reach: str, name: str) -> str:
    """Builds a scan that reads only as far as the page needs. For tags, `entry_tags` provides the day and the order."""
    of, source = ("l", TAGGED) if condition.startswith("l.") else ("s", "splits s")
    return f"""
        SELECT id, on_day, entry_id, position FROM (
            SELECT s.id, {of}.on_day, {of}.entry_id, s.position FROM {source}
            WHERE {of}.user_id = :user_id AND {condition} AND {of}.on_day >= :start AND {of}.on_day <= :end
            ORDER BY {of}.on_day DESC, {of}.entry_id DESC, s.position LIMIT :{reach}
        ) AS {name}
    """


def _whole_days(condition: str) -> str:
    """Builds a scan of all splits on the days of the page.

    Has no ORDER BY, because the planner would otherwise choose an index for that order.
    """
    of, source = ("l", TAGGED) if condition.startswith("l.") else ("s", "splits s")
    return f"""
        SELECT s.id, {of}.on_day, {of}.entry_id, s.position FROM {source}
        WHERE {of}.user_id = :user_id AND {condition} AND {of}.on_day IN :days
    """


@cache
def _page(conditions: tuple[str, ...], *, on_days: bool) -> str:
    merged = " UNION ALL ".join(
        _whole_days(condition) if on_days else _stream(condition, "reach", f"stream_{number}")
        for number, condition in enumerate(conditions)
    )
    # The plus keeps SQLite from scanning all splits of the user to find those of the page.
    return f"""
    SELECT {_LINE} FROM (
        SELECT id FROM ({merged}) AS merged ORDER BY {_NEWEST_FIRST} LIMIT :limit OFFSET :skip
    ) AS page JOIN splits s ON s.id = page.id {_OF_LINE}
    WHERE +s.user_id = :user_id
    """


@cache
def _newest(table: str, conditions: tuple[str, ...], joined: str) -> str:
    """Builds a query whose joins force a plan. Otherwise, the database would check every split for every owner."""
    merged = " UNION ALL ".join(
        _stream(condition, "limit", f"stream_{number}") for number, condition in enumerate(conditions)
    )
    chosen = f"SELECT id FROM ({merged}) AS merged ORDER BY {_NEWEST_FIRST} LIMIT :limit"
    return f"""
    SELECT v.id AS owner_id, {_LINE} FROM {table} v {joined.format(ids=chosen)} {_OF_LINE}
    WHERE v.user_id = :user_id AND v.id IN :owner_ids
    ORDER BY v.id, s.on_day DESC, s.entry_id DESC, s.position
    """


def newest_of(
    db: Unit, user_id: int, label: Summed, owner_ids: list[int], days: Days, *, limit: int
) -> dict[int, list[Line]]:
    """Returns the newest transactions of each account or label, in one query."""
    conditions = tuple(f"{column} = v.id" for column in _CARRIES[label])
    statement = _newest(label, conditions, dialects.join_by_ids(db, "splits", "s"))
    values = {"owner_ids": owner_ids, "start": days.start, "end": days.end, "limit": limit}
    return _lines_by_owner(db, user_id, db.structs(Owned[_LineRow], statement, user_id=user_id, **values))


def _lines_by_owner(db: Unit, user_id: int, rows: list[Owned[_LineRow]]) -> dict[int, list[Line]]:
    lines: dict[int, list[Line]] = defaultdict(list)
    for row, line in zip(rows, _lines(db, user_id, [row.item for row in rows]), strict=True):
        lines[row.owner_id].append(line)
    return lines


def of_entries(db: Unit, user_id: int, entry_ids: list[int]) -> list[Line]:
    """Returns the lines of the given entries, ordered by entry and split."""
    if len(entry_ids) == 1:
        rows = db.structs(_LineRow, _OF_ENTRY, user_id=user_id, entry_id=entry_ids[0])
    else:
        rows = db.structs(_LineRow, _OF_ENTRIES, user_id=user_id, entry_ids=entry_ids)
    return _lines(db, user_id, rows)


def of_stored(db: Unit, user_id: int, entry_id: int, entry: Entry) -> list[Line]:
    """Returns the lines of an entry that was just stored. Sends all queries together, because all ids are known."""
    answer = db.ask_structs(_LineRow, _OF_ENTRY, user_id=user_id, entry_id=entry_id)
    tags = _ask_tags(db, user_id, [entry_id]) if entry.tag_ids else None
    names = AskedNames(db, user_id, NamedIds.of(entry))
    return _read_lines(answer.rows(), tags, names)


_OF_ENTRIES = f"""
SELECT {_LINE} FROM splits s {_OF_LINE}
WHERE s.user_id = :user_id AND s.entry_id IN :entry_ids ORDER BY s.entry_id, s.position
"""
# Uses no IN list, because preparing such a list takes as long as the query itself.
_OF_ENTRY = f"""
SELECT {_LINE} FROM splits s {_OF_LINE} WHERE s.user_id = :user_id AND s.entry_id = :entry_id ORDER BY s.position
"""


Owner = Literal["bill_id", "recurrence_id"]


@cache
def _of_owners(owner: Owner) -> str:
    return f"""
    SELECT page.owner_id, {_LINE} FROM (
        SELECT s.id, e.{owner} AS owner_id,
            ROW_NUMBER() OVER (PARTITION BY e.{owner} ORDER BY e.on_day DESC, e.id DESC, s.position) AS place
        FROM entries e JOIN splits s ON s.user_id = e.user_id AND s.entry_id = e.id
        WHERE e.user_id = :user_id AND e.{owner} IN :owner_ids AND e.on_day >= :start AND e.on_day <= :end
    ) AS page
    JOIN splits s ON s.id = page.id {_OF_LINE}
    WHERE page.place > :skip AND page.place <= :upto AND +s.user_id = :user_id
    ORDER BY s.on_day DESC, s.entry_id DESC, s.position
    """


def of_owners(
    db: Unit, user_id: int, owner: Owner, owner_ids: list[int], days: Days, *, limit: int, offset: int = 0
) -> dict[int, list[Line]]:
    """Returns a page of the transactions of each bill or recurrence, newest first, paged by splits."""
    values = {"owner_ids": owner_ids, "start": days.start, "end": days.end, "skip": offset, "upto": offset + limit}
    rows = db.structs(Owned[_LineRow], _of_owners(owner), user_id=user_id, **values)
    return _lines_by_owner(db, user_id, rows)


def count_of_owner(db: Unit, user_id: int, owner: Owner, owner_id: int, days: Days) -> int:
    """Counts the splits of a bill or recurrence without stored counts, because it has few transactions."""
    sql = f"""
        SELECT COUNT(*) FROM entries e JOIN splits s ON s.user_id = e.user_id AND s.entry_id = e.id
        WHERE e.user_id = :user_id AND e.{owner} = :owner_id AND e.on_day >= :start AND e.on_day <= :end
    """
    splits = db.value(sql, user_id=user_id, owner_id=owner_id, start=days.start, end=days.end)
    return int(splits)


def entry_of(db: Unit, user_id: int, split_id: int) -> tuple[int, Type] | None:
    sql = "SELECT entry_id, type FROM splits WHERE user_id = :user_id AND id = :id"
    row = db.one(sql, user_id=user_id, id=split_id)
    return (row[0], Type(row[1])) if row else None


def ask_splits(db: Unit, user_id: int, entry_id: int) -> Answer[Row]:
    """Queries the position and the description of each split, and whether the split is a refund."""
    sql = "SELECT position, description, refund FROM splits WHERE user_id = :user_id AND entry_id = :entry_id"
    return db.ask(sql, user_id=user_id, entry_id=entry_id)


class SplitPosition(Struct, frozen=True):
    """A split with its transaction, its type and its day."""

    id: int
    entry_id: int
    type: int
    on: str
    refund: bool


def find_positions(db: Unit, user_id: int, split_ids: list[int]) -> dict[int, SplitPosition]:
    sql = """
        SELECT id, entry_id, type, on_day AS "on", refund FROM splits WHERE user_id = :user_id AND id IN :ids
    """
    return {split.id: split for split in db.structs(SplitPosition, sql, user_id=user_id, ids=split_ids)}


def days_of_splits(db: Unit, user_id: int, account_id: int, split_ids: list[int]) -> dict[int, str]:
    """Returns the days of those splits that touch the account."""
    sql = """
        SELECT id, on_day FROM splits
        WHERE user_id = :user_id AND id IN :ids AND (source_id = :account_id OR destination_id = :account_id)
    """
    rows = db.all(sql, user_id=user_id, account_id=account_id, ids=split_ids)
    return dict(rows)


def _lines(db: Unit, user_id: int, rows: list[_LineRow]) -> list[Line]:
    """Adds names to lines with one query per table. Joining the names would take two fifths of the query's time."""
    if not rows:
        return []
    tags = _ask_tags(db, user_id, {row.entry_id for row in rows})
    ids = NamedIds(
        accounts={row.source_id for row in rows} | {row.destination_id for row in rows},
        currencies={row.currency_id for row in rows} | {id_ for row in rows if (id_ := row.foreign_currency_id)},
        labels={
            "bills": {row.bill_id for row in rows if row.bill_id},
            "categories": {row.category_id for row in rows if row.category_id},
            "budgets": {row.budget_id for row in rows if row.budget_id},
        },
    )
    return _read_lines(rows, tags, AskedNames(db, user_id, ids))


def _read_lines(rows: list[_LineRow], asked_tags: Answer[Row] | None, asked_names: AskedNames) -> list[Line]:
    tags: dict[int, tuple[str, ...]] = defaultdict(tuple)
    for entry_id, name in asked_tags.rows() if asked_tags else ():
        tags[entry_id] += (name,)
    names = asked_names.read()
    return [_line(row, tags, names) for row in rows]


def _line(row: _LineRow, tags: Mapping[int, tuple[str, ...]], names: LineNames) -> Line:
    return Line(
        row.id,
        row.position,
        type=row.type,
        on=row.on,
        description=row.description,
        reconciled=row.reconciled,
        units=row.units,
        currency=names.currencies[row.currency_id],
        foreign_units=row.foreign_units,
        foreign_currency=names.currencies[row.foreign_currency_id] if row.foreign_currency_id else None,
        source=names.accounts[row.source_id],
        destination=names.accounts[row.destination_id],
        category=names.labels["categories"][row.category_id] if row.category_id else None,
        budget=names.labels["budgets"][row.budget_id] if row.budget_id else None,
        refund=row.refund,
        entry=LineEntry(
            id=row.entry_id,
            description=row.entry_description,
            notes=row.notes,
            internal_reference=row.internal_reference,
            dates=row.dates,
            bill=names.labels["bills"][row.bill_id] if row.bill_id else None,
            bill_by_hand=row.bill_by_hand,
            recurrence_id=row.recurrence_id,
            external_id=row.external_id,
            external_url=row.external_url,
            tags=tags.get(row.entry_id, ()),
            created_at=row.created_at,
            updated_at=row.updated_at,
        ),
    )


def _ask_tags(db: Unit, user_id: int, entry_ids: Iterable[int]) -> Answer[Row]:
    sql = """
        SELECT l.entry_id, t.name FROM entry_tags l JOIN tags t ON t.user_id = l.user_id AND t.id = l.tag_id
        WHERE l.user_id = :user_id AND l.entry_id IN :entry_ids ORDER BY l.id
    """
    return db.ask(sql, user_id=user_id, entry_ids=list(entry_ids))
