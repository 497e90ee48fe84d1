"""Takes back what the import of a whole archive stored. All of it was logged as one change."""

from typing import Any

from msgspec.structs import replace

from farthing.books.bookkeeping import record
from farthing.care.changes import store as changes
from farthing.care.changes import undo as undoing
from farthing.kernel.errors import Conflict
from farthing.storage.queue import Job
from farthing.storage.unit import Unit

from ..import_jobs.model import ImportJob
from ..rows import imported_rows

# In the data of a job that takes back what it stored: nobody had changed that when it began.
REWINDING = "is_rewinding"
_TAKEN_BACK_AT_ONCE = 50


def take_back_some(db: Unit, job: Job) -> dict[str, Any] | None:
    """Takes back the last transactions of a run that failed, or whose worker died; when none is left, all the rest.

    Returns the data with which the job goes on, None if nothing is left. Raises Conflict if somebody has changed it
    meanwhile.
    """
    revision = int(job.data.get("revision") or 0)
    revisions = changes.list_of_revision(db, job.user_id, revision) if revision else []
    if not revisions or revisions[0].undone_by is not None:
        return None
    if not job.data.get(REWINDING):
        undoing.refuse_touched(db, job.user_id, revisions[0])
    entry_ids = _last_entries(db, job.user_id, revision)
    if not entry_ids:
        undoing.undo(db, job.user_id, revisions[0])
        return None
    _rewind(db, job.user_id, revision, entry_ids)
    return {**job.data, REWINDING: True}


def _last_entries(db: Unit, user_id: int, revision: int) -> list[int]:
    rows = db.all(
        """
        SELECT object_id FROM changes
        WHERE user_id = :user_id AND revision = :revision AND kind = 'entries' AND action = 'created'
        ORDER BY id DESC LIMIT :most
        """,
        user_id=user_id,
        revision=revision,
        most=_TAKEN_BACK_AT_ONCE,
    )
    return sorted(entry_id for (entry_id,) in rows)


def _rewind(db: Unit, user_id: int, revision: int, entry_ids: list[int]) -> None:
    """Erases entries and removes them from the log of the change, so that the rest of it can be undone."""
    assert db.author is not None, "a write takes its user first"
    db.author = replace(db.author, revision=revision)
    last = db.value(
        "SELECT MAX(id) FROM changes WHERE user_id = :user_id AND revision = :revision",
        user_id=user_id,
        revision=revision,
    )
    record.erase(db, user_id, imported_rows.still_there(db, user_id, entry_ids))
    db.run(
        """
        DELETE FROM changes WHERE user_id = :user_id AND revision = :revision
            AND (id > :last OR kind = 'entries' AND object_id IN :ids)
        """,
        user_id=user_id,
        revision=revision,
        last=last,
        ids=entry_ids,
    )


def take_back(db: Unit, user_id: int, job: ImportJob) -> None:
    """Undoes the one change that the import was; refuses if something was changed since."""
    revision = (job.report or {}).get("revision")
    revisions = changes.list_of_revision(db, user_id, int(revision)) if revision else []
    if not revisions:
        raise Conflict("It can no longer be undone: the log of changes does not reach back so far.")
    undoing.undo(db, user_id, revisions[0])
