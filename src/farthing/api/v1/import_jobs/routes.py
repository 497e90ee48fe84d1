"""Serves import jobs."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from farthing.books.accounts import store as accounts
from farthing.books.attachments import mime
from farthing.books.attachments import store as attachments
from farthing.books.attachments.model import Model, UploadedFile
from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import CURRENCY
from farthing.books.transactions.model import OWN
from farthing.http.answer.pages import read_page_request
from farthing.http.request.call import NOTHING, Answer, Call, Received
from farthing.http.resources.lists import answer_page
from farthing.http.route import FLAG_SCHEMA, LARGE, PAGED, Before, FileUpload, Mode, Parameter, Runs
from farthing.identity.user import Share
from farthing.kernel.errors import Conflict, Forbidden, Invalid, Problem, TooLarge, refuse
from farthing.kernel.fields import parse
from farthing.kernel.parsed import Parsed, ensure
from farthing.moving.import_jobs import asking, lifecycle, opening_balances, preview, queueing, store
from farthing.moving.import_jobs.asking import ExamineRequest, PreviewRequest
from farthing.moving.import_jobs.examine import FileExamination
from farthing.moving.import_jobs.files import FILE_DELETED, NAMELESS, ImportFile, attach_file, list_files
from farthing.moving.import_jobs.first_rows import ReadFile
from farthing.moving.import_jobs.formats import OWN_ARCHIVE
from farthing.moving.import_jobs.model import (
    CHANGEABLE,
    RUNNABLE,
    ImportJob,
    ImportState,
    refuse_state,
)
from farthing.moving.import_runs import undo as undoing
from farthing.moving.rows.options import ImportOptions

from ..changes.routes import refuse_beyond_role
from ..resources.resource import Resource
from ..serializers import attachments as attached_objects
from ..serializers.import_jobs import INCLUDES, ImportJobThing, tell_condition, things
from . import preview as preview_wire
from . import wire

# A list shows only the first findings of each job.
_LISTED_FINDINGS_MAX = 20


def index(call: Call) -> Answer:
    listed = partial(things, findings_max=_LISTED_FINDINGS_MAX)
    return answer_page(call, "/import_jobs", store.page, listed, INCLUDES)


def create(call: Call) -> Answer:
    """Creates a job. A file in the same request is examined at once; a job without a file waits for an upload."""
    parsed = parse(wire.NewImportJobBody, wire.without_objects(call.fields))
    mapping, problems = wire.read_mapping(call.fields)
    options, wrong = wire.read_options(call.fields, ImportOptions())
    parsed.report_all(
        [*problems, *wrong, *_file_problems(call.received), *_account_problems(call, parsed.values.account_id)]
    )
    source = parsed.values.source
    if source:
        _check_source(parsed, call.received)
    parsed.finish()
    if source:
        url, token = ensure(source.url), ensure(source.token)
        return JOBS.answer_with(call, lifecycle.start_fetching(call.db, call.user_id, url, token, options, call.now))
    found_out = _take_examination(call)
    refuse(lifecycle.find_rows_problems(found_out.format, options, "options.rows"))
    draft = lifecycle.make_draft(
        call.db,
        call.user_id,
        found_out,
        account_id=parsed.values.account_id,
        mapping=mapping,
        options=options,
        hashes=_hashes(call),
    )
    job_id = store.add(call.db, call.user_id, draft, call.now)
    if call.received:
        file_id = _attach(call, job_id, call.received, parsed.values.filename)
        store.set_files(call.db, call.user_id, job_id, (file_id,))
    return JOBS.answer_with(call, job_id)


def _hashes(call: Call) -> list[str]:
    """Returns the hash of the file in this request, by which an earlier import of the same file is recognized."""
    return [call.received.content.sha256] if call.received else []


def _check_source(parsed: Parsed[wire.NewImportJobBody], received: Received | None) -> None:
    source = parsed.values.source
    for name in ("url", "token"):
        if not getattr(source, name):
            parsed.report(f"source.{name}", f"The {name} of the source is required.")
    if received:
        parsed.report("source", "Send either a file or a source.")
    if parsed.values.format not in (None, queueing.FETCHED_FORMAT):
        parsed.report("format", f"Only {queueing.FETCHED_FORMAT} can be fetched from a running server.")


def change(call: Call) -> Answer:
    """Changes a job. Omitted fields are kept.

    The files are examined again, because their mapping or format may have changed.
    """
    job = JOBS.find(call)
    refuse_state(job, CHANGEABLE, "changed")
    parsed = parse(wire.ImportJobBody, wire.without_objects(call.fields))
    mapping, problems = _read_mapping(call.fields, job)
    options, wrong = wire.read_options(call.fields, job.options)
    parsed.report_all([*problems, *wrong, *_account_problems(call, parsed.values.account_id)])
    found_out = _take_examination(call)
    parsed.report_all(lifecycle.find_rows_problems(found_out.format, options, "options.rows"))
    if mapping is not None:
        parsed.report_all(problem for problem in found_out.problems if wire.is_about(problem.field, mapping))
    parsed.finish()
    draft = lifecycle.make_draft(
        call.db,
        call.user_id,
        found_out,
        account_id=parsed.values.account_id or job.account_id,
        mapping=mapping if mapping is not None else job.given,
        options=options,
        file_ids=job.file_ids,
    )
    store.change(call.db, call.user_id, job.id, draft, call.now)
    return JOBS.answer_with(call, job.id)


def upload(call: Call) -> Answer:
    """Adds a file to the job."""
    job = _find_uploadable(call)
    assert call.received is not None, "the body is the file, or has it as a part"
    refuse(_file_problems(call.received))
    filename = call.query.get("filename") or str(call.fields.get("filename") or "")
    file_id = _attach(call, job.id, call.received, filename)
    draft = lifecycle.make_draft(
        call.db,
        call.user_id,
        _take_examination(call),
        account_id=job.account_id,
        mapping=job.given,
        options=job.options,
        file_ids=(*job.file_ids, file_id),
        hashes=_hashes(call),
    )
    store.change(call.db, call.user_id, job.id, draft, call.now)
    return JOBS.answer_with(call, job.id)


def show_preview(call: Call) -> Answer:
    job = JOBS.find(call)
    _refuse_unready(job)
    options = wire.asked_options(call.query, call.fields, job.options)
    refuse(lifecycle.find_rows_problems(job.format, options, "rows"))
    assert isinstance(call.prepared, ReadFile), "the file was read before"
    at = read_page_request(call)
    rows = preview.make(call.db, call.user_id, job, options, call.prepared, offset=at.offset, limit=at.size)
    return Answer(preview_wire.show(call, job, rows))


def start(call: Call) -> Answer:
    job = JOBS.find(call)
    _refuse_archive_by_role(call, job)
    refuse_state(job, RUNNABLE, "run")
    if not job.file_ids:
        raise Conflict("This import cannot run: it has no file.")
    options = wire.asked_options(call.query, call.fields, job.options)
    refuse(lifecycle.find_rows_problems(job.format, options, "rows"))
    has_full_access = call.caller.share in (None, Share.FULL)
    lifecycle.start(call.db, call.user_id, job.id, options, call.now, has_full_access=has_full_access)
    return JOBS.answer_with(call, job.id)


def undo(call: Call) -> Answer:
    job = JOBS.find(call)
    _refuse_archive_by_role(call, job)
    sent = parse(wire.UndoBody, {**call.query, **call.fields})
    sent.finish()
    undoing.undo(call.db, call.user_id, job, call.now, force=bool(sent.values.force))
    refuse_beyond_role(call)
    return JOBS.answer_with(call, job.id)


def show_openings(call: Call) -> Answer:
    clashes = opening_balances.find_booked(call.db, call.user_id, JOBS.find(call).id)
    return Answer(preview_wire.OpeningClashes([preview_wire.show_clash(clash) for clash in clashes]))


def move_openings(call: Call) -> Answer:
    """Moves opening balances to a day before the imported transactions. Undoing the import moves them back."""
    job = JOBS.find(call)
    refuse_state(job, frozenset((ImportState.DONE,)), "given another opening balance")
    opening_balances.move(call.db, call.user_id, job, call.now)
    return JOBS.answer_with(call, job.id)


def remove(call: Call) -> Answer:
    """Deletes the job and its files. The transactions that the job has imported stay."""
    job = JOBS.find(call)
    refuse_state(job, frozenset(ImportState) - {ImportState.RUNNING}, "deleted")
    attachments.remove_of(call.db, call.user_id, Model.IMPORT_JOB, [job.id])
    store.remove(call.db, call.user_id, job.id)
    return NOTHING


def _refuse_archive_by_role(call: Call, job: ImportJob) -> None:
    """Refuses callers without full access, because an archive contains preferences and all accounts."""
    if job.format == OWN_ARCHIVE:
        call.full_access_only("import a whole archive, or undo its import")


def _find_uploadable(call: Call) -> ImportJob:
    job = JOBS.find(call)
    refuse_state(job, CHANGEABLE, "given another file")
    return job


def _refuse_unready(job: ImportJob) -> None:
    """Refuses a preview if the file cannot be read yet, or while the import runs."""
    if job.state == ImportState.UPLOADED:
        refuse_state(job, RUNNABLE, "previewed")
    if job.state == ImportState.RUNNING:
        raise Conflict("This import cannot be previewed: it is running.")


def _account_problems(call: Call, account_id: int | None) -> list[Problem]:
    if account_id is None:
        return []
    account = accounts.get(call.db, call.user_id, account_id)
    if account and account.kind in OWN:
        return []
    reason = "it must be an asset account or a liability" if account else "there is no such account"
    return [Problem("account_id", f"The selected account id is invalid: {reason}.")]


def _file_problems(received: Received | None) -> list[Problem]:
    if received is None or received.content.size:
        return []
    return [Problem(wire.FILE_PART, "The file is empty.")]


def _attach(call: Call, job_id: int, received: Received, filename: str | None) -> int:
    content = received.content
    upload = UploadedFile(sha256=content.sha256, md5=content.md5, mime=received.mime, size=content.size)
    return attach_file(call.db, call.user_id, job_id, upload, filename, call.now)


def _ask_examination(call: Call) -> ExamineRequest | None:
    """Returns what to examine. Problems of the request are ignored here, because the handler reports them."""
    job = store.get(call.db, call.user_id, call.id) if "id" in call.path else None
    fields = call.fields if isinstance(call.body, dict) else {}
    mapping, _ = _read_mapping(fields, job)
    files = list_files(call.db, call.user_id, job) if job else []
    if call.received and call.received.content.size:
        name = call.query.get("filename") or str(fields.get("filename") or NAMELESS)
        files.append(ImportFile(name=name, user_id=call.user_id, sha256=call.received.content.sha256))
    sent = parse(wire.ImportJobBody, wire.without_objects(fields)).values
    return ExamineRequest(
        settings=call.settings,
        files=tuple(files),
        format=sent.format or (job.format if job and "format" not in fields else None),
        mapping=mapping if mapping is not None else job.given if job else None,
    )


def _read_mapping(
    fields: Mapping[str, object], job: ImportJob | None
) -> tuple[Mapping[str, Any] | None, list[Problem]]:
    mapping, problems = wire.read_mapping(fields)
    return (lifecycle.leave_out_shown(job, mapping) if job and mapping else mapping), problems


def _take_examination(call: Call) -> FileExamination:
    assert isinstance(call.prepared, FileExamination), "the files were examined before"
    return call.prepared


def _ask_preview(call: Call) -> PreviewRequest | None:
    job = JOBS.find(call)
    _refuse_unready(job)
    files = list_files(call.db, call.user_id, job)
    if len(files) < len(job.file_ids):
        raise Conflict(FILE_DELETED)
    currency = str(preferences.values(call.db, call.user_id, [CURRENCY])[CURRENCY])
    return PreviewRequest(settings=call.settings, files=tuple(files), job=job, currency=currency)


def _check_new(call: Call) -> None:
    refuse(_file_problems(call.received))


_EXAMINED = Before(ask=_ask_examination, compute=asking.examine, mode=Mode.READ, reads=True, key=asking.key_of)
_READ = Before(ask=_ask_preview, compute=asking.read_first, mode=Mode.READ, reads=True)
_LIVE = Runs(varies=tell_condition)
_WITH_FILE = FileUpload(
    check=_check_new,
    reserve=attached_objects.reserve,
    examine=mime.of,
    fields=wire.NewImportJobBody,
    part=wire.FILE_PART,
    names="filename",
)
_FILE = FileUpload(
    check=_find_uploadable,
    reserve=attached_objects.reserve,
    examine=mime.of,
    part=wire.FILE_PART,
    or_whole=True,
    names="filename",
)
_FILENAME = Parameter(
    "filename", {"type": "string"}, "The name of the file, for requests whose body is the file itself."
)
_OPTIONS = (
    Parameter("partial", FLAG_SCHEMA, "Imports the valid rows even if others are invalid. Invalid rows are reported."),
    Parameter(
        "deleted",
        {"type": "string", "enum": ["skip", "again"]},
        "With `again`, rows whose transactions have been deleted are imported again.",
    ),
    Parameter(
        "link",
        {"type": "string", "enum": ["offer", "sure"]},
        "With `sure`, a row is linked if it matches exactly one transaction.",
    ),
)
_FORCE = Parameter("force", FLAG_SCHEMA, "Also deletes imported transactions that have been changed since the import.")
JOBS: Resource[ImportJob, Any] = Resource(
    path="/import_jobs",
    shows=ImportJobThing,
    things=things,
    get=store.get,
    takes=wire.ImportJobBody,
    includes=INCLUDES,
)

ROUTES = (
    JOBS.index("List import jobs, newest first", handler=index, runs=_LIVE),
    JOBS.create(
        "Create an import job; its file may be sent now or uploaded later",
        handler=create, takes=_WITH_FILE, runs=Runs(before=_EXAMINED),
    ),
    JOBS.show("Show an import job", runs=_LIVE),
    JOBS.change(
        "Change an import job before it runs; omitted fields are kept",
        handler=change, fails=(Conflict,), runs=Runs(before=_EXAMINED),
    ),
    JOBS.remove("Delete an import job with its files; imported transactions stay", handler=remove, fails=(Conflict,)),
    JOBS.act(
        "upload", upload, "Upload a file for an import job", includes={}, takes=_FILE, parameters=(_FILENAME,),
        fails=(Conflict, Invalid, TooLarge), runs=Runs(before=_EXAMINED),
    ),
    JOBS.own(
        "POST", "preview", show_preview, "Show what an import would do, row by row", *PAGED, *_OPTIONS,
        gives=preview_wire.ImportPreview, takes=wire.OptionsBody, fails=(Conflict,),
        runs=Runs(mode=Mode.READ, large=True, before=_READ),
    ),
    JOBS.act(
        "run", start, "Run an import in the background",
        takes=wire.OptionsBody, parameters=_OPTIONS, fails=(Forbidden, Conflict),
    ),
    JOBS.act(
        "undo", undo, "Undo an import as one change",
        takes=wire.UndoBody, parameters=(_FORCE,), fails=(Forbidden, Conflict), runs=LARGE,
    ),
    JOBS.own(
        "GET", "opening_balances", show_openings, "List opening balances that are dated after imported transactions",
        gives=preview_wire.OpeningClashes,
    ),
    JOBS.act(
        "move_opening_balances", move_openings, "Move opening balances to before the imported transactions",
        fails=(Conflict,),
    ),
    attached_objects.list_route(JOBS, Model.IMPORT_JOB, "List the attachments of an import job"),
)  # fmt: skip
