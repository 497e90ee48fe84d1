"""Defines the task and the progress of a job that changes or deletes all transactions that match a filter."""

from typing import Any

import msgspec
from msgspec import Struct

from farthing.books.bookkeeping.relabel import NewLabels
from farthing.books.transactions.index.words import SearchWords
from farthing.storage import queue
from farthing.storage.queue import CHANGE_MATCHING, DELETE_MATCHING, Job, JobStatus
from farthing.storage.unit import Unit

from ..search.narrowing import SearchFilter
from ..search.streams import BEGINNING, ListPosition


class MatchingTask(Struct, frozen=True):
    """If `labels` is omitted, matches are deleted. `expected` is their number, if it was counted."""

    query: list[SearchWords]
    filters: SearchFilter
    labels: NewLabels | None = None
    expected: int | None = None


class MatchingProgress(Struct, frozen=True):
    """`left` lists matches still to do, `changed` those to which rules have not been applied yet.

    The search, newest first, has reached `until`. `left_out` counts matches that cannot have the labels, or that
    another request changed meanwhile.
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
    """Returns the revision of the request, under which everything that the job does is logged."""
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
