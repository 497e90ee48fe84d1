"""What can be done with attachments over HTTP?"""

from typing import Any

from ..errors import Conflict, Invalid, Problem, TooLarge, WrongRange, refuse
from ..fields import Parsed, parse
from ..http.call import NOTHING, Answer, Call, Received, Stored, found
from ..http.document import Item, Page
from ..http.includes import include
from ..http.route import PAGED, Route
from ..http.route import Upload as TakesFile
from . import mime, store, wire
from .listing import INCLUDES, AttachmentThing, listed, things
from .model import Attachment, Draft, Place, Upload, disposition

# Should a browser show it all the same: nothing in it may run, load or reach us.
_SANDBOX = "sandbox; default-src 'none'"
# Old clients know a download by these. It stays private, and no copy of it is taken for good unasked.
_DOWNLOAD = (
    ("content-security-policy", _SANDBOX),
    ("content-description", "File Transfer"),
    ("content-transfer-encoding", "binary"),
    ("cache-control", "private, no-cache, must-revalidate"),
    ("expires", "0"),
    ("pragma", "public"),
)


def index(call: Call) -> Answer:
    return listed(call, "/attachments")


def show(call: Call) -> Answer:
    return _answer(call, _uploaded(call))


def create(call: Call) -> Answer:
    """With a file in the same request, the attachment is there at once; otherwise it waits for its content, unseen."""
    draft = _new(call)
    attachment_id = store.add(call.db, call.user_id, draft, call.now)
    if call.received:
        store.record_upload(call.db, call.user_id, attachment_id, _upload(call.received), call.now)
    return _answer(call, found(store.get(call.db, call.user_id, attachment_id)))


def change(call: Call) -> Answer:
    """Every field is optional: without a name the old one stays, the title and the notes are then gone."""
    kept = _meant(call)
    parsed = parse(wire.AttachmentBody, call.fields)
    place = wire.place(parsed) or kept.place
    refuse([*parsed.problems, *_place_problems(call, place)])
    draft = wire.draft(parsed.values, filename=parsed.values.filename or kept.filename, at=place)
    store.change(call.db, call.user_id, kept.id, draft, call.now)
    return _answer(call, found(store.get(call.db, call.user_id, kept.id)))


def remove(call: Call) -> Answer:
    store.remove(call.db, call.user_id, _meant(call).id)
    return NOTHING


def upload(call: Call) -> Answer:
    """The content is safely on disk by now; once it is recorded, it replaces the old one."""
    kept = _meant(call)
    assert call.received is not None, "the whole body is the file"
    refuse(_file_problems(call.received))
    store.record_upload(call.db, call.user_id, kept.id, _upload(call.received), call.now)
    return NOTHING


def download(call: Call) -> Answer:
    kept = _uploaded(call)
    assert kept.upload is not None, "it was asked for with its content"
    headers = (("content-disposition", disposition(kept.filename)), *_DOWNLOAD)
    return Answer(None, headers=headers, file=Stored(call.user_id, kept.upload.sha256, kept.upload.size))


def _admit_upload(call: Call) -> Answer:
    _meant(call)
    return NOTHING


def _admit_new(call: Call) -> Answer:
    _new(call)
    return NOTHING


def _meant(call: Call) -> Attachment:
    return found(store.get(call.db, call.user_id, call.id))


def _uploaded(call: Call) -> Attachment:
    """Until its content is there, an attachment is not."""
    one = _meant(call)
    return found(one if one.upload else None)


def _new(call: Call) -> Draft:
    """Everything that is wrong is said at once, an empty file included."""
    parsed = parse(wire.AttachmentBody, call.fields)
    problems = [*parsed.problems, *wire.problems(parsed), *_file_problems(call.received)]
    place = wire.place(parsed)
    refuse([*problems, *(_place_problems(call, place) if place else ())])
    return _draft(parsed, place)


def _draft(parsed: Parsed[wire.AttachmentBody], place: Place | None) -> Draft:
    assert place is not None, "without problems there is a place"
    assert parsed.values.filename is not None, "without problems there is a name"
    return wire.draft(parsed.values, filename=parsed.values.filename, at=place)


def _place_problems(call: Call, place: Place) -> list[Problem]:
    if store.exists(call.db, call.user_id, place):
        return []
    return [Problem("model_id", "The selected model id is invalid.")]


def _file_problems(received: Received | None) -> list[Problem]:
    if received is None or received.content.size:
        return []
    return [Problem(wire.FILE_PART, "The file is empty: send its content as the body.")]


def _upload(received: Received) -> Upload:
    content = received.content
    return Upload(content.sha256, content.md5, received.mime, content.size)


def _answer(call: Call, one: Attachment) -> Answer:
    document = Item(things(call, [one])[0])
    include(call, document, [one], INCLUDES)
    return Answer(document)


_ONE: Any = Item[AttachmentThing]
_PAGE: Any = Page[AttachmentThing]

# Heavy, because notes are shown as HTML too, and long ones take a while to write.
ROUTES = (
    Route(
        "GET", "/attachments", index, "List attachments that have a content",
        gives=_PAGE, parameters=PAGED, includes=INCLUDES, heavy=True,
    ),
    Route(
        "POST", "/attachments", create, "Make an attachment, with its content or for a later upload",
        gives=_ONE, takes=wire.AttachmentBody, requires=wire.REQUIRED, includes=INCLUDES, heavy=True,
        upload=TakesFile(_admit_new, mime.of, part=wire.FILE_PART, names="filename"),
    ),
    Route("GET", "/attachments/{id}", show, "Show an attachment", gives=_ONE, includes=INCLUDES, heavy=True),
    Route(
        "PUT", "/attachments/{id}", change, "Change what is said of an attachment; its content stays",
        gives=_ONE, takes=wire.AttachmentBody, includes=INCLUDES, heavy=True,
    ),
    Route("DELETE", "/attachments/{id}", remove, "Delete an attachment"),
    Route(
        "POST", "/attachments/{id}/upload", upload, "Upload the content; it replaces the previous one",
        upload=TakesFile(_admit_upload, mime.of), fails=(Invalid, TooLarge),
    ),
    Route(
        "GET", "/attachments/{id}/download", download, "Download the content, or a part of it",
        download=True, fails=(Conflict, WrongRange),
    ),
)  # fmt: skip
