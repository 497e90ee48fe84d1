"""Stores import jobs."""

from typing import Any

import msgspec

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


def get(db: Unit, user_id: int, job_id: int) -> ImportJob | None:
    return db.struct(ImportJob, f"{_JOB} WHERE user_id = :user_id AND id = :id", user_id=user_id, id=job_id)


def page(db: Unit, user_id: int, *, limit: int, offset: int) -> tuple[int, list[ImportJob]]:
    """Lists the newest jobs first."""
    mine = "user_id = :user_id"
    return page_of(db, ImportJob, _JOB, "import_jobs", mine, "id DESC", limit=limit, offset=offset, user_id=user_id)


def find_layout(db: Unit, user_id: int, layout: str, account_id: int | None) -> ImportJob | None:
    """Finds the last completed import of a file with these columns, preferably of the same account."""
    return db.struct(
        ImportJob,
        f"""
        {_JOB} WHERE user_id = :user_id AND layout = :layout AND state = 'done'
        ORDER BY CASE WHEN account_id = :account_id THEN 0 ELSE 1 END, id DESC LIMIT 1
        """,
        user_id=user_id,
        layout=layout,
        account_id=account_id,
    )


_SET = ("state", "format", "account_id", "mapping", "options", "file_ids", "layout", "detected", "findings")
_ADD = f"""
INSERT INTO import_jobs (user_id, {", ".join(_SET)}, created_at, updated_at)
VALUES (:user_id, {", ".join(f":{column}" for column in _SET)}, :now, :now) RETURNING id
"""
_CHANGE = f"""
UPDATE import_jobs SET {", ".join(f"{column} = :{column}" for column in _SET)}, updated_at = :now
WHERE user_id = :user_id AND id = :id
"""


def add(db: Unit, user_id: int, draft: ImportJobDraft, now: str) -> int:
    job_id = int(db.value(_ADD, user_id=user_id, now=now, **_columns(draft)))
    changes.log_created(db, "import_jobs", [job_id])
    return job_id


def change(db: Unit, user_id: int, job_id: int, draft: ImportJobDraft, now: str) -> None:
    changes.log_changing(db, "import_jobs", "id = :id", id=job_id)
    db.run(_CHANGE, user_id=user_id, id=job_id, now=now, **_columns(draft))


def set_files(db: Unit, user_id: int, job_id: int, file_ids: tuple[int, ...]) -> None:
    """Records the files of a job that this unit of work has made: they are stored under the id of the job."""
    db.run(
        "UPDATE import_jobs SET file_ids = :file_ids WHERE user_id = :user_id AND id = :id",
        user_id=user_id,
        id=job_id,
        file_ids=_encode(file_ids),
    )


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


def start(db: Unit, user_id: int, job_id: int, options: ImportOptions, now: str) -> None:
    """Starts a run. From now on the log of changes records only its undo, because nobody wants to undo its progress.

    The start itself is logged, so that nobody can undo earlier changes while it runs, or later.
    """
    changes.log_changing(db, "import_jobs", "id = :id", id=job_id)
    db.run(
        """
        UPDATE import_jobs SET state = 'running', options = :options, findings = '[]', report = NULL, rows_total = NULL,
            rows_read = 0, rows_new = 0, rows_duplicate = 0, rows_linked = 0, rows_rejected = 0,
            started_at = :now, finished_at = NULL, updated_at = :now
        WHERE user_id = :user_id AND id = :id
        """,
        user_id=user_id,
        id=job_id,
        options=_encode(options),
        now=now,
    )


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
    db.run(
        """
        UPDATE import_jobs SET rows_total = COALESCE(:total, rows_total), rows_read = :read, rows_new = :new,
            rows_duplicate = :duplicate, rows_linked = :linked, rows_rejected = :rejected, findings = :findings,
            updated_at = :now
        WHERE user_id = :user_id AND id = :id
        """,
        user_id=user_id,
        id=job_id,
        total=total,
        read=counts.read,
        new=counts.new,
        duplicate=counts.duplicate,
        linked=counts.linked,
        rejected=counts.rejected,
        findings=_encode(findings),
        now=now,
    )


def set_findings(db: Unit, user_id: int, job_id: int, findings: tuple[Finding, ...], now: str) -> None:
    db.run(
        "UPDATE import_jobs SET findings = :findings, updated_at = :now WHERE user_id = :user_id AND id = :id",
        user_id=user_id,
        id=job_id,
        findings=_encode(findings),
        now=now,
    )


def set_state(db: Unit, user_id: int, job_id: int, state: ImportState, now: str) -> None:
    db.run(
        """
        UPDATE import_jobs SET state = :state, findings = '[]', updated_at = :now
        WHERE user_id = :user_id AND id = :id
        """,
        user_id=user_id,
        id=job_id,
        state=state.value,
        now=now,
    )


def finish(
    db: Unit, user_id: int, job_id: int, state: ImportState, now: str, *, report: dict[str, Any] | None = None
) -> None:
    db.run(
        """
        UPDATE import_jobs SET state = :state, report = COALESCE(:report, report), finished_at = :now, updated_at = :now
        WHERE user_id = :user_id AND id = :id
        """,
        user_id=user_id,
        id=job_id,
        state=state.value,
        report=_encode(report) if report else None,
        now=now,
    )


def mark_undone(db: Unit, user_id: int, job_id: int, now: str) -> None:
    changes.log_changing(db, "import_jobs", "id = :id", only=("state", "updated_at"), id=job_id)
    db.run(
        "UPDATE import_jobs SET state = 'undone', updated_at = :now WHERE user_id = :user_id AND id = :id",
        user_id=user_id,
        id=job_id,
        now=now,
    )


def remove(db: Unit, user_id: int, job_id: int) -> None:
    """Removes the job. Its imported rows are kept, so that they are recognized when they come again."""
    changes.log_removing(db, "import_jobs", "id = :id", id=job_id)
    db.run("DELETE FROM import_jobs WHERE user_id = :user_id AND id = :id", user_id=user_id, id=job_id)


def _encode(value: object) -> str:
    return msgspec.json.encode(value).decode()
