"""Shows attachments in the lists of version 6."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from farthing.books.attachments import store
from farthing.books.attachments.model import Attachment, AttachmentTarget, Model
from farthing.http.answer.document import Thing
from farthing.http.request.call import Answer, Call
from farthing.http.request.public_address import API
from farthing.http.resources.lists import answer_page
from farthing.http.route import Route
from farthing.kernel.shown import Instant, show_as

from ..parts.documents import make_thing
from ..parts.resource import Resource


class AttachmentAttributes(Struct, gc=False):
    """`hash` is the MD5 hash of the content. Without content, it is empty, as is `mime`."""

    created_at: Instant
    updated_at: Instant
    attachable_type: str
    attachable_id: str
    hash: str
    filename: str
    download_url: str
    upload_url: str
    title: str | None
    notes: str | None
    mime: str
    size: int


AttachmentThing = Thing[AttachmentAttributes]


def make_attachments(call: Call, attachments: Sequence[Attachment]) -> list[AttachmentThing]:
    """Shows attachments. A file of a transaction belongs to a split: the one for which it was sent, or the first."""
    split_ids = store.load_splits(call.db, call.user_id, attachments)
    return [
        make_thing(call, "attachments", attachment.id, _show(call, attachment, split_ids.get(attachment.id)))
        for attachment in attachments
    ]


def _show(call: Call, attachment: Attachment, split_id: int | None) -> AttachmentAttributes:
    at, upload = f"{call.base}{API}/attachments/{attachment.id}", attachment.upload
    return show_as(
        AttachmentAttributes,
        attachment,
        attachable_type=attachment.target.model.value,
        attachable_id=str(split_id or attachment.target.id),
        hash=upload.md5 if upload else "",
        download_url=f"{at}/download",
        upload_url=f"{at}/upload",
        mime=upload.mime if upload else "",
        size=upload.size if upload else 0,
    )


def list_route(
    resource: Resource[Any, Any], model: Model, summary: str, find: Callable[[Call], int] | None = None
) -> Route:
    """Makes the route that lists the attachments of one object.

    `find` returns the id of the object. Without `find`, the resource finds the object itself.
    """

    @resource.adopt
    def attached(call: Call) -> Answer:
        owner_id = find(call) if find else resource.find(call).id
        path = f"{resource.path}/{owner_id}/attachments"
        return answer_page(call, path, store.page, make_attachments, of=AttachmentTarget(model, owner_id))

    return resource.listing("attachments", attached, summary, AttachmentThing)
