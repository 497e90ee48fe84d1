"""Serves import jobs."""

from collections.abc import Mapping
from typing import Any

from farthing.books.accounts import store as accounts
from farthing.books.attachments import contents, mime
from farthing.books.attachments import store as attachments
from farthing.books.attachments.model import AttachmentTarget, Model
from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import CURRENCY
from farthing.books.transactions.model import OWN
from farthing.http.answer.document import Item, Page
from farthing.http.answer.includes import answer
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import NOTHING, Answer, Call, Received, or_404
from farthing.http.route import FLAG_SCHEMA, LARGE, PAGED, Before, Mode, Parameter, Route, Runs, Upload
from farthing.identity.user import Share
from farthing.kernel.errors import Conflict, Forbidden, Invalid, Problem, TooLarge, refuse
from farthing.kernel.fields import parse
from farthing.kernel.parsed import Parsed, ensure
from farthing.moving.findings import Finding
from farthing.moving.import_jobs import asking, lifecycle, preview, queueing, store
from farthing.moving.import_jobs.asking import ExamineRequest, PreviewRequest, StoredFile
from farthing.moving.import_jobs.examine import Examination
from farthing.moving.import_jobs.first_rows import ReadFile
from farthing.moving.import_jobs.model import (
    CHANGEABLE,
    RUNNABLE,
    ImportJob,
    ImportJobDraft,
    ImportState,
    refuse_state,
)
from farthing.moving.import_jobs.reading import OWN_ARCHIVE
from farthing.moving.import_runs import undo as undoing
from farthing.moving.rows.options import ImportOptions
from farthing.storage import queue

from ..changes.rights import refuse_beyond_role
from ..objects import attachments as attached_objects
from ..objects.import_jobs import INCLUDES, ImportJobThing, tell_condition, things
from . import preview as shown
from . import wire

# A list shows the first findings of each; the job itself shows all.
_LISTED_FINDINGS_MAX = 20


def index(call: Call) -> Answer:
    at = read_page_request(call)
    total, jobs = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    document = page(call, "/import_jobs", things(call, jobs, findings_max=_LISTED_FINDINGS_MAX), total)
    return answer(call, document, jobs, INCLUDES)


def show(call: Call) -> Answer:
    return _answer(call, _find(call).id)


def create(call: Call) -> Answer:
    """With a file in the same request it is examined at once; else it waits for one."""
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
        return _answer(call, _start_fetching(call, ensure(source.url), ensure(source.token), options))
    found_out = _examined(call)
    refuse(lifecycle.find_rows_problems(found_out.format, options, "options.rows"))
    draft = lifecycle.make_draft(
        call.db,
        call.user_id,
        found_out,
        account_id=parsed.values.account_id,
        mapping=mapping,
        options=options,
    )
    job_id = store.add(call.db, call.user_id, draft, call.now)
    if call.received:
        file_id = _attach(call, job_id, call.received, parsed.values.filename)
        store.set_files(call.db, call.user_id, job_id, (file_id,))
    return _answer(call, job_id)


def _check_source(parsed: Parsed[wire.NewImportJobBody], received: Received | None) -> None:
    source = parsed.values.source
    for name in ("url", "token"):
        if not getattr(source, name):
            parsed.report(f"source.{name}", f"The {name} of the source is required.")
    if received:
        parsed.report("source", "Send either a file or a source.")
    if parsed.values.format not in (None, queueing.FETCHED_FORMAT):
        parsed.report("format", f"Only {queueing.FETCHED_FORMAT} can be fetched from a running server.")


def _start_fetching(call: Call, url: str, token: str, options: ImportOptions) -> int:
    draft = ImportJobDraft(
        state=ImportState.UPLOADED,
        format=queueing.FETCHED_FORMAT,
        account_id=None,
        mapping={},
        options=options,
        file_ids=(),
        detected={"url": url},
        findings=(Finding(message="Waiting to fetch.", rejects=True),),
    )
    job_id = store.add(call.db, call.user_id, draft, call.now)
    queue.add(call.db, call.user_id, queueing.FETCH, job_id, queueing.fetch_data(url, token), call.now)
    return job_id


def change(call: Call) -> Answer:
    """What is left out stays as it is. The files are examined again, because their mapping or format may be another."""
    job = _find(call)
    refuse_state(job, CHANGEABLE, "changed")
    parsed = parse(wire.ImportJobBody, wire.without_objects(call.fields))
    mapping, problems = _read_mapping(call.fields, job)
    options, wrong = wire.read_options(call.fields, job.options)
    parsed.report_all([*problems, *wrong, *_account_problems(call, parsed.values.account_id)])
    found_out = _examined(call)
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
    return _answer(call, job.id)


