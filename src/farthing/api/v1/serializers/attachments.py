"""Shows attachments in their own list, in the lists of other objects, and as related objects."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from farthing.books.attachments import contents, store
from farthing.books.attachments.model import Attachment, AttachmentTarget, Model
from farthing.http.answer.document import Thing, thing
from farthing.http.answer.includes import Include, Related, Shown, registry
from farthing.http.request.call import Answer, Call
from farthing.http.request.public_address import API
from farthing.http.resources.lists import answer_page
from farthing.http.route import LARGE, Route
from farthing.kernel.shown import Dated, show_as

from ..resources.lists import make_thing
from ..resources.resource import Resource
from .users import USER

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_RENDERED_MAX = 128
# The contract's prefix for the name of a model.
MODEL_PREFIX = "Service\\Models\\"


class AttachmentAttributes(Dated, gc=False):
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
    upload = attachment.upload
    return show_as(
        AttachmentAttributes,
        attachment,
        attachable_type=f"{MODEL_PREFIX}{attachment.target.model}",
        attachable_id=attachment.target.id,
        md5=upload.md5 if upload else "",
        download_uri=f"{at}/download",
        upload_uri=f"{at}/upload",
        mime=upload.mime if upload else "",
        size=upload.size if upload else 0,
    )


class NoteAttributes(Dated, gc=False):
    title: str | None
    text: str
    markdown: str


def show_note(attachment: Attachment, text: str) -> NoteAttributes:
    """Shows the dates of the attachment, because notes have none."""
    return show_as(NoteAttributes, attachment, title=None, text=text, markdown=_render(text))


@lru_cache(_RENDERED_MAX)
def _render(text: str) -> str:
    return str(_commonmark().render(text))


@cache
def _commonmark() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # imported late, because few requests need it and it loads slowly

    return MarkdownIt("commonmark", {"html": False})


AttachmentThing = Thing[AttachmentAttributes]


def things(call: Call, attachments: Sequence[Attachment]) -> list[AttachmentThing]:
    # Clients expect the singular `/attachment` in the link named "0".
    return [
        thing(call.base, "attachments", attachment.id, show(attachment, call.base), uri=f"/attachment/{attachment.id}")
        for attachment in attachments
    ]


def _notes(call: Call, attachments: Sequence[Attachment]) -> list[Related]:
    """Includes the notes of each attachment as an object with the id of the attachment."""
    return [
        [make_thing(call, "notes", attachment.id, show_note(attachment, attachment.notes))] if attachment.notes else []
        for attachment in attachments
    ]


INCLUDES = registry(replace(USER, default=True), Include("notes", _notes, default=True))


def list_route(
    resource: Resource[Any, Any], model: Model, summary: str, find: Callable[[Call], int] | None = None
) -> Route:
    """Makes the route that lists the attachments of one object.

    `find` returns the id under which the attachments are stored, if it differs from the id in the path.
    """

    @resource.adopt
    def attached(call: Call) -> Answer:
        owner_id = find(call) if find else resource.find(call).id
        path = f"{resource.path}/{call.id if find else owner_id}/attachments"
        return answer_page(call, path, store.page, things, INCLUDES, of=AttachmentTarget(model, owner_id))

    # Large, because notes are rendered as HTML.
    return resource.listing("attachments", attached, summary, AttachmentThing, includes=INCLUDES, runs=LARGE)


def reserve(call: Call) -> None:
    """Reserves space in the user's quota for the received file."""
    assert call.received is not None, "space is reserved for a file only"
    contents.reserve(call.db, call.user_id, call.received.content, call.now)


def relate(model: Model, id_of: Callable[[Any], int]) -> Include:
    """Includes all attachments of each object, unpaged, with one query."""

    def load(call: Call, objects: Sequence[Any]) -> list[Related]:
        ids = [id_of(owner) for owner in objects]
        by_target = store.of_targets(call.db, call.user_id, model, ids)
        of_each = [by_target.get(place_id, ()) for place_id in ids]
        return [Shown(things(call, attachments), attachments) for attachments in of_each]

    return Include("attachments", load, further=INCLUDES, large=True)
