"""Finds transactions that contain all words.

Scans the transactions with the rarest word, newest first, and checks them for the other words in batches.
"""

from collections.abc import Iterator
from itertools import islice
from operator import attrgetter

from msgspec import Struct

from farthing.books.transactions.counts import Days
from farthing.books.transactions.index.words import SearchWords, words_in
from farthing.kernel.errors import refuse_field
from farthing.ledger.kinds import Kind
from farthing.storage.unit import Row, Unit

from . import amounts, narrowing
from .narrowing import ScanPlan, SearchFilter, select_passing
from .streams import BEGINNING, Candidate, ListPosition, StreamSource, merge_streams, of_account

# A prefix such as `a*` may not match more words than this.
_WORDS_MAX = 200
# For suggestions, the most common words are enough.
_COMMONEST_MAX = 30
# A word that occurs in more names than this is too common to scan: all transactions are scanned instead.
_NAMES_MAX = 100
_BATCH = 250
_GROWS_TO = 2
# Up to this many times as common as the scanned word, a word is looked up by range of days, otherwise by entry.
_DENSE = 4
# Matches are counted up to this number. If there are more, the total means "at least".
COUNTED_MAX = 1000
# The number of transactions to scan to find the total when the page is already full.
_COUNTED_AMONG_MAX = 2000
# The most transactions that one search scans. Clients can continue from the day at which it stopped.
LOOKED_AT_MAX = 30_000


class SearchResult(Struct, frozen=True):
    """One page of matches. `total` is capped. `stopped_on` is the day at which the scan was cut short."""

    total: int
    entry_ids: list[int]
    stopped_on: str | None = None


class WordMatches(Struct, frozen=True):
    """The words and names that match one word of the query. `entries` estimates the number of their transactions."""

    word_ids: list[int]
    account_ids: list[int]
    category_ids: list[int]
    tag_ids: list[int]
    entries: int

    @property
    def names(self) -> int:
        return len(self.account_ids) + len(self.category_ids) + len(self.tag_ids)

    @property
    def sources(self) -> list[StreamSource]:
        return [
            *(StreamSource(table="mentions", column="word_id", value=word_id) for word_id in self.word_ids),
            *(source for account_id in self.account_ids for source in of_account(account_id)),
            *(
                StreamSource(table="splits", column="category_id", value=category_id)
                for category_id in self.category_ids
            ),
            *(StreamSource(table="entry_tags", column="tag_id", value=tag_id) for tag_id in self.tag_ids),
        ]


class _Batch(Struct, frozen=True):
    """The matches of one batch. `looked_at` transactions were scanned, and the last of them is at `until`."""

    matching: list[ListPosition]
    looked_at: int
    until: ListPosition


def find(
    db: Unit, user_id: int, query: list[SearchWords], *, limit: int, offset: int, filters: SearchFilter | None = None
) -> SearchResult:
    """Finds transactions that match all words and all filters."""
    all_matches = _find_all_matches(db, user_id, query)
    filters = filters or SearchFilter()
    ids: list[int] = []
    looked_at = 0
    for batch in _batches(db, user_id, all_matches, filters):
        ids += [entry_id for _, entry_id in batch.matching]
        looked_at += batch.looked_at
        is_full = len(ids) > offset + limit
        if is_full and (len(ids) >= COUNTED_MAX or looked_at >= _COUNTED_AMONG_MAX):
            break
        if looked_at >= LOOKED_AT_MAX:
            return SearchResult(total=len(ids), entry_ids=ids[offset : offset + limit], stopped_on=batch.until[0])
    most = max(COUNTED_MAX, offset + limit + 1)
    return SearchResult(total=min(len(ids), most), entry_ids=ids[offset : offset + limit])


def find_all(
    db: Unit, user_id: int, query: list[SearchWords], filters: SearchFilter, *, looked_at_max: int
) -> list[int] | None:
    """Finds all matching entries, newest first; returns None if more than `looked_at_max` would have to be scanned."""
    all_matches = _find_all_matches(db, user_id, query)
    ids: list[int] = []
    looked_at = 0
    for batch in _batches(db, user_id, all_matches, filters):
        ids += [entry_id for _, entry_id in batch.matching]
        looked_at += batch.looked_at
        if looked_at > looked_at_max:
            return None
    return ids


