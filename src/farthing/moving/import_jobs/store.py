"""Stores import jobs."""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from farthing.storage import tables
from farthing.storage.change_log import changes
from farthing.storage.unit import Unit, page_of

from ..findings import Finding
from ..rows.options import ImportCounts, ImportOptions
from .model import ImportJob, ImportJobDraft, ImportState

_JOB = """
SELECT id, state, format, account_id, mapping, options, file_ids, layout, detected, rows_total AS total,
    rows_read AS "counts.read", rows_new AS "counts.new", rows_duplicate AS "counts.duplicate",
    rows_linked AS "counts.linked", rows_rejected AS "counts.rejected", findings, report, created_at, updated_at,
    started_at, finished_at
FROM import_jobs
"""


# A file is recognized if it was in one of this many latest imports.
_REMEMBERED_MAX = 100


def get(db: Unit, user_id: int, job_id: int) -> ImportJob | None:
    return db.struct(ImportJob, f"{_JOB} WHERE user_id = :user_id AND id = :id", user_id=user_id, id=job_id)


def get_some(db: Unit, user_id: int, ids: Collection[int]) -> list[ImportJob]:
    return db.structs(ImportJob, f"{_JOB} WHERE user_id = :user_id AND id IN :ids", user_id=user_id, ids=sorted(ids))


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[ImportJob]]:
    """Returns the number of all jobs, and one page of them, the newest first."""
    mine = "user_id = :user_id"
    return page_of(db, ImportJob, _JOB, "import_jobs", mine, "id DESC", limit=limit, offset=offset, user_id=user_id)


def find_layout(db: Unit, user_id: int, layout: str, account_id: int | None) -> ImportJob | None:
    """Finds the last completed import of a file with the same columns, preferably for the same account.

    An import that was undone is also remembered.
    """
    sql = f"""
    {_JOB} WHERE user_id = :user_id AND layout = :layout AND state IN ('done', 'undone')
    ORDER BY CASE WHEN account_id = :account_id THEN 0 ELSE 1 END, id DESC LIMIT 1
    """
    return db.struct(ImportJob, sql, user_id=user_id, layout=layout, account_id=account_id)


def find_account_of_file(db: Unit, user_id: int, hashes: Sequence[str]) -> int | None:
    """Finds the account into which one of these files was last imported, if that import was undone.

    If it was not undone, the file may be for another account, because some banks write equal files for two accounts.
    """
    sql = """
    SELECT j.account_id, j.state FROM (
        SELECT * FROM import_jobs WHERE user_id = :user_id AND state IN ('done', 'undone') ORDER BY id DESC LIMIT :most
    ) AS j
    JOIN attachments f ON f.user_id = j.user_id AND f.import_job_id = j.id
    JOIN accounts a ON a.user_id = j.user_id AND a.id = j.account_id
    WHERE f.sha256 IN :hashes ORDER BY j.id DESC LIMIT 1
    """
    rows = db.all(sql, user_id=user_id, hashes=list(hashes), most=_REMEMBERED_MAX)
    return rows[0][0] if rows and rows[0][1] == ImportState.UNDONE else None


def add(db: Unit, user_id: int, draft: ImportJobDraft, now: str) -> int:
    return changes.insert(db, "import_jobs", user_id, _columns(draft), now)


def change(db: Unit, user_id: int, job_id: int, draft: ImportJobDraft, now: str) -> None:
    changes.update(db, "import_jobs", user_id, "id = :id", _columns(draft), now=now, id=job_id)


def _columns(draft: ImportJobDraft) -> dict[str, Any]:
    return {
        "state": draft.state.value,
        "format": draft.format,
        "account_id": draft.account_id,
        "mapping": _encode(draft.mapping),
        "options": _encode(draft.options),
        "file_ids": _encode(draft.file_ids),
        "layout": draft.layout,
        "detected": _encode(draft.detected),
        "findings": _encode(draft.findings),
    }


def set_files(db: Unit, user_id: int, job_id: int, file_ids: Sequence[int]) -> None:
    """Records the file ids of a job, after its files have been stored as attachments of the job."""
    _set(db, user_id, job_id, file_ids=_encode(file_ids))


def start(db: Unit, user_id: int, job_id: int, options: ImportOptions, now: str) -> None:
    """Starts a run. The start is logged, so that earlier changes to the job can no longer be undone. The progress of
    the run is not logged, because nobody wants to undo that.
    """
    begun = {"state": ImportState.RUNNING.value, "started_at": now, "options": _encode(options), "findings": "[]"}
    none = {"report": None, "rows_total": None, "finished_at": None, **_count_columns(ImportCounts())}
    changes.update(db, "import_jobs", user_id, "id = :id", begun | none, now=now, id=job_id)


def note_progress(
    db: Unit,
    user_id: int,
    job_id: int,
    counts: ImportCounts,
    findings: tuple[Finding, ...],
    now: str,
    *,
    total: int | None = None,
) -> None:
    totals = {} if total is None else {"rows_total": total}
    _set(db, user_id, job_id, findings=_encode(findings), updated_at=now, **_count_columns(counts), **totals)


def set_findings(db: Unit, user_id: int, job_id: int, findings: tuple[Finding, ...], now: str) -> None:
    _set(db, user_id, job_id, findings=_encode(findings), updated_at=now)


def set_state(
    db: Unit, user_id: int, job_id: int, state: ImportState, now: str, *, findings: tuple[Finding, ...] = ()
) -> None:
    _set(db, user_id, job_id, state=state.value, findings=_encode(findings), updated_at=now)


def finish(
    db: Unit, user_id: int, job_id: int, state: ImportState, now: str, *, report: dict[str, Any] | None = None
) -> None:
    reports = {"report": _encode(report)} if report else {}
    _set(db, user_id, job_id, state=state.value, finished_at=now, updated_at=now, **reports)


class ImportEnd(Struct, frozen=True):
    """Says how an import has ended."""

    id: int
    state: str
    finished_at: str
    rows_new: int


def list_ended(db: Unit, user_id: int, since: str) -> list[ImportEnd]:
    """Lists the imports that have ended since then, in this order."""
    sql = f"""
        SELECT {tables.columns_of(ImportEnd)} FROM import_jobs
        WHERE user_id = :user_id AND finished_at >= :since AND state IN ('done', 'failed') ORDER BY finished_at, id
    """
    return db.structs(ImportEnd, sql, user_id=user_id, since=since)


def mark_undone(db: Unit, user_id: int, job_id: int, now: str) -> None:
    undone = {"state": ImportState.UNDONE.value, "updated_at": now}
    changes.update(db, "import_jobs", user_id, "id = :id", undone, narrow=True, id=job_id)


def remove(db: Unit, user_id: int, job_id: int) -> None:
    """Removes the job. Its imported rows are kept, so that they are recognized if they are imported again."""
    changes.delete(db, "import_jobs", user_id, "id = :id", id=job_id)


def _set(db: Unit, user_id: int, job_id: int, **values: Any) -> None:
    """Sets columns without logging the change."""
    sets = ", ".join(f"{column} = :{column}" for column in values)
    db.run(f"UPDATE import_jobs SET {sets} WHERE user_id = :user_id AND id = :id", user_id=user_id, id=job_id, **values)


def _count_columns(counts: ImportCounts) -> dict[str, int]:
    return {f"rows_{name}": getattr(counts, name) for name in counts.__struct_fields__}


def _encode(value: object) -> str:
    return msgspec.json.encode(value).decode()
