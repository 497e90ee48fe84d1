"""Counts, changes and deletes all transactions that match a filter, in a background job if there are many."""

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.bookkeeping import record, relabel
from farthing.books.bookkeeping.relabel import RelabelRequest
from farthing.books.lifecycle import transactions as lifecycle
from farthing.books.transactions import lines
from farthing.books.transactions.index.words import SearchWords
from farthing.http.answer.document import Item, Thing, thing
from farthing.http.request.call import Answer, Call, Unprepared, or_404
from farthing.http.request.public_address import API
from farthing.http.route import LARGE, RANGED, Before, Later, Mode, Parameter, Route, Runs
from farthing.kernel.errors import Conflict, FarthingError, Invalid, TooMany, refuse_field
from farthing.kernel.fields import parse_complete
from farthing.kernel.parsed import ensure
from farthing.kernel.shown import ShownDay
from farthing.overviews.matching import run
from farthing.overviews.matching.run import MatchingTask
from farthing.overviews.search import find as search
from farthing.overviews.search.narrowing import find_splits
from farthing.overviews.search.streams import BEGINNING

from ..search import filters as filtering
from ..search.typed import Q, read_typed
from . import relabel as relabel_body
from . import wire

# How many transactions a count examines at most. Examining so many takes about a second.
COUNTED_AMONG_MAX = 500_000


class CountedMatches(Struct):
    matching: int


class RelabelledMatches(Struct):
    """`left_out` counts the transactions that match but cannot have these labels.

    `in_background` is true if a background job will do the work, because there are many transactions. Its progress is
    at `/transactions/matching/{run_id}`.
    """

    changed: int
    left_out: int
    in_background: bool = False
    run_id: str | None = None


class DeletedMatches(Struct):
    """`in_background` is true if a background job will do the work, because there are many transactions."""

    deleted: int
    in_background: bool = False
    run_id: str | None = None


class MatchingRunAttributes(Struct):
    """`done` counts the transactions that were changed or deleted. `left_out` counts those that cannot have the labels,
    or that somebody changed during the run.

    The search begins with the newest transactions. `searched_from` is the earliest day searched so far. The whole run
    is one change, with this `revision`.
    """

    deletes: bool
    expected: int | None
    done: int
    left_out: int
    searched_from: ShownDay | None
    finished: bool
    failure: str | None
    revision: int


MatchingRunThing = Thing[MatchingRunAttributes]


class Matches(Struct, frozen=True):
    """Holds the entries that match at a revision of the user's books, and the query by which they were found.

    `entry_ids` is None if too many entries would have to be examined.
    """

    revision: int
    query: list[SearchWords]
    entry_ids: list[int] | None


def find_few(call: Call) -> Matches | None:
    return _find_before(call, search.LOOKED_AT_MAX)


def find_all(call: Call) -> Matches | None:
    return _find_before(call, COUNTED_AMONG_MAX)


def _find_before(call: Call, looked_at_max: int) -> Matches | None:
    """Searches before anything is locked. Problems are ignored here, because the handler reports them."""
    try:
        return _find(call, looked_at_max)
    except FarthingError:
        return None


def _find(call: Call, looked_at_max: int) -> Matches:
    task = _read_task(call)
    query = search.widen_if_needed(call.db, call.user_id, task.query, task.filters)
    entry_ids = search.find_all(call.db, call.user_id, query, task.filters, looked_at_max=looked_at_max)
    return Matches(revision=call.caller.revision, query=query, entry_ids=entry_ids)


def _read_task(call: Call) -> MatchingTask:
    read_typed(call)
    call.whole_range()  # half a range would match too much
    filters = filtering.read_filter(call)
    return MatchingTask(query=filtering.require_words(call, filters, days_suffice=True), filters=filters)


def _take_matches(call: Call) -> Matches:
    """Returns the matches that were found before, unless the books have changed since then."""
    assert call.db.author is not None, "a write takes its user first"
    _read_task(call)  # reports problems of the request
    if not isinstance(call.prepared, Matches) or call.prepared.revision + 1 != call.db.author.revision:
        raise Unprepared
    return call.prepared


def count_matching(call: Call) -> Answer:
    return Answer(Item(CountedMatches(len(_refuse_too_many(_find(call, COUNTED_AMONG_MAX))))))


def _refuse_too_many(matches: Matches) -> list[int]:
    if matches.entry_ids is None:
        sentence = f"More than {COUNTED_AMONG_MAX} transactions would have to be examined"
        refuse_field("start", f"{sentence}: choose a later start, a shorter range or more filters.")
    return matches.entry_ids


