"""Which transactions hold all these words? The rarest word leads, newest first; the others are checked in batches."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from ..errors import refuse_field
from ..ledger.kinds import Kind, Type
from ..storage.unit import Unit
from .words import Sought, words_in

# A beginning such as `a*` may not stand for more words than this.
_WORDS_MAX = 200
# A word in more names than this is too common to lead: then every transaction is looked at, newest first.
_NAMES_MAX = 100
_BATCH = 250
# So many matches are counted; beyond that the total says "at least".
COUNTED_MAX = 1000

Place = tuple[str, int]  # day and entry: the order of every list
_NEWEST: Place = ("9999-99-99", 2**62)


@dataclass(frozen=True)
class Where:
    """Everything in which one sought word was found; `entries` is about how many transactions that is."""

    word_ids: list[int]
    account_ids: list[int]
    category_ids: list[int]
    tag_ids: list[int]
    entries: int

    @property
    def names(self) -> int:
        return len(self.account_ids) + len(self.category_ids) + len(self.tag_ids)


def find(db: Unit, user_id: int, query: list[Sought], *, limit: int, offset: int) -> tuple[int, list[int]]:
    """How many entries match, counted up to a maximum, and the ids of a page of them."""
    wheres = sorted((_where(db, user_id, one) for one in query), key=lambda where: where.entries)
    most = max(COUNTED_MAX, offset + limit + 1)
    found = [entry_id for _, entry_id in islice(_matches(db, user_id, wheres), most)]
    return len(found), found[offset : offset + limit]


def _where(db: Unit, user_id: int, sought: Sought) -> Where:
    words = _words(db, user_id, sought)
    accounts, categories, tags = (_named(db, user_id, table, sought) for table in ("accounts", "categories", "tags"))
    return Where(
        word_ids=[word_id for word_id, _ in words],
        account_ids=accounts,
        category_ids=categories,
        tag_ids=tags,
        entries=sum(entries for _, entries in words) + _booked_on(db, user_id, accounts),
    )


def _words(db: Unit, user_id: int, sought: Sought) -> list[tuple[int, int]]:
    condition = "word >= :word AND word < :beyond" if sought.beginning else "word = :word"
    parameters = {"beyond": sought.word + "\U0010ffff"} if sought.beginning else {}
    rows = db.all(
        f"SELECT id, entries FROM words WHERE user_id = :user_id AND {condition} LIMIT :most",
        user_id=user_id,
        word=sought.word,
        most=_WORDS_MAX + 1,
        **parameters,
    )
    if len(rows) > _WORDS_MAX:
        refuse_field("query", f"The query is too broad: more than {_WORDS_MAX} words begin with {sought.word}.")
    return [(word_id, entries) for word_id, entries in rows]


def _named(db: Unit, user_id: int, table: str, sought: Sought) -> list[int]:
    hidden = f" AND kind <> '{Kind.EXCHANGE.value}'" if table == "accounts" else ""
    rows = db.all(
        f"SELECT id, name_fold FROM {table} WHERE user_id = :user_id AND name_fold LIKE :pattern{hidden}",
        user_id=user_id,
        pattern=f"%{sought.word}%",
    )
    return [one for one, name in rows if sought.fits(words_in(name))]


def _booked_on(db: Unit, user_id: int, account_ids: list[int]) -> int:
    if not account_ids:
        return 0
    found = db.value(
        """
        SELECT SUM(splits) FROM account_counts
        WHERE user_id = :user_id AND account_id IN :account_ids AND type IN :types AND grain = 'all'
        """,
        user_id=user_id,
        account_ids=account_ids,
        types=[int(one) for one in Type],
    )
    return int(found or 0)


def _matches(db: Unit, user_id: int, wheres: list[Where]) -> Iterator[Place]:
    leads = wheres[0].names <= _NAMES_MAX
    candidates = _distinct(heapq.merge(*_streams(db, user_id, wheres[0] if leads else None), reverse=True))
    checked = wheres[1:] if leads else wheres
    while batch := list(islice(candidates, _BATCH)):
        kept = {entry_id for _, entry_id in batch}
        for where in checked:
            kept &= _members(db, user_id, where, sorted(kept)) if kept else set()
        yield from (place for place in batch if place[1] in kept)


def _distinct(places: Iterator[Place]) -> Iterator[Place]:
    last = None
    for place in places:
        if place != last:
            yield place
        last = place


def _streams(db: Unit, user_id: int, where: Where | None) -> Iterator[Iterator[Place]]:
    """Each newest first, each in the order of an index."""
    if where is None:
        for one in Type:
            yield _stream(db, user_id, "splits", "type", int(one))
        return
    for word_id in where.word_ids:
        yield _stream(db, user_id, "mentions", "word_id", word_id)
    for account_id in where.account_ids:
        yield _stream(db, user_id, "splits", "source_id", account_id)
        yield _stream(db, user_id, "splits", "destination_id", account_id)
    for category_id in where.category_ids:
        yield _stream(db, user_id, "splits", "category_id", category_id)
    for tag_id in where.tag_ids:
        yield _stream(db, user_id, "entry_tags", "tag_id", tag_id)


def _stream(db: Unit, user_id: int, table: str, column: str, value: int) -> Iterator[Place]:
    """Read piece by piece: whoever takes only a few pays only for a few."""
    last = _NEWEST
    while True:
        rows: list[Any] = db.all(
            f"""
            SELECT on_day, entry_id FROM {table}
            WHERE user_id = :user_id AND {column} = :value AND (on_day, entry_id) < (:day, :entry_id)
            ORDER BY on_day DESC, entry_id DESC LIMIT :most
            """,
            user_id=user_id,
            value=value,
            day=last[0],
            entry_id=last[1],
            most=_BATCH,
        )
        yield from rows
        if len(rows) < _BATCH:
            return
        last = rows[-1]


_MEMBERS = {
    "word_ids": """
        SELECT e.id FROM entries e JOIN mentions m ON m.user_id = e.user_id AND m.word_id IN :chosen
            AND m.on_day = e.on_day AND m.entry_id = e.id
        WHERE e.user_id = :user_id AND e.id IN :entry_ids
    """,
    "account_ids": """
        SELECT entry_id FROM splits
        WHERE user_id = :user_id AND entry_id IN :entry_ids AND (source_id IN :chosen OR destination_id IN :chosen)
    """,
    "category_ids": """
        SELECT entry_id FROM splits WHERE user_id = :user_id AND entry_id IN :entry_ids AND category_id IN :chosen
    """,
    "tag_ids": """
        SELECT entry_id FROM entry_tags WHERE user_id = :user_id AND entry_id IN :entry_ids AND tag_id IN :chosen
    """,
}


def _members(db: Unit, user_id: int, where: Where, entry_ids: list[int]) -> set[int]:
    """Which of these entries hold the word, in one place or another."""
    found: set[int] = set()
    for place, statement in _MEMBERS.items():
        if chosen := getattr(where, place):
            rows = db.all(statement, user_id=user_id, entry_ids=entry_ids, chosen=chosen)
            found.update(entry_id for (entry_id,) in rows)
    return found
