"""Changes or deletes matching transactions part by part.

The search runs without the user's lock, which is held only while a few transactions are written.

Transactions that changed after the request are skipped, so that one undo reverts the whole task.
"""

from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from farthing.books.bookkeeping import record, relabel
from farthing.books.bookkeeping.relabel import NewLabels
from farthing.books.labels import store as stored_labels
from farthing.books.rules import apply_changed
from farthing.books.transactions import lines, links
from farthing.books.transactions.index.words import SearchWords
from farthing.kernel.errors import Invalid
from farthing.ledger.entry import Label
from farthing.storage import queue
from farthing.storage.change_log import changes, versions
from farthing.storage.queue import CHANGE_MATCHING, DELETE_MATCHING, Job, JobProgress, JobStatus
from farthing.storage.unit import Unit

from ..search import find as search
from ..search.narrowing import SearchFilter, find_splits
from ..search.streams import BEGINNING, ListPosition


class MatchingTask(Struct, frozen=True):
    """If `labels` is None, the matching transactions are deleted. `expected` is the number of matches, if counted."""

    query: list[SearchWords]
    filters: SearchFilter
    labels: NewLabels | None = None
    expected: int | None = None


class MatchingProgress(Struct, frozen=True):
    """`left` lists the matches that are not processed yet, `changed` the changed ones on which no rules have run yet.

    The search goes from newest to oldest and has reached `until`. `left_out` is the number of skipped matches: those
    that cannot have the labels, and those that another request has changed in the meantime.
    """

    until: ListPosition = BEGINNING
    more: bool = True
    left: list[int] = []
    changed: list[int] = []
    done: int = 0
    left_out: int = 0
    failure: str | None = None
    last_revision: int = 0


def begin(db: Unit, user_id: int, task: MatchingTask, now: str) -> int:
    """Queues the job, and returns the revision of the request, under which all changes of the job are logged."""
    assert db.author is not None, "a write takes its user first"
    kind = CHANGE_MATCHING if task.labels else DELETE_MATCHING
    revision = db.author.revision
    queue.add(db, user_id, kind, revision, store_progress(task, MatchingProgress(last_revision=revision)), now)
    return revision


def store_progress(task: MatchingTask, progress: MatchingProgress) -> dict[str, Any]:
    return {"task": msgspec.to_builtins(task), "progress": msgspec.to_builtins(progress)}


def read_task(job: Job | JobStatus) -> tuple[MatchingTask, MatchingProgress]:
    task = msgspec.convert(job.data["task"], MatchingTask)
    return task, msgspec.convert(job.data["progress"], MatchingProgress)


def find(db: Unit, user_id: int, revision: int) -> JobStatus | None:
    for kind in (CHANGE_MATCHING, DELETE_MATCHING):
        if status := queue.find_last(db, user_id, kind, revision):
            return status
    return None


# Each search, which runs without the lock, finds about this many matches.
FOUND_AT_ONCE = 1000
# The number of matches in a batch. No further batch begins after the lock has been held for `HELD_S_MAX`.
BATCH = 10
HELD_S_MAX = 0.005


class MatchingPart(Struct, frozen=True):
    progress: MatchingProgress


def look(db: Unit, job: Job, _now: str) -> MatchingPart:
    task, progress = read_task(job)
    if progress.left or not progress.more:
        return MatchingPart(progress)
    result = search.find_next(db, job.user_id, task.query, task.filters, after=progress.until, limit=FOUND_AT_ONCE)
    return MatchingPart(replace(progress, left=result.entry_ids, until=result.until, more=result.more))


def write(db: Unit, job: Job, part: MatchingPart, now: str) -> JobProgress:
    assert db.author is not None, "a write takes its user first"
    task, _ = read_task(job)
    own_revision = db.author.revision
    progress = replace(part.progress, failure=_find_obstacle(db, job, task.labels), last_revision=own_revision)
    db.author = replace(db.author, revision=job.subject_id)
    if progress.failure is None:
        progress = _do_some(db, job, task, progress, now)
    if not progress.left or progress.failure:
        apply_changed.leave_to_job(db, job.user_id, progress.changed, now)
        progress = replace(progress, changed=[])
    is_over = progress.failure is not None or not (progress.left or progress.more)
    if is_over:
        changes.hide_if_empty(db)
    return JobProgress(data=store_progress(task, progress), more=not is_over)


def _do_some(db: Unit, job: Job, task: MatchingTask, progress: MatchingProgress, now: str) -> MatchingProgress:
    """Processes as many batches as the time allows. If a batch is invalid, earlier batches stay in effect."""
    until = perf_counter() + HELD_S_MAX
    while progress.left:
        chosen, rest = progress.left[:BATCH], progress.left[BATCH:]
        try:
            with db.savepoint():
                done = _do(db, job, task, chosen, now)
        except Invalid as refusal:
            return replace(progress, failure=refusal.sentences)
        progress = replace(
            progress,
            left=rest,
            changed=[*progress.changed, *(done if task.labels else ())],
            done=progress.done + len(done),
            left_out=progress.left_out + len(chosen) - len(done),
        )
        if perf_counter() >= until:
            break
    return progress


def _do(db: Unit, job: Job, task: MatchingTask, entry_ids: list[int], now: str) -> list[int]:
    """Returns the entries that were changed or deleted."""
    existing = links.of_entries(db, job.user_id, entry_ids)
    touched = versions.find_touched_entries(db, job.user_id, entry_ids, job.subject_id)
    untouched = [entry_id for entry_id in entry_ids if entry_id in existing and entry_id not in touched]
    if task.labels is None:
        record.erase(db, job.user_id, untouched)
        return untouched
    matching = lines.find_positions(db, job.user_id, find_splits(db, job.user_id, task.filters, untouched))
    spots = relabel.select_fitting(matching.values(), gives_budget=task.labels.gives_budget)
    if spots:
        relabel.apply(db, job.user_id, task.labels, spots, now)
    return sorted({spot.entry_id for spot in spots})


def _find_obstacle(db: Unit, job: Job, labels: NewLabels | None) -> str | None:
    if versions.is_undone(db, job.user_id, job.subject_id):
        return "The request was undone before it was finished."
    for table, label_ids in (labels.required_ids if labels else {}).items():
        if not stored_labels.are_there(db, job.user_id, table, label_ids):
            return f"The {_NOUNS[table]} was deleted in the meantime."
    return None


_NOUNS: dict[Label, str] = {"categories": "category", "budgets": "budget", "tags": "tag"}
