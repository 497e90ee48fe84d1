"""Serves attachments."""

from typing import Annotated

from msgspec.structs import replace

from farthing.books.attachments import contents, mime, store
from farthing.books.attachments.model import (
    Attachment,
    AttachmentDraft,
    AttachmentTarget,
    Model,
    disposition,
    model_named,
)
from farthing.http.request.call import NOTHING, Answer, Call, Received, StoredFile, or_404
from farthing.http.resources.downloads import answer_download
from farthing.http.route import LARGE, FileUpload
from farthing.kernel.errors import Conflict, Invalid, Problem, TooLarge, WrongRange, refuse
from farthing.kernel.fields import FieldParser, Id, Name, Notes, Refused, RequestBody, parse
from farthing.kernel.parsed import Parsed, ensure

from ..resources.resource import Resource
from ..serializers.attachments import INCLUDES, MODEL_PREFIX, AttachmentThing, reserve, things

_REQUIRED = ("filename", "model", "model_id")
FILE_PART = "file"


def _model(value: object) -> Model:
    model = model_named(value.strip()) if isinstance(value, str) else None
    if model is None:
        names = ", ".join(f"{MODEL_PREFIX}{name}" for name in Model)
        raise Refused(f"The selected {{label}} is invalid: it must be one of {names}.")
    return model


_MODEL_SCHEMA = {
    "type": "string",
    "pattern": rf"^(.+\\Models\\)?({'|'.join(Model)}|Transaction)$",
    "description": f"The type of object that the file belongs to: {', '.join(f'`{model}`' for model in Model)}. The"
    " form `Service\\Models\\Bill` works too. `Transaction` is another name for `TransactionJournal`.",
}


class AttachmentBody(RequestBody):
    filename: Name | None = None
    model: Annotated[Model, FieldParser(_model, _MODEL_SCHEMA)] | None = None
    model_id: Id | None = None
    title: Name | None = None
    notes: Notes | None = None


def read_target(parsed: Parsed[AttachmentBody]) -> AttachmentTarget | None:
    """Returns None unless both type and id are valid."""
    values = parsed.values
    return AttachmentTarget(values.model, values.model_id) if values.model and values.model_id else None


def _make_draft(values: AttachmentBody, *, filename: str, at: AttachmentTarget) -> AttachmentDraft:
    return AttachmentDraft(filename=filename, title=values.title, notes=values.notes, target=at)


def show(call: Call) -> Answer:
    return ATTACHMENTS.answer(call, _find_uploaded(call))


def create(call: Call) -> Answer:
    """Creates an attachment, with its content if the request contains a file.

    An attachment without content is hidden until its content is uploaded.
    """
    draft = _draft_new(call)
    attachment_id = store.add(call.db, call.user_id, draft, call.now)
    if call.received:
        _record(call, attachment_id, call.received)
    return ATTACHMENTS.answer_with(call, attachment_id)


def change(call: Call) -> Answer:
    """Changes an attachment. If omitted, name and target are kept, but title and notes are cleared."""
    attachment = _find(call)
    parsed = parse(AttachmentBody, call.fields)
    target = read_target(parsed) or attachment.target
    parsed.report_all(_target_problems(call, target))
    parsed.finish()
    draft = _make_draft(parsed.values, filename=parsed.values.filename or attachment.filename, at=target)
    if target == attachment.target:
        draft = replace(draft, split_id=attachment.split_id)
    store.change(call.db, call.user_id, attachment.id, draft, call.now)
    return ATTACHMENTS.answer_with(call, attachment.id)


def upload(call: Call) -> Answer:
    """Records the uploaded content, which is already on disk. Earlier content is replaced."""
    attachment = _find(call)
    assert call.received is not None, "the whole body is the file"
    refuse(_file_problems(call.received))
    _record(call, attachment.id, call.received)
    return NOTHING


def download(call: Call) -> Answer:
    attachment = _find_uploaded(call)
    assert attachment.upload is not None, "only attachments with content are found"
    upload = attachment.upload
    file = StoredFile(user_id=call.user_id, sha256=upload.sha256, size=upload.size)
    return answer_download(file, disposition(attachment.filename))


def _record(call: Call, attachment_id: int, received: Received) -> None:
    file = contents.describe(received.content, received.mime)
    store.record_upload(call.db, call.user_id, attachment_id, file, call.now)


def _find(call: Call) -> Attachment:
    return or_404(store.get(call.db, call.user_id, call.id))


def _find_uploaded(call: Call) -> Attachment:
    """Finds an attachment that has content. Without content, the answer is 404."""
    attachment = _find(call)
    return or_404(attachment if attachment.upload else None)


def _draft_new(call: Call) -> AttachmentDraft:
    """Reads a new attachment. Reports all problems at once, including an empty file."""
    parsed = parse(AttachmentBody, call.fields)
    parsed.require(*_REQUIRED)
    parsed.report_all(_file_problems(call.received))
    target = read_target(parsed)
    if target:
        parsed.report_all(_target_problems(call, target))
    parsed.finish()
    return _make_draft(parsed.values, filename=ensure(parsed.values.filename), at=ensure(target))


def _target_problems(call: Call, target: AttachmentTarget) -> list[Problem]:
    if store.exists(call.db, call.user_id, target):
        return []
    return [Problem("model_id", "The selected model id is invalid.")]


def _file_problems(received: Received | None) -> list[Problem]:
    if received is None or received.content.size:
        return []
    return [Problem(FILE_PART, "The file is empty: send its content as the body.")]


_FILE = FileUpload(check=_find, reserve=reserve, examine=mime.of)
_WITH_FIELDS = FileUpload(
    check=_draft_new,
    reserve=reserve,
    examine=mime.of,
    fields=AttachmentBody,
    part=FILE_PART,
    names="filename",
)
ATTACHMENTS: Resource[Attachment, AttachmentDraft] = Resource(
    path="/attachments",
    shows=AttachmentThing,
    things=things,
    get=store.get,
    page=store.page,
    delete=lambda call, attachment: store.remove(call.db, call.user_id, attachment.id),
    takes=AttachmentBody,
    includes=INCLUDES,
)

# Large, because notes are also rendered as HTML, which is slow for long notes.
ROUTES = (
    ATTACHMENTS.index("List attachments that have content", runs=LARGE),
    ATTACHMENTS.create(
        "Create an attachment; its content may also be uploaded later",
        handler=create, takes=_WITH_FIELDS, requires=_REQUIRED, runs=LARGE,
    ),
    ATTACHMENTS.show("Show an attachment", handler=show, runs=LARGE),
    ATTACHMENTS.change(
        "Change the name, title or notes of an attachment; its content stays", handler=change, runs=LARGE
    ),
    ATTACHMENTS.remove("Delete an attachment"),
    ATTACHMENTS.own(
        "POST", "upload", upload, "Upload the content of an attachment, replacing any earlier content",
        takes=_FILE, fails=(Invalid, TooLarge),
    ),
    ATTACHMENTS.own(
        "GET", "download", download, "Download the content of an attachment, or a range of its bytes",
        gives=StoredFile, fails=(Conflict, WrongRange),
    ),
)  # fmt: skip
