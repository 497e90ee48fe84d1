"""Shows import jobs."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.attachments import store as attachments
from farthing.books.attachments.model import Attachment, Model
from farthing.care.watch import room
from farthing.http.answer.document import Thing
from farthing.http.answer.includes import registry
from farthing.http.request.call import Call
from farthing.kernel.shown import Dated, Instant, show_as
from farthing.moving.findings import Finding
from farthing.moving.import_jobs.model import FINDINGS_MAX, ImportJob, ImportState
from farthing.moving.rows import made_objects
from farthing.moving.rows.options import ImportCounts

from ..resources.lists import make_thing
from .attachments import relate
from .users import USER


class ImportCountsShown(Struct, gc=False):
    read: int
    new: int
    duplicate: int
    linked: int
    rejected: int


class FindingShown(Struct, gc=False):
    """`row` is null if the finding is about the whole file."""

    row: int | None
    field: str | None
    message: str
    rejected: bool


class ImportFileShown(Struct, gc=False):
    attachment_id: int
    filename: str
    size: int
    sha256: str


class RowValuesShown(Struct, gc=False):
    """Shows the values that were chosen for a row. Null keeps that of the file."""

    category_name: str | None
    payee_name: str | None
    budget_name: str | None
    tags: list[str] | None


class ImportOptionsShown(Struct, gc=False):
    partial: bool
    deleted: str
    link: str
    move_opening_balances: bool
    rows: dict[str, str]
    values: dict[str, RowValuesShown]
    kinds: dict[str, str]


class ImportJobAttributes(Dated, gc=False):
    state: str
    format: str | None
    account_id: int | None
    mapping: dict[str, Any]
    options: ImportOptionsShown
    counts: ImportCountsShown
    findings: list[FindingShown]
    progress: int
    files: list[ImportFileShown]
    detected: dict[str, Any]
    made: dict[str, int]
    report: dict[str, Any] | None
    started_at: Instant | None
    finished_at: Instant | None


ImportJobThing = Thing[ImportJobAttributes]
_NO_ROOM = Finding(message="The disk of the server is full. The import continues as soon as there is room.")


def things(call: Call, jobs: Sequence[ImportJob], *, findings_max: int = FINDINGS_MAX + 1) -> list[ImportJobThing]:
    ids = [job.id for job in jobs]
    files = attachments.of_targets(call.db, call.user_id, Model.IMPORT_JOB, ids)
    made = made_objects.count_made(call.db, call.user_id, ids)
    condition = (_NO_ROOM,) if tell_condition(call) else ()

    def show(job: ImportJob) -> ImportJobAttributes:
        return _show(call, _add(job, condition), files.get(job.id, ()), made.get(job.id, {}), findings_max)

    return [make_thing(call, "import_jobs", job.id, show(job)) for job in jobs]


def tell_condition(call: Call) -> str:
    """Returns what running imports are waiting for, if anything.

    The condition cannot be stored in the database, because it occurs when the disk is full.
    """
    return "no room" if room.is_waited_for(call.settings.data) else ""


def _add(job: ImportJob, condition: tuple[Finding, ...]) -> ImportJob:
    """Adds the condition that delays a running import, as the first of the import's findings."""
    if job.state is not ImportState.RUNNING:
        return job
    return replace(job, findings=(*condition, *job.findings))


def _show(
    call: Call, job: ImportJob, attached: Sequence[Attachment], made: dict[str, int], findings_max: int
) -> ImportJobAttributes:
    options = job.options
    return show_as(
        ImportJobAttributes,
        job,
        state=job.state.value,
        options=show_as(
            ImportOptionsShown,
            options,
            deleted=options.deleted.value,
            link=options.link.value,
            values={row: show_as(RowValuesShown, values) for row, values in options.values.items()},
        ),
        counts=show_counts(job.counts),
        findings=show_findings(call, job.findings[:findings_max]),
        files=[
            show_as(ImportFileShown, attachment.upload, attachment_id=attachment.id, filename=attachment.filename)
            for attachment in attached
            if attachment.upload and attachment.id in job.file_ids
        ],
        made=made,
        report=_show_report(job, whole=findings_max > FINDINGS_MAX),
    )


def _show_report(job: ImportJob, *, whole: bool) -> dict[str, Any] | None:
    """Shows the report. In a list of jobs, omits its balances, because there can be thousands."""
    if job.report is None:
        return None
    return {name: value for name, value in job.report.items() if whole or name != "balances"}


def show_counts(counts: ImportCounts) -> ImportCountsShown:
    return show_as(ImportCountsShown, counts)


def show_findings(call: Call, findings: Sequence[Finding]) -> list[FindingShown]:
    return [
        show_as(FindingShown, finding, message=call.say(finding.message), rejected=finding.rejects)
        for finding in findings
    ]


INCLUDES = registry(USER, relate(Model.IMPORT_JOB, lambda job: job.id))