class MatchPage(Struct, frozen=True):
    """The ids of some matches, the position that the search reached, and whether there may be more."""

    entry_ids: list[int]
    until: ListPosition
    more: bool


def find_next(
    db: Unit, user_id: int, query: list[SearchWords], filters: SearchFilter, *, after: ListPosition, limit: int
) -> MatchPage:
    """Finds the next matches after a position, newest first: slightly more than `limit`, or fewer after a long scan."""
    all_matches = _find_all_matches(db, user_id, query)
    ids: list[int] = []
    looked_at = 0
    for batch in _batches(db, user_id, all_matches, filters, after=after):
        ids += [entry_id for _, entry_id in batch.matching]
        looked_at += batch.looked_at
        if len(ids) >= limit or looked_at >= LOOKED_AT_MAX:
            return MatchPage(entry_ids=ids, until=batch.until, more=True)
    return MatchPage(entry_ids=ids, until=after, more=False)


def find_described(db: Unit, user_id: int, query: list[SearchWords], filters: SearchFilter) -> Iterator[ListPosition]:
    """Finds the newest entries whose own texts contain all words. A prefix matches only the most common words."""
    all_matches = []
    for word in query:
        words = _commonest(db, user_id, word)
        all_matches.append(
            WordMatches(
                word_ids=[word_id for word_id, _ in words],
                account_ids=[],
                category_ids=[],
                tag_ids=[],
                entries=sum(entries for _, entries in words),
            )
        )
    all_matches.sort(key=attrgetter("entries"))
    return (position for batch in _batches(db, user_id, all_matches, filters) for position in batch.matching)


def _commonest(db: Unit, user_id: int, sought: SearchWords) -> list[tuple[int, int]]:
    condition, parameters = _word_condition(sought)
    rows = db.all(
        f"""
        SELECT id, entries FROM words WHERE user_id = :user_id AND {condition} AND entries > 0
        ORDER BY entries DESC, id LIMIT :most
        """,
        user_id=user_id,
        most=_COMMONEST_MAX,
        **parameters,
    )
    return [(word_id, entries) for word_id, entries in rows]


def _find_all_matches(db: Unit, user_id: int, query: list[SearchWords]) -> list[WordMatches]:
    return sorted((_find_matches(db, user_id, word) for word in query), key=attrgetter("entries"))


def _find_matches(db: Unit, user_id: int, sought: SearchWords) -> WordMatches:
    words = _words(db, user_id, sought)
    accounts, categories, tags = (
        _find_named(db, user_id, table, sought) for table in ("accounts", "categories", "tags")
    )
    return WordMatches(
        word_ids=[word_id for word_id, _ in words],
        account_ids=accounts,
        category_ids=categories,
        tag_ids=tags,
        entries=sum(entries for _, entries in words) + _count_booked_on(db, user_id, accounts),
    )


def _words(db: Unit, user_id: int, sought: SearchWords) -> list[tuple[int, int]]:
    condition, parameters = _word_condition(sought)
    rows = db.all(
        f"SELECT id, entries FROM words WHERE user_id = :user_id AND {condition} LIMIT :most",
        user_id=user_id,
        most=_WORDS_MAX + 1,
        **parameters,
    )
    if len(rows) > _WORDS_MAX:
        refuse_field("query", f"The query is too broad: more than {_WORDS_MAX} words begin with {sought.word}.")
    return [(word_id, entries) for word_id, entries in rows]


def _word_condition(sought: SearchWords) -> tuple[str, dict[str, str]]:
    if not sought.beginning:
        return "word = :word", {"word": sought.word}
    return "word >= :word AND word < :beyond", {"word": sought.word, "beyond": sought.word + "\U0010ffff"}


