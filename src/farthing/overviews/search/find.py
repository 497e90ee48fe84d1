"""Finds transactions that contain all words.

Scans the transactions with the rarest word, newest first, and checks them for the other words in batches.
"""

from collections.abc import Iterator
from itertools import islice
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.transactions.counts import Days
from farthing.books.transactions.index import mentions
from farthing.books.transactions.index.words import SearchWords
from farthing.storage.unit import Row, Unit

from . import narrowing, word_matches
from .narrowing import ScanPlan, SearchFilter, select_passing
from .streams import BEGINNING, Candidate, ListPosition, merge_streams
from .word_matches import WordMatches

# A word that occurs in more names than this is too common to scan: all transactions are scanned instead.
_NAMES_MAX = 100
_BATCH = 250
_GROWS_TO = 2
# A word that is at most this many times as common as the scanned word is looked up by range of days, others by entry.
_DENSE = 4
# Matches are counted up to this number. If there are more, the total means "at least".
COUNTED_MAX = 1000
# The number of transactions to scan to find the total when the page is already full, as a multiple of that number.
_COUNTED_AMONG = 2
# The most transactions that one search scans. Clients can continue from the day at which the search stopped.
LOOKED_AT_MAX = 30_000
# The most transactions whose texts one search reads. Reading the texts takes five times as long as scanning.
_READ_MAX = 6000


class SearchResult(Struct, frozen=True):
    """One page of matches. `total` is capped. `stopped_on` is the day at which the scan was cut short.

    `is_widened` is True if no words begin with the query, so words that contain the query were searched instead.
    """

    total: int
    entry_ids: list[int]
    stopped_on: str | None = None
    is_widened: bool = False


class _Batch(Struct, frozen=True):
    """The matches of one batch. `looked_at` transactions were scanned, and the last of them is at `until`.

    If `is_whole`, the scan goes on to the last transaction.
    """

    matching: list[ListPosition]
    looked_at: int
    until: ListPosition
    is_whole: bool


def find(
    db: Unit,
    user_id: int,
    query: list[SearchWords],
    *,
    limit: int,
    offset: int,
    filters: SearchFilter | None = None,
    counted_max: int = COUNTED_MAX,
) -> SearchResult:
    """Finds transactions that match all words and all filters. If there are none, also searches inside words."""
    filters = filters or SearchFilter()
    result = _find(db, user_id, query, filters, limit=limit, offset=offset, counted_max=counted_max)
    wider = widen(query)
    if result.total or result.stopped_on or wider == query:
        return result
    wider_result = _find(db, user_id, wider, filters, limit=limit, offset=offset, counted_max=counted_max)
    return replace(wider_result, is_widened=True)


def widen(query: list[SearchWords]) -> list[SearchWords]:
    """Makes beginnings of words match inside words as well."""
    return [replace(word, beginning=False, within=True) if word.beginning else word for word in query]


def widen_if_needed(db: Unit, user_id: int, query: list[SearchWords], filters: SearchFilter) -> list[SearchWords]:
    """Widens a query that finds nothing, as `find` does."""
    if (wider := widen(query)) == query:
        return query
    page = find_next(db, user_id, query, filters, after=BEGINNING, limit=1)
    return query if page.entry_ids or page.more else wider


def _find(
    db: Unit,
    user_id: int,
    query: list[SearchWords],
    filters: SearchFilter,
    *,
    limit: int,
    offset: int,
    counted_max: int,
) -> SearchResult:
    all_matches = word_matches.find_all(db, user_id, query)
    looked_at_max = min(_READ_MAX, LOOKED_AT_MAX) if all_matches and all_matches[-1].sought else LOOKED_AT_MAX
    ids: list[int] = []
    looked_at = 0
    for batch in _batches(db, user_id, all_matches, filters):
        ids += [entry_id for _, entry_id in batch.matching]
        looked_at += batch.looked_at
        is_full = len(ids) > offset + limit
        if is_full and (len(ids) >= counted_max or looked_at >= _COUNTED_AMONG * counted_max):
            break
        if looked_at >= looked_at_max and not batch.is_whole:
            return SearchResult(total=len(ids), entry_ids=ids[offset : offset + limit], stopped_on=batch.until[0])
    most = max(counted_max, offset + limit + 1)
    return SearchResult(total=min(len(ids), most), entry_ids=ids[offset : offset + limit])


