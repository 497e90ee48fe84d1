"""Reads pages of transactions with ordered index scans, merged; never with a scan of all history."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from operator import itemgetter
from typing import Any, Literal

from msgspec import Struct

from farthing.ledger.entry import Entry, Label
from farthing.ledger.kinds import Type
from farthing.storage.drivers import dialects
from farthing.storage.unit import Answer, Row, Unit

from .counts import Book, Days, find_days, find_page_start, numbers
from .line_names import AskedNames, LineNames, NamedIds
from .model import Line, LineDates, LineEntry

# `_line` unpacks them in this order.
_COLUMNS = (
    "s.id", "s.position", "s.type", "s.on_day", "s.description", "s.reconciled", "s.units", "s.currency_id",
    "s.foreign_units", "s.foreign_currency_id", "s.source_id", "s.destination_id", "s.category_id", "s.budget_id",
    "s.refund", "s.entry_id", "e.description", "e.notes", "e.internal_reference", "e.interest_on", "e.book_on",
    "e.process_on", "e.due_on", "e.payment_on", "e.invoice_on", "e.bill_id", "e.bill_by_hand", "e.recurrence_id",
    "e.created_at", "e.updated_at",
)  # fmt: skip
_LINE = ", ".join(_COLUMNS)
_OF_LINE = "JOIN entries e ON e.user_id = s.user_id AND e.id = s.entry_id"
_NEWEST_FIRST = "on_day DESC, entry_id DESC, position"


def page(db: Unit, book: Book, days: Days, *, limit: int, offset: int) -> list[Line]:
    """Newest first; finds the start of a deep page from the stored counts."""
    at = find_page_start(db, book, days.end, offset)
    reach: dict[str, Any] = {"start": days.start, "end": at.day, "reach": limit + at.skip}
    if book.is_narrowed:
        reach = {"days": find_days(db, book, days.start, at, limit)}
    rows = db.all(
        _page(_conditions(book), on_days=book.is_narrowed),
        user_id=book.user_id,
        limit=limit,
        skip=at.skip,
        **reach,
        **book.of_one,
    )
    # Sorted here, because the database would sort entire rows.
    rows.sort(key=_position_of)
    rows.sort(key=_day_and_entry_of, reverse=True)
    return _lines(db, book.user_id, rows)


_position_of = itemgetter(_COLUMNS.index("s.position"))
_day_and_entry_of = itemgetter(_COLUMNS.index("s.on_day"), _COLUMNS.index("s.entry_id"))


def _conditions(book: Book) -> tuple[str, ...]:
    """The streams that make up the book, each read in index order."""
    if not book.of_one:
        return _of_types(book.types)
    narrowed = f" AND s.type IN ({numbers(book.types)})" if book.is_narrowed else ""
    if book.labelled:
        return (f"{_CARRIES[book.labelled.label]} = :label_id{narrowed}",)
    return f"s.source_id = :account_id{narrowed}", f"s.destination_id = :account_id{narrowed}"


@cache
def _of_types(types: frozenset[Type]) -> tuple[str, ...]:
    return tuple(f"s.type = {int(one)}" for one in sorted(types))


_CARRIES: dict[Label, str] = {"categories": "s.category_id", "budgets": "s.budget_id", "tags": "l.tag_id"}
_TAGGED = "entry_tags l JOIN splits s ON s.user_id = l.user_id AND s.entry_id = l.entry_id"


def _stream(condition: str, reach: str, name: str) -> str:
    """Reads only as far as the page reaches. For tags, `entry_tags` has the day and the order."""
    of, source = ("l", _TAGGED) if condition.startswith("l.") else ("s", "splits s")
    return f"""
        SELECT id, on_day, entry_id, position FROM (
            SELECT s.id, {of}.on_day, {of}.entry_id, s.position FROM {source}
            WHERE {of}.user_id = :user_id AND {condition} AND {of}.on_day >= :start AND {of}.on_day <= :end
            ORDER BY {of}.on_day DESC, {of}.entry_id DESC, s.position LIMIT :{reach}
        ) AS {name}
    """


def _whole_days(condition: str) -> str:
    """Everything on the days that cover the page; without ORDER BY, so that the planner does not scan in that order."""
    of, source = ("l", _TAGGED) if condition.startswith("l.") else ("s", "splits s")
    return f"""
        SELECT s.id, {of}.on_day, {of}.entry_id, s.position FROM {source}
        WHERE {of}.user_id = :user_id AND {condition} AND {of}.on_day IN :days
    """


@cache
def _page(conditions: tuple[str, ...], *, on_days: bool) -> str:
    merged = " UNION ALL ".join(
        _whole_days(one) if on_days else _stream(one, "reach", f"stream_{number}")
        for number, one in enumerate(conditions)
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
    """The joins force a plan: on their own, both databases would test every split against every owner."""
    merged = " UNION ALL ".join(_stream(one, "limit", f"stream_{number}") for number, one in enumerate(conditions))
    chosen = f"SELECT id FROM ({merged}) AS merged ORDER BY {_NEWEST_FIRST} LIMIT :limit"
    return f"""
    SELECT v.id, {_LINE} FROM {table} v {joined.format(ids=chosen)} {_OF_LINE}
    WHERE v.user_id = :user_id AND v.id IN :owner_ids
    ORDER BY v.id, s.on_day DESC, s.entry_id DESC, s.position
    """


def newest_of_accounts(
    db: Unit, user_id: int, account_ids: list[int], days: Days, *, limit: int
) -> dict[int, list[Line]]:
    """The newest transactions of each account, in one query for any number of accounts."""
    sides = ("s.source_id = v.id", "s.destination_id = v.id")
    return _newest_of(db, user_id, "accounts", sides, account_ids, days, limit)


def newest_of_labels(
    db: Unit, user_id: int, label: Label, label_ids: list[int], days: Days, *, limit: int
) -> dict[int, list[Line]]:
    """The newest transactions of each label, in one query."""
    return _newest_of(db, user_id, label, (f"{_CARRIES[label]} = v.id",), label_ids, days, limit)


def _newest_of(
    db: Unit, user_id: int, table: str, conditions: tuple[str, ...], owner_ids: list[int], days: Days, limit: int
) -> dict[int, list[Line]]:
    statement = _newest(table, conditions, dialects.join_by_ids(db, "splits", "s"))
    rows = db.all(statement, user_id=user_id, owner_ids=owner_ids, start=days.start, end=days.end, limit=limit)
    found: dict[int, list[Line]] = defaultdict(list)
    for (owner_id, *_), line in zip(rows, _lines(db, user_id, [row[1:] for row in rows]), strict=True):
        found[owner_id].append(line)
    return found


def of_entries(
    db: Unit,
    user_id: int,
    entry_ids: list[int],
) -> list[Line]:
    """The lines of these entries, ordered by entry and split."""
    if len(entry_ids) == 1:
        rows = db.all(_OF_ENTRY, user_id=user_id, entry_id=entry_ids[0])
    else:
        rows = db.all(_OF_ENTRIES, user_id=user_id, entry_ids=entry_ids)
    return _lines(db, user_id, rows)


def of_stored(db: Unit, user_id: int, entry_id: int, entry: Entry) -> list[Line]:
    """The lines of an entry that was just stored: what it refers to is known, so all is asked for at once."""
    asked = db.ask(_OF_ENTRY, user_id=user_id, entry_id=entry_id)
    tags = _ask_tags(db, user_id, [entry_id]) if entry.tag_ids else None
    names = AskedNames(db, user_id, NamedIds.of(entry))
    return _read_lines(asked.rows(), tags, names)


_OF_ENTRIES = f"""
SELECT {_LINE} FROM splits s {_OF_LINE}
WHERE s.user_id = :user_id AND s.entry_id IN :entry_ids ORDER BY s.entry_id, s.position
"""
# Without an IN list, because preparing one takes as long as the query itself.
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
    """A page of the transactions that pay each bill, or that each recurrence made; newest first, paged by splits."""
    rows = db.all(
        _of_owners(owner),
        user_id=user_id,
        owner_ids=owner_ids,
        start=days.start,
        end=days.end,
        skip=offset,
        upto=offset + limit,
    )
    found: dict[int, list[Line]] = defaultdict(list)
    for (owner_id, *_), line in zip(rows, _lines(db, user_id, [row[1:] for row in rows]), strict=True):
        found[owner_id].append(line)
    return found


def count_of_owner(db: Unit, user_id: int, owner: Owner, owner_id: int, days: Days) -> int:
    """How many splits. Bills and recurrences have few transactions, so they are simply counted."""
    found = db.value(
        f"""
        SELECT COUNT(*) FROM entries e JOIN splits s ON s.user_id = e.user_id AND s.entry_id = e.id
        WHERE e.user_id = :user_id AND e.{owner} = :owner_id AND e.on_day >= :start AND e.on_day <= :end
        """,
        user_id=user_id,
        owner_id=owner_id,
        start=days.start,
        end=days.end,
    )
    return int(found)


def entry_of(db: Unit, user_id: int, split_id: int) -> tuple[int, Type] | None:
    """The id of any split addresses its transaction."""
    row = db.one(
        "SELECT entry_id, type FROM splits WHERE user_id = :user_id AND id = :id", user_id=user_id, id=split_id
    )
    if row is None:
        return None
    entry_id, type_ = row
    return entry_id, Type(type_)


def ask_splits(db: Unit, user_id: int, entry_id: int) -> Answer:
    """Asks for the position and the description of each split, and whether it is a refund."""
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
    rows = db.all(
        "SELECT id, entry_id, type, on_day, refund FROM splits WHERE user_id = :user_id AND id IN :ids",
        user_id=user_id,
        ids=split_ids,
    )
    return {
        id_: SplitPosition(id=id_, entry_id=entry_id, type=type_, on=on, refund=refund == 1)
        for id_, entry_id, type_, on, refund in rows
    }


def days_of_splits(db: Unit, user_id: int, account_id: int, split_ids: list[int]) -> dict[int, str]:
    """Which of these splits touch the account, and on which day."""
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
    """Adds the names with one query per table; joining them to each line would take two fifths of the query."""
    if not rows:
        return []
    columns = dict(zip(_COLUMNS, map(set, zip(*rows, strict=True)), strict=True))
    tags = _ask_tags(db, user_id, columns["s.entry_id"])
    asked = AskedNames(
        db,
        user_id,
        NamedIds(
            accounts=columns["s.source_id"] | columns["s.destination_id"],
            currencies=(columns["s.currency_id"] | columns["s.foreign_currency_id"]) - {None},
            bills=columns["e.bill_id"] - {None},
            categories=columns["s.category_id"] - {None},
            budgets=columns["s.budget_id"] - {None},
        ),
    )
    return _read_lines(rows, tags, asked)


def _read_lines(rows: list[Row], asked_tags: Answer | None, asked_names: AskedNames) -> list[Line]:
    tags, known = _read_tags(asked_tags), asked_names.read()
    return [_line(row, tags, known) for row in rows]


def _line(row: Row, tags: Mapping[int, tuple[str, ...]], known: LineNames) -> Line:
    (
        id_, position, type_, on, description, reconciled, units, currency_id,
        foreign_units, foreign_currency_id, source_id, destination_id, category_id, budget_id,
        refund, entry_id, entry_description, notes, internal_reference, interest_on, book_on, process_on,
        due_on, payment_on, invoice_on, bill_id, bill_by_hand, recurrence_id, created_at,
        updated_at,
    ) = row  # fmt: skip
    return Line(
        id_,
        position,
        type=type_,
        on=on,
        description=description,
        reconciled=reconciled == 1,
        units=units,
        currency=known.currencies[currency_id],
        foreign_units=foreign_units,
        foreign_currency=known.currencies[foreign_currency_id] if foreign_currency_id else None,
        source=known.accounts[source_id],
        destination=known.accounts[destination_id],
        category=known.categories[category_id] if category_id else None,
        budget=known.budgets[budget_id] if budget_id else None,
        refund=refund == 1,
        entry=LineEntry(
            id=entry_id,
            description=entry_description,
            notes=notes,
            internal_reference=internal_reference,
            dates=LineDates(
                interest_on=interest_on,
                book_on=book_on,
                process_on=process_on,
                due_on=due_on,
                payment_on=payment_on,
                invoice_on=invoice_on,
            )
            if interest_on or book_on or process_on or due_on or payment_on or invoice_on
            else None,
            bill=known.bills[bill_id] if bill_id else None,
            bill_by_hand=bill_by_hand == 1,
            recurrence_id=recurrence_id,
            tags=tags.get(entry_id, ()),
            created_at=created_at,
            updated_at=updated_at,
        ),
    )


def _ask_tags(db: Unit, user_id: int, entry_ids: Iterable[int]) -> Answer:
    return db.ask(
        """
        SELECT l.entry_id, t.name FROM entry_tags l JOIN tags t ON t.user_id = l.user_id AND t.id = l.tag_id
        WHERE l.user_id = :user_id AND l.entry_id IN :entry_ids ORDER BY l.id
        """,
        user_id=user_id,
        entry_ids=list(entry_ids),
    )


def _read_tags(asked: Answer | None) -> dict[int, tuple[str, ...]]:
    tags: dict[int, tuple[str, ...]] = defaultdict(tuple)
    for entry_id, name in asked.rows() if asked else ():
        tags[entry_id] += (name,)
    return tags
