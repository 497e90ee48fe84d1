"""Stores the effects that a dry run finds, one row for each transaction that would change."""

from collections.abc import Sequence

from farthing.storage.queue import Job
from farthing.storage.unit import Unit


def add(db: Unit, job: Job, effects: Sequence[str]) -> None:
    if effects:
        db.many(
            "INSERT INTO dry_run_changes (user_id, job_id, told) VALUES (:user_id, :job_id, :told)",
            [{"user_id": job.user_id, "job_id": job.id, "told": effect} for effect in effects],
        )


def page(db: Unit, user_id: int, job_id: int, *, limit: int, offset: int) -> list[str]:
    sql = """
        SELECT told FROM dry_run_changes WHERE user_id = :user_id AND job_id = :job_id
        ORDER BY id LIMIT :limit OFFSET :offset
    """
    rows = db.all(sql, user_id=user_id, job_id=job_id, limit=limit, offset=offset)
    return [effect for (effect,) in rows]


def forget_some(db: Unit, user_id: int, job_id: int, *, limit: int) -> int:
    """Returns how many were deleted; fewer than the limit means that none are left."""
    sql = """
        DELETE FROM dry_run_changes WHERE user_id = :user_id AND id IN (
            SELECT id FROM dry_run_changes WHERE user_id = :user_id AND job_id = :job_id ORDER BY id LIMIT :limit
        )
    """
    return db.run_and_count(sql, user_id=user_id, job_id=job_id, limit=limit)
