"""Takes back what a job made."""

from typing import Any

from farthing.books.bookkeeping import record
from farthing.kernel.errors import Conflict
from farthing.kernel.text import pluralize
from farthing.storage.queue import Job
from farthing.storage.unit import Unit

from ..import_jobs import store
from ..import_jobs.model import ImportJob, ImportState, refuse_state
from ..import_jobs.queueing import RUN
from ..import_jobs.reading import OWN_ARCHIVE
from ..rows import imported_rows, objects, transfers
from . import archive_undo

_TOLD_MAX = 5
_TAKEN_BACK_AT_ONCE = 50


def undo(db: Unit, user_id: int, job: ImportJob, now: str, *, force: bool) -> None:
    """Undoes an import in one change. Refuses if its transactions were changed since, unless forced."""
    refuse_state(job, frozenset((ImportState.DONE,)), "undone")
    if job.format == OWN_ARCHIVE:
        archive_undo.take_back(db, user_id, job)
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
    transfers.become_what_they_were(db, user_id, paired, now)
    record.erase(db, user_id, imported_rows.still_there(db, user_id, sorted(new)))
    imported_rows.remove_of_job(db, user_id, job_id)
    objects.remove_unused(db, user_id, job_id, now)


def take_back_some(db: Unit, job: Job, import_job: ImportJob) -> dict[str, Any] | None:
    """Takes back the last transactions that a failed job made.

    Returns the data with which the job goes on, None if none is left. Raises Conflict.
    """
    if import_job.format == OWN_ARCHIVE:
        return archive_undo.take_back_some(db, job)
    entry_ids = imported_rows.last_of_job(db, job.user_id, import_job.id, _TAKEN_BACK_AT_ONCE)
    record.erase(db, job.user_id, imported_rows.still_there(db, job.user_id, entry_ids))
    imported_rows.remove_of_entries(db, job.user_id, import_job.id, entry_ids)
    return job.data if entry_ids else None
