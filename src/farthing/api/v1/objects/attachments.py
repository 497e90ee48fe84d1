"""Shows attachments, in their own list, under what they belong to, and as related objects."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.attachments import store
from farthing.books.attachments.model import Attachment, AttachmentTarget, Model
from farthing.http.answer.document import Thing, thing
from farthing.http.answer.includes import Include, Related, Shown, answer, registry
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import Answer, Call
from farthing.http.request.public_address import API
from farthing.kernel.shown import Instant

from .users import USER

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_RENDERED_MAX = 128
# The contract's prefix for the name of a model.
MODEL_PREFIX = "Service\\Models\\"


class AttachmentAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    attachable_type: str
    attachable_id: int
    md5: str
    filename: str
    download_uri: str
    upload_uri: str
    title: str | None
    notes: str | None
    mime: str
    size: int


def show(attachment: Attachment, base: str) -> AttachmentAttributes:
    at = f"{base}{API}/attachments/{attachment.id}"
    return AttachmentAttributes(
        updated_at=attachment.updated_at,
        created_at=attachment.created_at,
        attachable_type=f"{MODEL_PREFIX}{attachment.place.model}",
        attachable_id=attachment.place.id,
        md5=attachment.upload.md5 if attachment.upload else "",
        filename=attachment.filename,
        download_uri=f"{at}/download",
        upload_uri=f"{at}/upload",
        title=attachment.title,
        notes=attachment.notes,
        mime=attachment.upload.mime if attachment.upload else "",
        size=attachment.upload.size if attachment.upload else 0,
    )


class NoteAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    title: str | None
    text: str
    markdown: str


def show_note(attachment: Attachment, text: str) -> NoteAttributes:
    """Notes have no dates of their own, so those of the attachment are shown."""
    return NoteAttributes(
        updated_at=attachment.updated_at,
        created_at=attachment.created_at,
        title=None,
        text=text,
        markdown=_render(text),
    )


@lru_cache(_RENDERED_MAX)
def _render(text: str) -> str:
    return str(_commonmark().render(text))


@cache
def _commonmark() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # imported late, because few requests need it and it loads slowly

    return MarkdownIt("commonmark", {"html": False})


AttachmentThing = Thing[AttachmentAttributes]


def things(call: Call, attachments: Sequence[Attachment]) -> list[AttachmentThing]:
    # Clients expect the link named "0" in the singular.
    return [
        thing(call.base, "attachments", attachment.id, show(attachment, call.base), uri=f"/attachment/{attachment.id}")
        for attachment in attachments
    ]


def _notes(call: Call, attachments: Sequence[Attachment]) -> list[Related]:
    """A note has the id of its attachment."""
    return [
        [
            thing(
                call.base,
                "notes",
                attachment.id,
                show_note(attachment, attachment.notes),
                uri=f"/notes/{attachment.id}",
            )
        ]
        if attachment.notes
        else []
        for attachment in attachments
    ]


INCLUDES = registry(replace(USER, default=True), Include("notes", _notes, default=True))


def answer_list(call: Call, path: str, of: AttachmentTarget | None = None) -> Answer:
    """A page of the caller's attachments, or of one object's."""
    at = read_page_request(call)
    total, attachments = store.page(call.db, call.user_id, limit=at.size, offset=at.offset, of=of)
    document = page(call, path, things(call, attachments), total)
    return answer(call, document, attachments, INCLUDES)


def relate(model: Model, id_of: Callable[[Any], int]) -> Include:
    """All attachments of each object, not paged; one query."""

    def load(call: Call, objects: Sequence[Any]) -> list[Related]:
        ids = [id_of(owner) for owner in objects]
        by_target = store.of_places(call.db, call.user_id, model, ids)
        of_each = [by_target.get(place_id, ()) for place_id in ids]
        return [Shown(things(call, attachments), attachments) for attachments in of_each]

    return Include("attachments", load, further=INCLUDES, large=True)
