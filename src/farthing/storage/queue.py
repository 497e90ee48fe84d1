"""Implements the queue of background jobs as a table. Each job is held by one worker at a time.

A worker holds a job for a limited time, which is extended with each part of the job that it finishes. If a worker dies,
its hold expires, and another worker continues the job. Jobs of the same user and kind run one after the other.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import msgspec
from msgspec import Struct

from farthing.kernel.clock import shift

from . import tables
from .unit import Unit

# Kinds of jobs that finish what a request began. Their subject is the revision of that request, under which all their
# changes are logged.
CHANGE_MATCHING, DELETE_MATCHING = "transactions.change_matching", "transactions.remove_matching"
# Deletes the history of a user's changes, up to the revision of the request.
FORGET_CHANGES = "changes.forget"
# A job fails for good after this many attempts without progress.
ATTEMPTS_MAX = 5
_REMEMBERED = timedelta(days=30)
# No hold lasts longer than this. If one seems to, the clock was set back.
_HELD_MOST = timedelta(minutes=2)


class Job(Struct, frozen=True):
    """Describes a job that a worker holds.

    `subject_id` is the object that the job works on, `data` is its input and progress, and `by_id` is the user who
    requested it.
    """

    id: int
    user_id: int
    kind: str
    subject_id: int
    data: dict[str, Any]
    attempts: int = 0
    by_id: int | None = None


class JobProgress(Struct, frozen=True):
    """Describes the state of a job after one of its parts: its new data, and whether there is more to do."""

    data: dict[str, Any]
    more: bool


class Waiting(Struct, frozen=True):
    """Means that a job cannot continue yet. The worker does other jobs meanwhile, and tries it again later."""


class JobStatus(Struct, frozen=True):
    """Describes the progress or the outcome of a job."""

    id: int
    data: dict[str, Any]
    failure: str | None
    finished_at: str | None


class JobHold(Struct, frozen=True):
    """States which worker holds a job, and until when."""

    worker: str
    now: str
    until: str


_CANCEL = "DELETE FROM jobs WHERE user_id = :user_id AND kind = :kind AND finished_at IS NULL AND"
_OF_SUBJECT = "user_id = :user_id AND kind = :kind AND subject_id = :subject_id"


def add(db: Unit, user_id: int, kind: str, subject_id: int, data: dict[str, Any], now: str) -> int:
    db.has_new_jobs = True
    by_id = db.author.by_id if db.author else None
    values = {"kind": kind, "subject_id": subject_id, "data": _encode(data), "created_at": now, "by_id": by_id}
    return tables.add_and_get(db, JobStatus, "jobs", user_id=user_id, **values).id


def cancel(db: Unit, user_id: int, kind: str, subject_id: int) -> None:
    """Deletes the unfinished jobs of a subject. A worker that holds one of them stops before its next part."""
    db.run(f"{_CANCEL} subject_id = :subject_id", user_id=user_id, kind=kind, subject_id=subject_id)


def replace_all(db: Unit, user_id: int, kind: str, subject_ids: Sequence[int], data: dict[str, Any], now: str) -> None:
    """Cancels the unfinished jobs of the given subjects, and adds a new job for each subject."""
    db.run(f"{_CANCEL} subject_id IN :subject_ids", user_id=user_id, kind=kind, subject_ids=list(subject_ids))
    by_id = db.author.by_id if db.author else None
    db.many(
        """
        INSERT INTO jobs (user_id, kind, subject_id, data, created_at, by_id)
        VALUES (:user_id, :kind, :subject_id, :data, :now, :by_id)
        """,
        [(user_id, kind, subject_id, _encode(data), now, by_id) for subject_id in subject_ids],
    )


def find_last(db: Unit, user_id: int, kind: str, subject_id: int) -> JobStatus | None:
    statement = f"SELECT id, data, failure, finished_at FROM jobs WHERE {_OF_SUBJECT} ORDER BY id DESC LIMIT 1"
    return db.struct(JobStatus, statement, user_id=user_id, kind=kind, subject_id=subject_id)


def disown(db: Unit, user_id: int, kind: str, subject_id: int, now: str) -> None:
    """Finishes the jobs of a subject and detaches them from it. Deleting their results takes long and is done later."""
    statement = f"UPDATE jobs SET subject_id = 0, finished_at = COALESCE(finished_at, :now) WHERE {_OF_SUBJECT}"
    db.run(statement, user_id=user_id, kind=kind, subject_id=subject_id, now=now)


def find_disowned(db: Unit, user_id: int, kinds: list[str]) -> int | None:
    """Finds the user's oldest job that was detached by `disown`."""
    disowned = "user_id = :user_id AND kind IN :kinds AND subject_id = 0"
    job_id = db.value(f"SELECT id FROM jobs WHERE {disowned} ORDER BY id LIMIT 1", user_id=user_id, kinds=kinds)
    return int(job_id) if job_id else None


def find_expired(db: Unit, kinds: list[str], since: str) -> tuple[int, int] | None:
    """Finds a job of any user that ended by `since`, or was detached by `disown`. Returns its user and its id."""
    expired = "kind IN :kinds AND (subject_id = 0 OR finished_at <= :since)"
    row = db.one(f"SELECT user_id, id FROM jobs WHERE {expired} ORDER BY id LIMIT 1", kinds=kinds, since=since)
    return (row[0], row[1]) if row else None