def _find_named(db: Unit, user_id: int, table: str, sought: SearchWords) -> list[int]:
    hidden = f" AND kind <> '{Kind.EXCHANGE.value}'" if table == "accounts" else ""
    rows = db.all(
        f"SELECT id, name_fold FROM {table} WHERE user_id = :user_id AND name_fold LIKE :pattern{hidden}",
        user_id=user_id,
        pattern=f"%{sought.word}%",
    )
    return [word_id for word_id, name in rows if sought.fits(words_in(name))]


def _count_booked_on(db: Unit, user_id: int, account_ids: list[int]) -> int:
    if not account_ids:
        return 0
    entries = db.value(
        """
        SELECT SUM(splits) FROM sums_of_accounts
        WHERE user_id = :user_id AND label_id IN :account_ids AND grain = 'all'
        """,
        user_id=user_id,
        account_ids=account_ids,
    )
    return int(entries or 0)


def _batches(
    db: Unit, user_id: int, all_matches: list[WordMatches], filters: SearchFilter, *, after: ListPosition = BEGINNING
) -> Iterator[_Batch]:
    """Scans the most selective source, newest first, and yields batches of those that pass the remaining checks."""
    plan, checked = _choose_plan(db, user_id, all_matches, filters)
    candidates: Iterator[Candidate] = (
        merge_streams(db, user_id, plan.sources, filters.days, _BATCH, before=after)
        if plan.amounts is None
        else (candidate for candidate in amounts.read(db, user_id, plan.amounts, filters.days) if candidate[:2] < after)
    )
    size = _BATCH
    while places := list(islice(candidates, size)):
        passing = select_passing(db, user_id, plan.rest, [entry_id for _, entry_id, fits in places if fits])
        stretch = Days(start=places[-1][0], end=places[0][0])
        for matches in checked:
            is_dense = matches.entries <= _DENSE * plan.number
            passing &= (
                _members(db, user_id, matches, sorted(passing), stretch if is_dense else None) if passing else set()
            )
        yield _Batch([(on, entry_id) for on, entry_id, _ in places if entry_id in passing], len(places), places[-1][:2])
        size = min(2 * size, _GROWS_TO * _BATCH)


def _choose_plan(
    db: Unit, user_id: int, all_matches: list[WordMatches], filters: SearchFilter
) -> tuple[ScanPlan, list[WordMatches]]:
    """Chooses the source to scan, and the words that remain to check."""
    plans = [(plan, all_matches) for plan in narrowing.list_scan_plans(db, user_id, filters)]
    if all_matches and all_matches[0].names <= _NAMES_MAX:
        plans.append(
            (ScanPlan(number=all_matches[0].entries, sources=all_matches[0].sources, rest=filters), all_matches[1:])
        )
    return min(plans, key=lambda plan: plan[0].number)


_MENTIONED = """
SELECT e.id FROM entries e JOIN mentions m ON m.user_id = e.user_id AND m.word_id IN :chosen
    AND m.on_day = e.on_day AND m.entry_id = e.id
WHERE e.user_id = :user_id AND e.id IN :entry_ids
"""
_MENTIONED_IN_DAYS = """
SELECT entry_id FROM mentions
WHERE user_id = :user_id AND word_id IN :chosen AND on_day >= :start AND on_day <= :end
"""
_NAMED = {
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


def _members(db: Unit, user_id: int, matches: WordMatches, entry_ids: list[int], stretch: Days | None) -> set[int]:
    """Selects the entries that contain the word. With `stretch`, the result may include other entries of those days.

    If the word is not much more common than the scanned word, reading all entries of those days that mention it is ten
    times as fast as looking up each entry.
    """
    rows: list[Row] = []
    if matches.word_ids and stretch:
        days = {"start": stretch.start, "end": stretch.end}
        rows += db.all(_MENTIONED_IN_DAYS, user_id=user_id, chosen=matches.word_ids, **days)
    elif matches.word_ids:
        rows += db.all(_MENTIONED, user_id=user_id, entry_ids=entry_ids, chosen=matches.word_ids)
    for name, statement in _NAMED.items():
        if chosen := getattr(matches, name):
            rows += db.all(statement, user_id=user_id, entry_ids=entry_ids, chosen=chosen)
    return {entry_id for (entry_id,) in rows}