def upload(call: Call) -> Answer:
    """A further file of the job, or its first."""
    job = _find_uploadable(call)
    assert call.received is not None, "the body is the file, or has it as a part"
    refuse(_file_problems(call.received))
    filename = call.query.get("filename") or str(call.fields.get("filename") or "")
    file_id = _attach(call, job.id, call.received, filename)
    draft = lifecycle.make_draft(
        call.db,
        call.user_id,
        _examined(call),
        account_id=job.account_id,
        mapping=job.given,
        options=job.options,
        file_ids=(*job.file_ids, file_id),
    )
    store.change(call.db, call.user_id, job.id, draft, call.now)
    return _answer(call, job.id)


def show_preview(call: Call) -> Answer:
    job = _find(call)
    _refuse_unready(job)
    options = wire.asked_options(call.query, call.fields, job.options)
    refuse(lifecycle.find_rows_problems(job.format, options, "rows"))
    assert isinstance(call.prepared, ReadFile), "the file was read before"
    at = read_page_request(call)
    made = preview.make(call.db, call.user_id, job, options, call.prepared, offset=at.offset, limit=at.size)
    return Answer(shown.show(call, job, made))


def start(call: Call) -> Answer:
    job = _find(call)
    _refuse_archive_by_role(call, job)
    refuse_state(job, RUNNABLE, "run")
    if not job.file_ids:
        raise Conflict("This import cannot be run: it has no file.")
    options = wire.asked_options(call.query, call.fields, job.options)
    refuse(lifecycle.find_rows_problems(job.format, options, "rows"))
    store.start(call.db, call.user_id, job.id, options, call.now)
    data = queueing.run_data(has_full_access=call.caller.share in (None, Share.FULL))
    queue.add(call.db, call.user_id, queueing.RUN, job.id, data, call.now)
    return _answer(call, job.id)


def undo(call: Call) -> Answer:
    job = _find(call)
    _refuse_archive_by_role(call, job)
    sent = parse(wire.UndoBody, {**call.query, **call.fields})
    sent.finish()
    undoing.undo(call.db, call.user_id, job, call.now, force=bool(sent.values.force))
    refuse_beyond_role(call)
    return _answer(call, job.id)


def remove(call: Call) -> Answer:
    """Its transactions stay; its files go with it."""
    job = _find(call)
    refuse_state(job, frozenset(ImportState) - {ImportState.RUNNING}, "deleted")
    attachments.remove_of_import_job(call.db, call.user_id, job.id)
    store.remove(call.db, call.user_id, job.id)
    return NOTHING


def attached(call: Call) -> Answer:
    job = _find(call)
    target = AttachmentTarget(model=Model.IMPORT_JOB, id=job.id)
    return attached_objects.answer_list(call, f"/import_jobs/{job.id}/attachments", target)


def _find(call: Call) -> ImportJob:
    return or_404(store.get(call.db, call.user_id, call.id))


def _refuse_archive_by_role(call: Call, job: ImportJob) -> None:
    """It brings preferences along, and with it all accounts come and go."""
    if job.format == OWN_ARCHIVE:
        call.full_access_only("import a whole archive, or take it back")


def _find_uploadable(call: Call) -> ImportJob:
    job = _find(call)
    refuse_state(job, CHANGEABLE, "given another file")
    return job


def _refuse_unready(job: ImportJob) -> None:
    """A preview is possible in every state in which the file can be read."""
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
    return lifecycle.attach_file(call.db, call.user_id, job_id, received.content, received.mime, filename, call.now)


def _ask_examination(call: Call) -> ExamineRequest | None:
    """What to examine; what is wrong with the request is told by the handler, not here."""
    job = store.get(call.db, call.user_id, call.id) if "id" in call.path else None
    fields = call.fields if isinstance(call.body, dict) else {}
    mapping, _ = _read_mapping(fields, job)
    files = _stored_files(call, job) if job else []
    if call.received and call.received.content.size:
        name = call.query.get("filename") or str(fields.get("filename") or lifecycle.NAMELESS)
        files.append(StoredFile(name=name, user_id=call.user_id, sha256=call.received.content.sha256))
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


def _stored_files(call: Call, job: ImportJob) -> list[StoredFile]:
    files = [attachments.get(call.db, call.user_id, file_id) for file_id in job.file_ids]
    return [
        StoredFile(name=attachment.filename, user_id=call.user_id, sha256=attachment.upload.sha256)
        for attachment in files
        if attachment and attachment.upload
    ]


def _examined(call: Call) -> Examination:
    assert isinstance(call.prepared, Examination), "the files were examined before"
    return call.prepared