def change_matching(call: Call) -> Answer:
    """Changes the labels of all matches, as one change that can be undone as a whole.

    If a filter is about splits, such as a category or an amount, only matching splits are changed.
    """
    matches = _take_matches(call)
    request = relabel_body.read_labels(call.db, call.user_id, call.fields)
    if matches.entry_ids is not None and len(matches.entry_ids) <= wire.BULK_MAX:
        return Answer(Item(_change_now(call, request, matches.entry_ids)))
    labels = relabel.make_labels(call.db, call.user_id, request, call.now)
    run_id = run.begin(call.db, call.user_id, replace(_read_task(call), query=matches.query, labels=labels), call.now)
    result = RelabelledMatches(changed=0, left_out=0, in_background=True, run_id=str(run_id))
    return _answer_later(call, run_id, Item(result))


def _change_now(call: Call, request: RelabelRequest, entry_ids: list[int]) -> RelabelledMatches:
    split_ids = find_splits(call.db, call.user_id, _read_task(call).filters, entry_ids)
    spots = lines.find_positions(call.db, call.user_id, split_ids).values()
    request = replace(request, spots=relabel.select_fitting(spots, gives_budget=request.gives_budget))
    if request.spots:
        lifecycle.relabel_many(call.db, call.user_id, request, call.now)
    changed = len(request.entry_ids)
    return RelabelledMatches(changed=changed, left_out=len({spot.entry_id for spot in spots}) - changed)


def remove_matching(call: Call) -> Answer:
    """Deletes all matches if their number is as expected, as one change that can be undone as a whole."""
    expected = ensure(parse_complete(wire.ExpectedMatches, call.query, "expected").expected)
    matches = _take_matches(call)
    entry_ids = _refuse_too_many(matches)
    if len(entry_ids) != expected:
        raise Conflict(f"{len(entry_ids)} transactions match, not {expected}. Nothing was deleted.")
    if len(entry_ids) <= wire.BULK_MAX:
        record.erase(call.db, call.user_id, entry_ids, amount_field="expected")
        return Answer(Item(DeletedMatches(deleted=expected)))
    task = replace(_read_task(call), query=matches.query, expected=expected)
    run_id = run.begin(call.db, call.user_id, task, call.now)
    return _answer_later(call, run_id, Item(DeletedMatches(deleted=0, in_background=True, run_id=str(run_id))))


def _answer_later(call: Call, run_id: int, result: Item[RelabelledMatches] | Item[DeletedMatches]) -> Answer:
    return Answer(result, status=202, headers=(("location", f"{call.base}{API}{_path(run_id)}"),))


def show_matching(call: Call) -> Answer:
    """Shows the progress of a background run."""
    status = or_404(run.find(call.db, call.user_id, call.id))
    task, progress = run.read_task(status)
    day, _ = progress.until
    failure = progress.failure or (status.failure if status.finished_at else None)
    attributes = MatchingRunAttributes(
        deletes=task.labels is None,
        expected=task.expected,
        done=progress.done,
        left_out=progress.left_out,
        searched_from=None if progress.until == BEGINNING else day,
        finished=status.finished_at is not None,
        failure=failure and call.say(failure),
        revision=call.id,
    )
    return Answer(Item(thing(call.base, "matching_runs", call.id, attributes, uri=_path(call.id))))


def _path(run_id: int) -> str:
    return f"/transactions/matching/{run_id}"


_FILTERS = (Q, filtering.QUERY, filtering.TYPE, *filtering.FILTERS, filtering.CHILDREN, *RANGED)
_EXPECTED = Parameter(
    "expected",
    {"type": "integer", "minimum": 0},
    "The number of transactions that you expect to match. If it is different, nothing is deleted (409).",
    required=True,
)
ROUTES = (
    Route(
        "GET", "/transactions/matching", count_matching, "Count all transactions that match the filters",
        gives=Item[CountedMatches], parameters=_FILTERS, runs=LARGE, fails=(Invalid,),
    ),
    Route(
        "PUT", "/transactions/matching", change_matching,
        "Change category, budget or tags of all transactions that match the filters",
        gives=Item[RelabelledMatches] | Later, takes=wire.RelabelLabels, parameters=_FILTERS,
        runs=Runs(large=True, before=Before(ask=find_few, mode=Mode.READ)), fails=(TooMany,),
    ),
    Route(
        "DELETE", "/transactions/matching", remove_matching,
        "Delete all transactions that match the filters, if their number is as expected",
        gives=Item[DeletedMatches] | Later, parameters=(_EXPECTED, *_FILTERS),
        runs=Runs(large=True, before=Before(ask=find_all, mode=Mode.READ)), fails=(Invalid, Conflict, TooMany),
    ),
    Route(
        "GET", "/transactions/matching/{id}", show_matching, "Show the progress of changing or deleting all matches",
        gives=Item[MatchingRunThing],
    ),
)  # fmt: skip
