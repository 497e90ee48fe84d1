"""Removes everything that an import created, if the user undoes the import or if it failed."""

from typing import Any

from farthing.books.bookkeeping import record
from farthing.care.changes import later
from farthing.care.changes import store as changes
from farthing.care.changes import undo as undoing
from farthing.care.changes.model import Change
from farthing.kernel.errors import Conflict
from farthing.kernel.text import pluralize
from farthing.storage.queue import Job
from farthing.storage.unit import Unit

from ..import_jobs import opening_balances, store
from ..import_jobs.formats import OWN_ARCHIVE
from ..import_jobs.model import ImportJob, ImportState, refuse_state
from ..import_jobs.queueing import RUN
from ..rows import imported_rows, made_objects, transfer_conversion

_TOLD_MAX = 5
_TAKEN_BACK_AT_ONCE = 50
# Set in the data of a job that undoes an archive, after checking that nobody has changed the imported data.
REWINDING = "is_rewinding"


def undo(db: Unit, user_id: int, job: ImportJob, now: str, *, force: bool) -> None:
    """Undoes an import in one change. Raises Conflict if its transactions were changed since, unless `force` is set."""
    refuse_state(job, frozenset((ImportState.DONE,)), "undone")
    if job.format == OWN_ARCHIVE:
        # The import was logged as a single change. Its undo raises Conflict if imported data was changed since.
        revision = (job.report or {}).get("revision")
        revisions = changes.list_of_revision(db, user_id, int(revision)) if revision else []
        if not revisions:
            reason = "the log of changes does not reach back far enough"
            raise Conflict(f"This import can no longer be undone, because {reason}.")
        undoing.undo(db, user_id, revisions[0])
    else:
        if not force:
            _refuse_changed(db, user_id, job)
        take_back(db, user_id, job.id, now)
        opening_balances.move_back(db, user_id, job, now)
    store.mark_undone(db, user_id, job.id, now)
    change = changes.find_import(db, user_id, job.id)
    if change is not None and change.undone_by is None:
        assert db.author is not None, "a write takes its user first"
        changes.mark_undone(db, user_id, change, db.author.revision)


def undo_change(db: Unit, user_id: int, change: Change, now: str, *, with_later: bool) -> None:
    """Undoes a change. With `with_later`, also undoes all later changes that prevent its undo, all as one change.

    If the change started an import, undoes the whole import. With `with_later`, its transactions are deleted even if
    they were changed since.
    """

    def undo_one(each: Change) -> None:
        if each.import_job_id is None:
            undoing.undo(db, user_id, each)
        elif reason := undoing.find_final_reason(each):
            raise Conflict(reason)
        elif job := store.get(db, user_id, each.import_job_id):
            undo(db, user_id, job, now, force=with_later)
        else:
            raise Conflict("This import can no longer be undone, because it was deleted. Its transactions stay.")

    together = later.list_together(db, user_id, change) if with_later and change.import_job_id is None else [change]
    undoing.undo_together(db, together, undo_one)


def find_reason(db: Unit, user_id: int, job_id: int) -> str | None:
    """Returns the reason why the undo of an import would be refused unless it is forced."""
    job = store.get(db, user_id, job_id)
    try:
        if job is not None:
            refuse_state(job, frozenset((ImportState.DONE,)), "undone")
            _refuse_changed(db, user_id, job)
    except Conflict as error:
        return str(error)
    return None


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
    """Removes an import's transactions, and the objects that it created and that are not in use. Linked transactions
    stay unchanged.
    """
    made = imported_rows.of_job(db, user_id, job_id)
    new = {entry_id for entry_id, outcome, _ in made if outcome == "new"}
    paired = {entry_id: before for entry_id, _, before in made if before and entry_id not in new}
    transfer_conversion.become_what_they_were(db, user_id, paired, now)
    record.erase(db, user_id, made_objects.find_existing(db, user_id, "entries", sorted(new)))
    imported_rows.remove_of_job(db, user_id, job_id)
    made_objects.remove_unused(db, user_id, job_id, now)


def take_back_some(db: Unit, job: Job, import_job: ImportJob) -> dict[str, Any] | None:
    """Removes a batch of a failed job's last transactions. Returns data to continue with, if any. Raises Conflict."""
    if import_job.format == OWN_ARCHIVE:
        return take_back_archive(db, job)
    entry_ids = imported_rows.last_of_job(db, job.user_id, import_job.id, _TAKEN_BACK_AT_ONCE)
    record.erase(db, job.user_id, made_objects.find_existing(db, job.user_id, "entries", entry_ids))
    imported_rows.remove_of_entries(db, job.user_id, import_job.id, entry_ids)
    return job.data if entry_ids else None


def take_back_archive(db: Unit, job: Job) -> dict[str, Any] | None:
    """Undoes a batch of an archive import whose run failed or lost its worker: the last transactions first, then
    everything else as one change, as it was logged. Returns the data to continue with, if anything is left. Raises
    Conflict if somebody has changed imported data in the meantime.
    """
    revision = int(job.data.get("revision") or 0)
    revisions = changes.list_of_revision(db, job.user_id, revision) if revision else []
    if not revisions or revisions[0].undone_by is not None:
        return None
    if not job.data.get(REWINDING):
        undoing.refuse_touched(db, job.user_id, revisions[0])
    sql = """
    SELECT object_id FROM changes
    WHERE user_id = :user_id AND revision = :revision AND kind = 'entries' AND action = 'created'
    ORDER BY id DESC LIMIT :most
    """
    rows = db.all(sql, user_id=job.user_id, revision=revision, most=_TAKEN_BACK_AT_ONCE)
    entry_ids = sorted(entry_id for (entry_id,) in rows)
    if not entry_ids:
        undoing.undo(db, job.user_id, revisions[0])
        return None
    _rewind(db, job.user_id, revision, entry_ids)
    return {**job.data, REWINDING: True}


def _rewind(db: Unit, user_id: int, revision: int, entry_ids: list[int]) -> None:
    """Erases entries and removes them from the logged change, so that everything else in that change can be undone.

    Whoever follows the log has seen the entries, so their removal stays there, as a change that is no longer in effect.
    """
    record.erase(db, user_id, made_objects.find_existing(db, user_id, "entries", entry_ids))
    sql = """
    DELETE FROM changes WHERE user_id = :user_id AND revision = :revision AND kind = 'entries' AND object_id IN :ids
    """
    db.run(sql, user_id=user_id, revision=revision, ids=entry_ids)
    changes.set_aside(db, user_id)