def _ask_preview(call: Call) -> PreviewRequest | None:
    job = _find(call)
    _refuse_unready(job)
    files = _stored_files(call, job)
    if len(files) < len(job.file_ids):
        raise Conflict("The file of this import was deleted. Upload it again.")
    currency = str(preferences.values(call.db, call.user_id, [CURRENCY])[CURRENCY])
    return PreviewRequest(settings=call.settings, files=tuple(files), job=job, currency=currency)


def _reserve(call: Call) -> None:
    assert call.received is not None, "there is a file, or nothing would be reserved"
    contents.reserve(call.db, call.user_id, call.received.content, call.now)


def _check_new(call: Call) -> None:
    refuse(_file_problems(call.received))


def _answer(call: Call, job_id: int) -> Answer:
    job = or_404(store.get(call.db, call.user_id, job_id))
    return answer(call, Item(things(call, [job])[0]), [job], INCLUDES)


_ONE: Any = Item[ImportJobThing]
_EXAMINED = Before(ask=_ask_examination, compute=asking.examine, mode=Mode.READ, reads=True, key=asking.key_of)
_READ = Before(ask=_ask_preview, compute=asking.read_first, mode=Mode.READ, reads=True)
_LIVE = Runs(varies=tell_condition)
_WITH_FILE = Upload(
    check=_check_new,
    reserve=_reserve,
    examine=mime.of,
    fields=wire.NewImportJobBody,
    part=wire.FILE_PART,
    names="filename",
)
_FILE = Upload(
    check=_find_uploadable, reserve=_reserve, examine=mime.of, part=wire.FILE_PART, or_whole=True, names="filename"
)
_FILENAME = Parameter("filename", {"type": "string"}, "The name of the file, where the body is the file itself.")
_OPTIONS = (
    Parameter("partial", FLAG_SCHEMA, "Import the rows that are right, and report the others."),
    Parameter("deleted", {"type": "string", "enum": ["skip", "again"]}, "`again`: import deleted transactions again."),
    Parameter("link", {"type": "string", "enum": ["offer", "sure"]}, "`sure`: link rows to what they surely are."),
)
_FORCE = Parameter("force", FLAG_SCHEMA, "Delete also what was changed since the import.")

ROUTES = (
    Route(
        "GET", "/import_jobs", index, "List import jobs, the newest first",
        gives=Page[ImportJobThing], parameters=PAGED, includes=INCLUDES, runs=_LIVE,
    ),
    Route(
        "POST", "/import_jobs", create, "Make an import job, with its file or for a later upload",
        gives=_ONE, takes=_WITH_FILE, includes=INCLUDES, runs=Runs(before=_EXAMINED),
    ),
    Route("GET", "/import_jobs/{id}", show, "Show an import job", gives=_ONE, includes=INCLUDES, runs=_LIVE),
    Route(
        "PUT", "/import_jobs/{id}", change, "Change an import job before it runs; what is left out stays",
        gives=_ONE, takes=wire.ImportJobBody, includes=INCLUDES, fails=(Conflict,), runs=Runs(before=_EXAMINED),
    ),
    Route(
        "DELETE", "/import_jobs/{id}", remove, "Delete an import job with its files; its transactions stay",
        fails=(Conflict,),
    ),
    Route(
        "POST", "/import_jobs/{id}/upload", upload, "Upload a file for an import job",
        gives=_ONE, takes=_FILE, parameters=(_FILENAME,), fails=(Conflict, Invalid, TooLarge),
        runs=Runs(before=_EXAMINED),
    ),
    Route(
        "POST", "/import_jobs/{id}/preview", show_preview, "Show what an import would do, row by row",
        gives=shown.ImportPreview, takes=wire.OptionsBody, parameters=(*PAGED, *_OPTIONS), fails=(Conflict,),
        runs=Runs(mode=Mode.READ, large=True, before=_READ),
    ),
    Route(
        "POST", "/import_jobs/{id}/run", start, "Run an import, beside the requests",
        gives=_ONE, takes=wire.OptionsBody, parameters=_OPTIONS, includes=INCLUDES, fails=(Forbidden, Conflict),
    ),
    Route(
        "POST", "/import_jobs/{id}/undo", undo, "Take back what an import made, as one change",
        gives=_ONE, takes=wire.UndoBody, parameters=(_FORCE,), includes=INCLUDES, fails=(Forbidden, Conflict),
        runs=LARGE,
    ),
    Route(
        "GET", "/import_jobs/{id}/attachments", attached, "List the attachments of an import job",
        gives=Page[attached_objects.AttachmentThing], parameters=PAGED, includes=attached_objects.INCLUDES, runs=LARGE,
    ),
)  # fmt: skip