def remove(db: Unit, user_id: int, job_id: int) -> None:
    tables.remove(db, "jobs", user_id=user_id, id=job_id)


def list_waiting_subjects(db: Unit, user_id: int, kind: str) -> set[int]:
    """Lists the subjects of the user's unfinished jobs of this kind."""
    statement = "SELECT subject_id FROM jobs WHERE user_id = :user_id AND kind = :kind AND finished_at IS NULL"
    return {subject_id for (subject_id,) in db.all(statement, user_id=user_id, kind=kind)}


_IDLE = "finished_at IS NULL AND (held_until IS NULL OR held_until <= :now OR held_until > :beyond)"
_FIRST_IDLE = f"""
SELECT j.id FROM jobs j WHERE {_IDLE} AND j.kind IN :kinds AND NOT (j.user_id IN :without) AND NOT EXISTS (
    SELECT 1 FROM jobs earlier
    WHERE earlier.finished_at IS NULL AND earlier.user_id = j.user_id AND earlier.kind = j.kind AND earlier.id < j.id
)
ORDER BY j.id LIMIT 1
"""


def is_idle(db: Unit, kinds: list[str], now: str, without: list[int]) -> bool:
    """Tells whether no job is available. Check this before calling `take`, which needs a lock."""
    job_id = db.value(_FIRST_IDLE, kinds=kinds, now=now, beyond=shift(now, _HELD_MOST), without=without)
    return job_id is None


def take(db: Unit, kinds: list[str], held: JobHold, without: list[int]) -> Job | None:
    """Takes the oldest job that no worker holds. Skips jobs of the users in `without`.

    If two workers try at the same moment, each gets a different job.
    """
    # SQLite has one writer at a time. On PostgreSQL, the slower worker would wait for the other, and then get no job.
    skipping = "FOR UPDATE OF j SKIP LOCKED" if db.dialect == "postgresql" else ""
    return db.struct(
        Job,
        f"""
        UPDATE jobs SET worker = :worker, held_until = :until, attempts = attempts + 1,
            started_at = COALESCE(started_at, :now)
        WHERE id = ({_FIRST_IDLE} {skipping}) AND {_IDLE} RETURNING id, user_id, kind, subject_id, data, attempts, by_id
        """,
        kinds=kinds,
        worker=held.worker,
        now=held.now,
        until=held.until,
        beyond=shift(held.now, _HELD_MOST),
        without=without,
    )


def is_held(db: Unit, job: Job, held: JobHold) -> bool:
    """Tells whether this worker still holds the job. The hold may have expired, or the job may have been cancelled."""
    return bool(db.value(f"SELECT 1 FROM jobs {_HELD}", user_id=job.user_id, id=job.id, worker=held.worker))


def keep(db: Unit, job: Job, held: JobHold) -> None:
    """Saves the progress in the same unit of work as the finished part, and extends the hold.

    Resets the number of attempts, because the next part has not been tried yet.
    """
    changed = "data = :data, attempts = 1, held_until = :until, failure = NULL"
    _set(db, job, held, changed, data=_encode(job.data), until=held.until)


def renew(db: Unit, job: Job, held: JobHold) -> None:
    """Extends the hold on a job, because a part that takes long is still running."""
    _set(db, job, held, "held_until = :until", until=held.until)


def finish(db: Unit, job: Job, held: JobHold, failure: str | None = None) -> None:
    """Marks the job finished, and deletes the user's jobs that finished long ago."""
    _set(db, job, held, "finished_at = :now, failure = :failure", now=held.now, failure=failure)
    old = "user_id = :user_id AND finished_at < :before"
    db.run(f"DELETE FROM jobs WHERE {old}", user_id=job.user_id, before=shift(held.now, -_REMEMBERED))


def release(db: Unit, job: Job, held: JobHold) -> None:
    """Ends the hold on a job, so that another worker can continue it."""
    _set(db, job, held, "worker = NULL, held_until = NULL, attempts = 0")


def set_data(db: Unit, job: Job, data: dict[str, Any]) -> None:
    """Replaces the data of a job, for example to remove data that must not be kept after the job."""
    tables.change(db, "jobs", {"user_id": job.user_id, "id": job.id}, data=_encode(data))


def fail(db: Unit, job: Job, held: JobHold, failure: str) -> None:
    """Notes that an attempt has failed. The job is retried after `held.until`, unless this was the last attempt."""
    is_last = "CASE WHEN attempts >= :attempts_max THEN :now END"
    changed = f"worker = NULL, held_until = :until, failure = :failure, finished_at = {is_last}"
    now = held.now
    _set(db, job, held, changed, until=held.until, failure=failure, attempts_max=ATTEMPTS_MAX, now=now)


def _set(db: Unit, job: Job, held: JobHold, changed: str, **values: Any) -> None:
    db.run(f"UPDATE jobs SET {changed} {_HELD}", user_id=job.user_id, id=job.id, worker=held.worker, **values)


_HELD = "WHERE user_id = :user_id AND id = :id AND worker = :worker AND finished_at IS NULL"


def _encode(data: dict[str, Any]) -> str:
    return msgspec.json.encode(data).decode()
