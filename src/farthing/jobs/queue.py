"""Which work waits to be done beside the requests? Kept in a table, each job held by one worker at a time.

Whoever takes a job holds it for a while, and again with each part that is done. A worker that dies holds it no longer
when that while is over, and the job is taken again, where it had come to. Jobs of one user and kind are done in turn.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec

from ..clock import moved
from ..storage.unit import Row, Unit

# How often a job is begun anew without getting any further, before it is given up.
ATTEMPTS_MAX = 5
_REMEMBERED = timedelta(days=30)
# Nobody holds a job for longer than this: where it looks so, the clock was set back.
_HELD_MOST = timedelta(minutes=2)


@dataclass(frozen=True)
class Job:
    """`subject_id` is the object that it works on; `data` is what it needs to know, how far it has come included."""

    id: int
    user_id: int
    kind: str
    subject_id: int
    data: dict[str, Any]
    attempts: int = 0


@dataclass(frozen=True)
class Status:
    """How a job stands, or ended."""

    id: int
    data: dict[str, Any]
    failure: str | None
    finished_at: str | None


@dataclass(frozen=True)
class Held:
    """By which worker a job is held, and until when."""

    worker: str
    now: str
    until: str


def add(db: Unit, user_id: int, kind: str, subject_id: int, data: dict[str, Any], now: str) -> int:
    return int(
        db.value(
            """
            INSERT INTO jobs (user_id, kind, subject_id, data, created_at)
            VALUES (:user_id, :kind, :subject_id, :data, :now) RETURNING id
            """,
            user_id=user_id,
            kind=kind,
            subject_id=subject_id,
            data=_encoded(data),
            now=now,
        )
    )


def cancel(db: Unit, user_id: int, kind: str, subject_id: int) -> None:
    """A worker that holds it finds out at its next part."""
    db.run(
        """
        DELETE FROM jobs
        WHERE user_id = :user_id AND kind = :kind AND subject_id = :subject_id AND finished_at IS NULL
        """,
        user_id=user_id,
        kind=kind,
        subject_id=subject_id,
    )


def last(db: Unit, user_id: int, kind: str, subject_id: int) -> Status | None:
    row = db.one(
        """
        SELECT id, data, failure, finished_at FROM jobs
        WHERE user_id = :user_id AND kind = :kind AND subject_id = :subject_id ORDER BY id DESC LIMIT 1
        """,
        user_id=user_id,
        kind=kind,
        subject_id=subject_id,
    )
    return Status(row[0], msgspec.json.decode(row[1]), row[2], row[3]) if row else None


def disown(db: Unit, user_id: int, kind: str, subject_id: int, now: str) -> None:
    """For jobs that leave something behind, which takes a while to put away: they are nobody's, and end here."""
    db.run(
        """
        UPDATE jobs SET subject_id = 0, finished_at = COALESCE(finished_at, :now)
        WHERE user_id = :user_id AND kind = :kind AND subject_id = :subject_id
        """,
        user_id=user_id,
        kind=kind,
        subject_id=subject_id,
        now=now,
    )


def disowned(db: Unit, user_id: int, kinds: list[str]) -> int | None:
    """The oldest job of the user that is nobody's."""
    found = db.value(
        "SELECT id FROM jobs WHERE user_id = :user_id AND kind IN :kinds AND subject_id = 0 ORDER BY id LIMIT 1",
        user_id=user_id,
        kinds=kinds,
    )
    return int(found) if found else None


def over(db: Unit, kinds: list[str], since: str) -> tuple[int, int] | None:
    """The user and the id of a job that ended long ago, or is nobody's; anybody's."""
    row = db.one(
        """
        SELECT user_id, id FROM jobs WHERE kind IN :kinds AND (subject_id = 0 OR finished_at <= :since)
        ORDER BY id LIMIT 1
        """,
        kinds=kinds,
        since=since,
    )
    return (row[0], row[1]) if row else None


def remove(db: Unit, user_id: int, job_id: int) -> None:
    db.run("DELETE FROM jobs WHERE user_id = :user_id AND id = :id", user_id=user_id, id=job_id)


