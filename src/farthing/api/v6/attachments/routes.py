"""Serves attachments, except files of import jobs, which clients do not know."""

from typing import Annotated

from farthing.books.attachments import contents, mime, store
from farthing.books.attachments.model import (
    Attachment,
    AttachmentDraft,
    AttachmentTarget,
    Model,
    disposition,
    model_named,
)
from farthing.http.request.call import NOTHING, Answer, Call, StoredFile, or_404
from farthing.http.resources.downloads import answer_download
from farthing.http.route import FileUpload
from farthing.kernel.errors import Conflict, Invalid, TooLarge, WrongRange, refuse_field
from farthing.kernel.fields import FieldParser, Id, Name, Notes, Refused, RequestBody, described, parse
from farthing.kernel.parsed import Parsed, ensure
from farthing.storage.unit import Unit

from ..objects.attachments import AttachmentThing, make_attachments
from ..parts.partial import over, over_required
from ..parts.resource import Resource

_MODELS = tuple(model for model in Model if model is not Model.IMPORT_JOB)


def _read_model(value: object) -> Model:
    model = model_named(value.strip()) if isinstance(value, str) else None
    if model not in _MODELS:
        raise Refused(f"The selected {{label}} is invalid: it must be one of {', '.join(_MODELS)}.")
    return model


class AttachmentBody(RequestBody):
    filename: Name | None = None
    attachable_type: Annotated[Model, FieldParser(_read_model, {"type": "string"})] | None = described(
        f"The type of object that the file belongs to: {', '.join(f'`{model}`' for model in _MODELS)}."
    )
    attachable_id: Id | None = described("The id of the object. For `TransactionJournal`, this is the id of a split.")
    title: Name | None = None
    notes: Notes | None = None


def create(call: Call) -> Answer:
    """Creates an attachment. It is listed as soon as its content is uploaded."""
    parsed = parse(AttachmentBody, call.fields)
    values = parsed.values
    parsed.require("filename", "attachable_type", "attachable_id")
    target = _find_target(call, parsed)
    parsed.finish()
    draft = AttachmentDraft(
        filename=ensure(values.filename),
        title=values.title,
        notes=values.notes,
        target=ensure(target),
        split_id=values.attachable_id if values.attachable_type is Model.JOURNAL else None,
    )
    return ATTACHMENTS.answer_with(call, store.add(call.db, call.user_id, draft, call.now))


def _find_target(call: Call, parsed: Parsed[AttachmentBody]) -> AttachmentTarget | None:
    """Finds the object that the body names. The file of a split belongs to the whole transaction."""
    model, object_id = parsed.values.attachable_type, parsed.values.attachable_id
    if model is None or object_id is None:
        return None
    found = store.find_entry(call.db, call.user_id, object_id) if model is Model.JOURNAL else object_id
    target = AttachmentTarget(model, found or 0)
    if not found or not store.exists(call.db, call.user_id, target):
        parsed.report("attachable_id", "The selected attachable id is invalid.")
    return target


def _draft(call: Call, stored: Attachment | None) -> AttachmentDraft:
    assert stored is not None, "attachments are created by another function"
    parsed = parse(AttachmentBody, call.fields)
    filename = over_required(parsed, "filename", stored.filename)
    parsed.finish()
    return AttachmentDraft(
        filename=filename,
        title=over(parsed, "title", stored.title),
        notes=over(parsed, "notes", stored.notes),
        target=stored.target,
        split_id=stored.split_id,
    )


def upload(call: Call) -> Answer:
    """Records the uploaded content, which is already on disk. Earlier content is replaced."""
    attachment, received = ATTACHMENTS.find(call), call.received
    assert received is not None, "the whole body is the file"
    if not received.content.size:
        refuse_field("file", "The file is empty: send its content as the body.")
    file = contents.describe(received.content, received.mime)
    store.record_upload(call.db, call.user_id, attachment.id, file, call.now)
    return NOTHING


def download(call: Call) -> Answer:
    attachment = ATTACHMENTS.find(call)
    file = or_404(attachment.upload)
    stored = StoredFile(user_id=call.user_id, sha256=file.sha256, size=file.size)
    return answer_download(stored, disposition(attachment.filename))


def _get(db: Unit, user_id: int, attachment_id: int) -> Attachment | None:
    attachment = store.get(db, user_id, attachment_id)
    return attachment if attachment and attachment.target.model in _MODELS else None


def _reserve(call: Call) -> None:
    assert call.received is not None, "space is reserved for a file only"
    contents.reserve(call.db, call.user_id, call.received.content, call.now)


ATTACHMENTS: Resource[Attachment, AttachmentDraft] = Resource(
    path="/attachments",
    shows=AttachmentThing,
    things=make_attachments,
    get=_get,
    page=store.page,
    filters=lambda _: {"imports": False},
    draft=_draft,
    update=lambda call, attachment, draft: store.change(call.db, call.user_id, attachment.id, draft, call.now),
    delete=lambda call, attachment: store.remove(call.db, call.user_id, attachment.id),
    takes=AttachmentBody,
)
_FILE = FileUpload(check=lambda call: ATTACHMENTS.find(call), reserve=_reserve, examine=mime.of)

ROUTES = (
    ATTACHMENTS.index("List attachments that have content"),
    ATTACHMENTS.create(
        "Create an attachment, whose content is uploaded later",
        handler=create, requires=("filename", "attachable_type", "attachable_id"),
    ),
    ATTACHMENTS.show("Show an attachment"),
    ATTACHMENTS.change("Change the name, title or notes of an attachment"),
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
