"""Deletes changes that are too old to be undone."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from farthing.kernel.clock import stamp
from farthing.storage import queue
from farthing.storage.queue import FORGET_CHANGES, Job, JobProgress
from farthing.storage.turns import ROWS_AT_ONCE, work_off
from farthing.storage.unit import Database, Unit

from . import store


def forget_old(
    database: Database, now: datetime, days: int, user_id: int | None = None, *, at_once: int = ROWS_AT_ONCE
) -> int:
    """Deletes old changes of all users, or of one user, and returns their number.

    Deletes changes first and their logged rows later, so that nobody can undo a change whose rows are partly deleted.
    Also removes logged rows that an interrupted call has left behind.
    """
    with database.reading() as db:
        old = store.find_old(db, stamp(now - timedelta(days=days)), user_id)
    for of, _, last in old:
        work_off(database, partial(store.forget, user_id=of, upto=last, limit=at_once, table="revisions"))
    with database.reading() as db:
        left = store.find_orphaned(db, user_id)
    for of, below in left:
        work_off(database, partial(store.forget, user_id=of, upto=below - 1, limit=at_once, table="changes"))
    return sum(last - first + 1 for _, first, last in old)


def begin(db: Unit, user_id: int, now: str) -> None:
    """Queues a job that deletes all changes of a user up to this one. Nobody can undo them any more."""
    assert db.author is not None, "a write takes its user first"
    revision = db.author.revision
    queue.add(db, user_id, FORGET_CHANGES, revision, {"upto": revision}, now)


def look(_db: Unit, _job: Job, _now: str) -> None:
    """Has nothing to read before the write."""


def write(db: Unit, job: Job, _part: Any, _now: str) -> JobProgress:
    """Deletes some changes or, when none are left, some of their logged rows."""
    upto = int(job.data["upto"])
    done = store.forget(db, job.user_id, upto, ROWS_AT_ONCE, table="revisions") or store.forget(
        db, job.user_id, upto, ROWS_AT_ONCE, table="changes"
    )
    return JobProgress(data=job.data, more=done > 0)