def waiting_for(db: Unit, user_id: int, kind: str) -> set[int]:
    """The objects that jobs of this kind still have to deal with."""
    rows = db.all(
        "SELECT subject_id FROM jobs WHERE user_id = :user_id AND kind = :kind AND finished_at IS NULL",
        user_id=user_id,
        kind=kind,
    )
    return {subject_id for (subject_id,) in rows}


_IDLE = "finished_at IS NULL AND (held_until IS NULL OR held_until <= :now OR held_until > :beyond)"
_FIRST_IDLE = f"""
SELECT j.id FROM jobs j WHERE {_IDLE} AND j.kind IN :kinds AND NOT EXISTS (
    SELECT 1 FROM jobs earlier
    WHERE earlier.finished_at IS NULL AND earlier.user_id = j.user_id AND earlier.kind = j.kind AND earlier.id < j.id
)
ORDER BY j.id LIMIT 1
"""


def is_idle(db: Unit, kinds: list[str], now: str) -> bool:
    """Is there nothing to take? Asked before a lock is, which taking needs."""
    return db.value(_FIRST_IDLE, kinds=kinds, now=now, beyond=moved(now, _HELD_MOST)) is None


def take(db: Unit, kinds: list[str], held: Held) -> Job | None:
    """The oldest that nobody holds. Two workers that ask at once do not both get it: the second finds it held."""
    row = db.one(
        f"""
        UPDATE jobs SET worker = :worker, held_until = :until, attempts = attempts + 1,
            started_at = COALESCE(started_at, :now)
        WHERE id = ({_FIRST_IDLE}) AND {_IDLE} RETURNING id, user_id, kind, subject_id, data, attempts
        """,
        kinds=kinds,
        worker=held.worker,
        now=held.now,
        until=held.until,
        beyond=moved(held.now, _HELD_MOST),
    )
    return _job(row) if row else None


def is_held(db: Unit, job: Job, held: Held) -> bool:
    """Still by this worker? It may have been too slow, and another has it now; or the job was called off."""
    return bool(
        db.value(
            "SELECT 1 FROM jobs WHERE user_id = :user_id AND id = :id AND worker = :worker AND finished_at IS NULL",
            user_id=job.user_id,
            id=job.id,
            worker=held.worker,
        )
    )


def keep(db: Unit, job: Job, held: Held) -> None:
    """Notes how far it has come, in the same unit of work as that part; the worker holds it for another while.

    Whatever comes now, it is the first attempt at the next part.
    """
    _set(
        db,
        job,
        held,
        "data = :data, attempts = 1, held_until = :until, failure = NULL",
        data=_encoded(job.data),
        until=held.until,
    )


def finish(db: Unit, job: Job, held: Held, failure: str | None = None) -> None:
    """It is remembered for a while, and what the user's other jobs did long ago is forgotten."""
    _set(db, job, held, "finished_at = :now, failure = :failure", now=held.now, failure=failure)
    db.run(
        "DELETE FROM jobs WHERE user_id = :user_id AND finished_at < :before",
        user_id=job.user_id,
        before=moved(held.now, -_REMEMBERED),
    )


def let_go(db: Unit, job: Job, held: Held) -> None:
    """The worker stops; whoever comes next goes on with it."""
    _set(db, job, held, "worker = NULL, held_until = NULL, attempts = 0")


def fail(db: Unit, job: Job, held: Held, failure: str) -> None:
    """It is tried again when the while is over for which it was held; but not for ever."""
    _set(
        db,
        job,
        held,
        """
        worker = NULL, held_until = :until, failure = :failure,
        finished_at = CASE WHEN attempts >= :attempts_max THEN :now END
        """,
        until=held.until,
        failure=failure,
        attempts_max=ATTEMPTS_MAX,
        now=held.now,
    )


def _set(db: Unit, job: Job, held: Held, changed: str, **values: Any) -> None:
    db.run(
        f"UPDATE jobs SET {changed} WHERE user_id = :user_id AND id = :id AND worker = :worker AND finished_at IS NULL",
        user_id=job.user_id,
        id=job.id,
        worker=held.worker,
        **values,
    )


def _job(row: Row) -> Job:
    job_id, user_id, kind, subject_id, data, attempts = row
    return Job(job_id, user_id, kind, subject_id, msgspec.json.decode(data), attempts)


def _encoded(data: dict[str, Any]) -> str:
    return msgspec.json.encode(data).decode()
