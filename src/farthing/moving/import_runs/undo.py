"""Takes back what an import made: one that is undone, and one that failed."""

from typing import Any

from msgspec.structs import replace

from farthing.books.bookkeeping import record
from farthing.care.changes import store as changes
from farthing.care.changes import undo as undoing
from farthing.kernel.errors import Conflict
from farthing.kernel.text import pluralize
from farthing.storage.queue import Job
from farthing.storage.unit import Unit

from ..import_jobs import store
from ..import_jobs.formats import OWN_ARCHIVE
from ..import_jobs.model import ImportJob, ImportState, refuse_state
from ..import_jobs.queueing import RUN
from ..rows import imported_rows, made_objects, transfer_conversion

_TOLD_MAX = 5
_TAKEN_BACK_AT_ONCE = 50
# In the data of a job that takes back an archive: nobody had changed what it stored when it began.
REWINDING = "is_rewinding"


def undo(db: Unit, user_id: int, job: ImportJob, now: str, *, force: bool) -> None:
    """Undoes an import in one change. Refuses if its transactions were changed since, unless forced."""
    refuse_state(job, frozenset((ImportState.DONE,)), "undone")
    if job.format == OWN_ARCHIVE:
        _take_back_whole_archive(db, user_id, job)
    else:
        if not force:
            _refuse_changed(db, user_id, job)
        take_back(db, user_id, job.id, now)
    store.mark_undone(db, user_id, job.id, now)


def _refuse_changed(db: Unit, user_id: int, job: ImportJob) -> None:
    changed = imported_rows.find_changed(db, user_id, job.id, job.finished_at or "", RUN)
    if not changed:
        return
    examples = "; ".join(f"“{description[:80]}” of {on_day}" for description, on_day in changed[:_TOLD_MAX])
    more = f" and {len(changed) - _TOLD_MAX} more" if len(changed) > _TOLD_MAX else ""
    raise Conflict(
        f"Not undone, because {pluralize(len(changed), 'transaction')} of this import"
        f" {'was' if len(changed) == 1 else 'were'} changed since: {examples}{more}."
        " Undo with force=1 to delete these as well."
    )


def take_back(db: Unit, user_id: int, job_id: int, now: str) -> None:
    """Removes transactions, then accounts and labels that nothing else uses. Linked transactions stay as they were."""
    made = imported_rows.of_job(db, user_id, job_id)
    new = {entry_id for entry_id, outcome, _ in made if outcome == "new"}
    paired = {entry_id: before for entry_id, _, before in made if before and entry_id not in new}
    transfer_conversion.become_what_they_were(db, user_id, paired, now)
    record.erase(db, user_id, made_objects.find_existing(db, user_id, "entries", sorted(new)))
    imported_rows.remove_of_job(db, user_id, job_id)
    made_objects.remove_unused(db, user_id, job_id, now)


def take_back_some(db: Unit, job: Job, import_job: ImportJob) -> dict[str, Any] | None:
    """Takes back the last transactions that a failed job made.

    Returns the data with which the job goes on, None if none is left. Raises Conflict.
    """
    if import_job.format == OWN_ARCHIVE:
        return take_back_archive(db, job)
    entry_ids = imported_rows.last_of_job(db, job.user_id, import_job.id, _TAKEN_BACK_AT_ONCE)
    record.erase(db, job.user_id, made_objects.find_existing(db, job.user_id, "entries", entry_ids))
    imported_rows.remove_of_entries(db, job.user_id, import_job.id, entry_ids)
    return job.data if entry_ids else None


def take_back_archive(db: Unit, job: Job) -> dict[str, Any] | None:
    """Takes back the last transactions of an archive whose run failed or lost its worker; when none is left, the rest.

    All that an archive stored was logged as one change.

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
    sql = """
    SELECT object_id FROM changes
    WHERE user_id = :user_id AND revision = :revision AND kind = 'entries' AND action = 'created'
    ORDER BY id DESC LIMIT :most
    """
    rows = db.all(sql, user_id=user_id, revision=revision, most=_TAKEN_BACK_AT_ONCE)
    return sorted(entry_id for (entry_id,) in rows)


def _rewind(db: Unit, user_id: int, revision: int, entry_ids: list[int]) -> None:
    """Erases entries and removes them from the log of the change, so that the rest of it can be undone."""
    assert db.author is not None, "a write takes its user first"
    db.author = replace(db.author, revision=revision)
    sql = "SELECT MAX(id) FROM changes WHERE user_id = :user_id AND revision = :revision"
    last = db.value(sql, user_id=user_id, revision=revision)
    record.erase(db, user_id, made_objects.find_existing(db, user_id, "entries", entry_ids))
    sql = """
    DELETE FROM changes WHERE user_id = :user_id AND revision = :revision
        AND (id > :last OR kind = 'entries' AND object_id IN :ids)
    """
    db.run(sql, user_id=user_id, revision=revision, last=last, ids=entry_ids)


def _take_back_whole_archive(db: Unit, user_id: int, job: ImportJob) -> None:
    """Undoes the one change that the import was; refuses if something was changed since."""
    revision = (job.report or {}).get("revision")
    revisions = changes.list_of_revision(db, user_id, int(revision)) if revision else []
    if not revisions:
        raise Conflict("It can no longer be undone: the log of changes does not reach back so far.")
    undoing.undo(db, user_id, revisions[0])