def find_all(
    db: Unit, user_id: int, query: list[SearchWords], filters: SearchFilter, *, looked_at_max: int
) -> list[int] | None:
    """Finds all matching entries, newest first; returns None if more than `looked_at_max` would have to be scanned."""
    all_matches = word_matches.find_all(db, user_id, query)
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
    all_matches = word_matches.find_all(db, user_id, query)
    ids: list[int] = []
    looked_at = 0
    for batch in _batches(db, user_id, all_matches, filters, after=after):
        ids += [entry_id for _, entry_id in batch.matching]
        looked_at += batch.looked_at
        if len(ids) >= limit or looked_at >= LOOKED_AT_MAX:
            return MatchPage(entry_ids=ids, until=batch.until, more=True)
    return MatchPage(entry_ids=ids, until=after, more=False)


def find_described(db: Unit, user_id: int, query: list[SearchWords], filters: SearchFilter) -> Iterator[ListPosition]:
    """Finds the newest entries whose own texts contain all words. For a prefix, searches only the most common words."""
    all_matches = []
    for word in query:
        words = word_matches.find_commonest(db, user_id, word)
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


def _batches(
    db: Unit, user_id: int, all_matches: list[WordMatches], filters: SearchFilter, *, after: ListPosition = BEGINNING
) -> Iterator[_Batch]:
    """Scans the most selective source, newest first, and yields batches of entries that pass the remaining checks."""
    plan, checked = _choose_plan(db, user_id, all_matches, filters)
    candidates: Iterator[Candidate] = (
        merge_streams(db, user_id, plan.sources, filters.days, _BATCH, before=after)
        if plan.read is None
        else (candidate for candidate in plan.read(filters.days) if candidate[:2] < after)
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
        matching = [(on, entry_id) for on, entry_id, _ in places if entry_id in passing]
        yield _Batch(matching, len(places), places[-1][:2], plan.is_whole)
        size = min(2 * size, _GROWS_TO * _BATCH)


def _choose_plan(
    db: Unit, user_id: int, all_matches: list[WordMatches], filters: SearchFilter
) -> tuple[ScanPlan, list[WordMatches]]:
    """Chooses the source to scan, and the words that remain to check."""
    plans = [(plan, all_matches) for plan in narrowing.list_scan_plans(db, user_id, filters)]
    if all_matches and all_matches[0].names <= _NAMES_MAX and not all_matches[0].sought:
        plans.append(
            (
                ScanPlan(number=int(all_matches[0].entries), sources=all_matches[0].sources, rest=filters),
                all_matches[1:],
            )
        )
    chosen, checked = min(plans, key=lambda plan: plan[0].number)
    return replace(chosen, is_whole=any(plan.is_whole for plan, _ in plans)), checked


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
    if sought := matches.sought:
        texts = mentions.read_stored(db, user_id, entry_ids)
        rows += [(text.entry_id,) for text in texts if sought.fits(text.plain_words)]
    elif matches.word_ids and stretch:
        days = {"start": stretch.start, "end": stretch.end}
        rows += db.all(_MENTIONED_IN_DAYS, user_id=user_id, chosen=matches.word_ids, **days)
    elif matches.word_ids:
        rows += db.all(_MENTIONED, user_id=user_id, entry_ids=entry_ids, chosen=matches.word_ids)
    for name, statement in _NAMED.items():
        if chosen := getattr(matches, name):
            rows += db.all(statement, user_id=user_id, entry_ids=entry_ids, chosen=chosen)
    return {entry_id for (entry_id,) in rows}
