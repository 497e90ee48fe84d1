"""The task of a job that changes or deletes all transactions that match a filter, and how far it has come."""

from typing import Any

import msgspec
from msgspec import Struct

from farthing.books.bookkeeping.relabel import NewLabels
from farthing.books.transactions.words import SearchWords
from farthing.storage import queue
from farthing.storage.queue import CHANGE_MATCHING, DELETE_MATCHING, Job, JobStatus
from farthing.storage.unit import Unit

from ..search.narrowing import SearchFilter
from ..search.streams import BEGINNING, Place


class MatchingTask(Struct, frozen=True):
    """Without new labels, what matches is deleted; `expected` is how many that are, if it was counted."""

    query: list[SearchWords]
    filters: SearchFilter
    labels: NewLabels | None = None
    expected: int | None = None


class MatchingProgress(Struct, frozen=True):
    """`left` are matches that were found and not done yet, `changed` those that rules have not seen yet.

    `until` is how far it was searched, newest first. `left_out` is what cannot have the labels, or was changed by
    somebody else meanwhile.
    """

    until: Place = BEGINNING
    more: bool = True
    left: list[int] = []
    changed: list[int] = []
    done: int = 0
    left_out: int = 0
    failure: str | None = None
    last_revision: int = 0


def begin(db: Unit, user_id: int, task: MatchingTask, now: str) -> int:
    """Its number is the revision of the request; whatever the job does is logged as part of that change."""
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
