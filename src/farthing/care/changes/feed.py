"""Reads the log of changes forwards, so that others can follow what happens to the objects of the books.

A user's writes run one after the other, so the rows of their log are committed in the order of their ids. A cursor is a
position in that order. It also holds the last revision that lies completely before it, to notice that later changes
have been forgotten, and marks of the database and of that revision, to notice that the books were restored meanwhile.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from farthing.kernel.errors import Gone, refuse_field
from farthing.ledger.kinds import Kind
from farthing.storage import installation
from farthing.storage.change_log import changes, versions
from farthing.storage.change_log.restoring import WHOLES
from farthing.storage.unit import Unit

from .model import OBJECTS

ITEMS_MAX = 1000
# A transaction with one split and a tag is logged in three rows. A page that reads more rows than this ends early.
_ROWS_PER_ITEM, _ROWS_MIN = 4, 200
_CURSOR = re.compile(r"([0-9a-f]{1,32})\.([0-9]{1,18})\.([0-9]{1,18})\.([0-9a-f]{8})")
_FORGOTTEN = "The changes after this cursor are no longer kept. List everything again, and follow from now on."
_ELSEWHERE = (
    "This cursor belongs to another copy of the database, such as one from before a backup was restored. List"
    " everything again, and follow from now on."
)
# Each split of a transaction is an object of its own, with an address. An entry is shown with each of its splits.
_TRANSACTIONS = "splits"
_OF_ENTRIES = ("entries", "entry_tags", "entry_details")
# The table behind each kind of object in the feed.
TABLES = {resource: _TRANSACTIONS if table == "entries" else table for table, (_, resource) in OBJECTS.items()}
_KIND_OF = {table: kind for kind, table in TABLES.items()}
# Parts that are read from the log, with the column that names their object.
_PARENTS = {part: column for part, (_, column) in WHOLES.items() if part != _TRANSACTIONS}

_Key = tuple[str, int]  # table and id


class Cursor(Struct, frozen=True):
    """Marks a position in the log of one user. `log_id` is the last row before it."""

    lineage: str
    revision: int
    log_id: int
    mark: str

    def __str__(self) -> str:
        return f"{self.lineage}.{self.revision}.{self.log_id}.{self.mark}"


class FeedItem(Struct, frozen=True):
    """Says what has become of an object. `action` is `created`, `changed` or `removed`.

    `revision` is that of its last change on the page.
    """

    kind: str
    id: int
    action: str
    revision: int


class FeedPage(Struct, frozen=True):
    items: Sequence[FeedItem]
    cursor: Cursor
    more: bool


class _LogRow(Struct, frozen=True):
    """Holds a row of the log. `parent_id` is the object that a removed part belonged to, as far as it is known.

    For a removed entry, it is the account whose opening balance the entry was.
    """

    id: int
    revision: int
    kind: str
    object_id: int
    action: str
    parent_id: int | None


def find_end(db: Unit, user_id: int, revision: int) -> Cursor:
    """Returns the cursor after everything that has happened up to the current revision of the books."""
    last = db.value("SELECT MAX(id) FROM changes WHERE user_id = :user_id", user_id=user_id)
    return _make_cursor(db, user_id, revision, int(last or 0))


def parse(text: str, field: str = "after") -> Cursor:
    match = _CURSOR.fullmatch(text)
    if match is None:
        refuse_field(field, f"The {field} must be a cursor that this address has returned.")
    lineage, revision, log_id, mark = match.groups()
    return Cursor(lineage=lineage, revision=int(revision), log_id=int(log_id), mark=mark)


def refuse_invalid(db: Unit, user_id: int, after: Cursor, revision: int) -> None:
    """Raises Gone unless everything after the cursor can still be read."""
    mark = _mark(db, user_id, after.revision)
    if after.lineage != installation.lineage(db) or after.revision > revision or (mark or after.mark) != after.mark:
        raise Gone(_ELSEWHERE)
    if versions.is_forgotten(db, user_id, after.revision):
        raise Gone(_FORGOTTEN)


def read(
    db: Unit, user_id: int, after: Cursor, revision: int, *, limit: int, kinds: Collection[str] = TABLES
) -> FeedPage:
    """Reads the next page after a cursor. `revision` is the current one of the books.

    Each object is listed once, where the page last touches it. The page may be short, or even empty, although there is
    more to read. It has more than `limit` objects only if a single transaction has more splits.
    """
    refuse_invalid(db, user_id, after, revision)
    most = max(limit * _ROWS_PER_ITEM, _ROWS_MIN)
    rows = _read_rows(db, user_id, after.log_id, most)
    items, count = _Touching(db, user_id, rows).collect({TABLES[kind] for kind in kinds}, limit)
    more = count < len(rows) or len(rows) == most
    if more:
        # The last row may not be the last one of its revision. A job may log rows under an earlier revision.
        revision = max(after.revision, *(row.revision - 1 for row in rows[:count]))
    last_id = rows[count - 1].id if rows else after.log_id
    return FeedPage(_show_newest(db, user_id, items), _make_cursor(db, user_id, revision, last_id), more)


def _make_cursor(db: Unit, user_id: int, revision: int, log_id: int) -> Cursor:
    mark = _mark(db, user_id, revision)
    return Cursor(lineage=installation.lineage(db), revision=revision, log_id=log_id, mark=mark or f"{0:08x}")


def _mark(db: Unit, user_id: int, revision: int) -> str | None:
    """Returns a mark of a revision, which would differ if other books had this revision. None if it is forgotten."""
    sql = "SELECT id, at, doing FROM revisions WHERE user_id = :user_id AND revision = :revision"
    row = db.one(sql, user_id=user_id, revision=revision)
    return f"{crc32(repr(tuple(row)).encode()):08x}" if row else None


def _read_rows(db: Unit, user_id: int, log_id: int, most: int) -> list[_LogRow]:
    parents = " ".join(f"WHEN '{part}' THEN {changes.number_in(db, column)}" for part, column in _PARENTS.items())
    opening = changes.number_in(db, "opening_account_id")
    return db.structs(
        _LogRow,
        f"""
        SELECT id, revision, kind, object_id, action, CASE WHEN action = 'removed' THEN
            CASE kind {parents} WHEN 'entries' THEN {opening} END END AS parent_id
        FROM changes WHERE user_id = :user_id AND id > :log_id ORDER BY id LIMIT :most
        """,
        user_id=user_id,
        log_id=log_id,
        most=most,
    )


class _Touching:
    """Finds out which objects the rows of a page touch, with one query for each table of parts."""

    def __init__(self, db: Unit, user_id: int, rows: Sequence[_LogRow]) -> None:
        self._rows = rows
        self._parents = {
            part: _read_column(db, user_id, part, column, _ids_of(rows, part)) for part, column in _PARENTS.items()
        }
        entry_ids = {entry_id for row in rows if row.kind in _OF_ENTRIES if (entry_id := self._entry_of(row))}
        self._splits: dict[int, list[int]] = {}
        self._openings: dict[int, int] = {}
        if entry_ids or _ids_of(rows, "splits"):
            self._read_splits(db, user_id, entry_ids, _ids_of(rows, "splits"))

    def collect(self, tables: Collection[str], limit: int) -> tuple[dict[_Key, FeedItem], int]:
        """Collects the touched objects in these tables, in the order in which they were last touched.

        Also returns how many of the rows that took.
        """
        items: dict[_Key, FeedItem] = {}
        for count, row in enumerate(self._rows):
            keys = [key for key in self._list_keys(row) if key[0] in tables]
            if items and len(items) + sum(key not in items for key in keys) > limit:
                return items, count
            for key in keys:
                before = items.pop(key, None)
                is_new = (row.action == "created" and key == (row.kind, row.object_id)) or _is_new(before)
                items[key] = FeedItem(
                    kind=_KIND_OF[key[0]],
                    id=key[1],
                    action="created" if is_new else "changed",
                    revision=row.revision,
                )
        return items, len(self._rows)

    def _list_keys(self, row: _LogRow) -> Iterator[_Key]:
        """Lists the objects that a row touches: whole objects, and objects by their parts."""
        if row.kind == "splits":
            yield row.kind, row.object_id
            if row.object_id in self._openings:
                yield "accounts", self._openings[row.object_id]
        elif row.kind in _OF_ENTRIES:
            for split_id in self._splits.get(self._entry_of(row) or 0, ()):
                yield "splits", split_id
                if split_id in self._openings:
                    yield "accounts", self._openings[split_id]
            if row.kind == "entries" and row.parent_id is not None:
                yield "accounts", row.parent_id
        elif row.kind in _PARENTS:
            whole_id = row.parent_id or self._parents[row.kind].get(row.object_id)
            if whole_id is not None:
                yield WHOLES[row.kind][0], whole_id
        elif row.kind in _KIND_OF:
            yield row.kind, row.object_id

    def _entry_of(self, row: _LogRow) -> int | None:
        if row.kind == "entries":
            return row.object_id
        return row.parent_id or self._parents[row.kind].get(row.object_id)

    def _read_splits(self, db: Unit, user_id: int, entry_ids: Collection[int], split_ids: Collection[int]) -> None:
        """Reads the current splits of entries, and the accounts whose opening balances these or other splits are."""
        rows = db.all(
            """
            SELECT s.id, s.entry_id, e.opening_account_id FROM splits s
            JOIN entries e ON e.user_id = s.user_id AND e.id = s.entry_id
            WHERE s.user_id = :user_id AND s.entry_id IN :entry_ids
            UNION
            SELECT s.id, s.entry_id, e.opening_account_id FROM splits s
            JOIN entries e ON e.user_id = s.user_id AND e.id = s.entry_id
            WHERE s.user_id = :user_id AND s.id IN :split_ids ORDER BY 1
            """,
            user_id=user_id,
            entry_ids=sorted(entry_ids),
            split_ids=sorted(split_ids),
        )
        for split_id, entry_id, account_id in rows:
            self._splits.setdefault(entry_id, []).append(split_id)
            if account_id is not None:
                self._openings[split_id] = account_id


def _is_new(item: FeedItem | None) -> bool:
    return item is not None and item.action == "created"


def _ids_of(rows: Iterable[_LogRow], kind: str) -> list[int]:
    return sorted({row.object_id for row in rows if row.kind == kind})


def _read_column(db: Unit, user_id: int, table: str, column: str, ids: list[int]) -> dict[int, int]:
    sql = f"SELECT id, {column} FROM {table} WHERE user_id = :user_id AND id IN :ids"
    return dict(db.all(sql, user_id=user_id, ids=ids)) if ids else {}


def _show_newest(db: Unit, user_id: int, items: Mapping[_Key, FeedItem]) -> list[FeedItem]:
    """Marks the objects that are gone by now as removed, whatever the page says that happened to them."""
    ids: dict[str, list[int]] = defaultdict(list)
    for table, object_id in items:
        ids[table].append(object_id)
    existing = {table: _find_existing(db, user_id, table, of) for table, of in ids.items()}
    hidden = _find_hidden(db, user_id, ids["accounts"])
    return [
        item if object_id in existing[table] else replace(item, action="removed")
        for (table, object_id), item in items.items()
        if table != "accounts" or object_id not in hidden
    ]


def _find_existing(db: Unit, user_id: int, table: str, ids: list[int]) -> set[int]:
    sql = f"SELECT id FROM {table} WHERE user_id = :user_id AND id IN :ids"
    return {object_id for (object_id,) in db.all(sql, user_id=user_id, ids=ids)}


def _find_hidden(db: Unit, user_id: int, ids: list[int]) -> set[int]:
    """Finds the accounts through which currencies are exchanged, because nobody ever sees them."""
    sql = "SELECT id FROM accounts WHERE user_id = :user_id AND id IN :ids AND kind = :kind"
    rows = db.all(sql, user_id=user_id, ids=ids, kind=Kind.EXCHANGE.value) if ids else []
    return {account_id for (account_id,) in rows}
