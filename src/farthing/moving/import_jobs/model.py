"""Defines import jobs and what may be done in each of their states."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from farthing.kernel.errors import Conflict

from ..findings import Finding
from ..rows.options import ImportCounts, ImportOptions

# Findings beyond this number are not stored.
FINDINGS_MAX = 500


class ImportState(StrEnum):
    """`uploaded` means that something is missing before the job can run, such as the account; the findings say what."""

    UPLOADED = "uploaded"
    READY = "ready"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    UNDONE = "undone"


CHANGEABLE = frozenset((ImportState.UPLOADED, ImportState.READY, ImportState.FAILED))
RUNNABLE = frozenset((ImportState.READY, ImportState.FAILED))


class ImportJobDraft(Struct, frozen=True, kw_only=True):
    """Combines the user's settings with the results of examining the files. `file_ids` are the attachments to read.
    `layout` identifies files with the same columns. `detected` has further results, to help the user choose settings.
    """

    state: ImportState
    format: str | None
    account_id: int | None
    mapping: Mapping[str, Any]
    options: ImportOptions
    file_ids: tuple[int, ...]
    layout: str | None = None
    detected: Mapping[str, Any] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


class ImportJob(ImportJobDraft, frozen=True, kw_only=True):
    id: int
    total: int | None
    counts: ImportCounts
    report: Mapping[str, Any] | None
    created_at: str
    updated_at: str
    started_at: str | None
    finished_at: str | None

    @property
    def given(self) -> Mapping[str, Any] | None:
        """Returns the user's settings of the mapping, which are kept; in jobs of earlier versions, all settings."""
        user_mapping: Mapping[str, Any] | None = self.detected.get("given", self.mapping or None)
        return user_mapping

    @property
    def has_only_descriptions(self) -> bool:
        """Tells whether the files have no column for payees, so that these are taken from the descriptions."""
        columns = self.mapping.get("columns", {})
        return bool(columns) and columns.keys().isdisjoint(("payee", "payer"))

    @property
    def progress(self) -> int:
        if self.state in (ImportState.DONE, ImportState.UNDONE):
            return 100
        return min(100, 100 * self.counts.read // self.total) if self.total else 0


def refuse_state(job: ImportJob, allowed: frozenset[ImportState], doing: str) -> None:
    """Raises Conflict unless the job is in an allowed state. `doing` completes the words "cannot be"."""
    if job.state in allowed:
        return
    if job.state == ImportState.UPLOADED:
        missing = " ".join(finding.message for finding in job.findings if finding.rejects) or "Upload its file first."
        raise Conflict(f"This import cannot be {doing} yet. {missing}")
    raise Conflict(f"This import cannot be {doing}: it is {_SAID[job.state]}.")


_SAID = {
    ImportState.READY: "not done yet",
    ImportState.RUNNING: "running",
    ImportState.DONE: "done",
    ImportState.FAILED: "failed",
    ImportState.UNDONE: "undone already",
}


def add_findings(findings: tuple[Finding, ...], more: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Joins findings, up to the limit. If there are more, adds a last finding that says so."""
    if not more or (len(findings) > FINDINGS_MAX):
        return findings
    joined = (*findings, *more)
    if len(joined) <= FINDINGS_MAX:
        return joined
    return (
        *joined[:FINDINGS_MAX],
        Finding(message=f"There are more findings; only the first {FINDINGS_MAX} are kept."),
    )
