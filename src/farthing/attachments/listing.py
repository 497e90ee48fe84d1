"""How are attachments answered? The same in their own list, under what they belong to, and as related objects."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..http.call import Answer, Call
from ..http.document import Thing, thing
from ..http.includes import Include, Related, Shown, include, registry
from ..http.pages import asked, page
from ..http.relatives import USER
from . import store, wire
from .model import Attachment, Model, Place

AttachmentThing = Thing[wire.AttachmentAttributes]


def things(call: Call, attachments: Sequence[Attachment]) -> list[AttachmentThing]:
    # The address under "0" is in the singular: clients know it so.
    return [
        thing(call.base, "attachments", one.id, wire.show(one, call.base), uri=f"/attachment/{one.id}")
        for one in attachments
    ]


def _notes(call: Call, attachments: Sequence[Attachment]) -> list[Related]:
    """A note goes by the id of its attachment; one without a note has none."""
    return [
        [thing(call.base, "notes", one.id, wire.show_note(one, one.notes), uri=f"/notes/{one.id}")] if one.notes else []
        for one in attachments
    ]


INCLUDES = registry(replace(USER, default=True), Include("notes", _notes, default=True))


def listed(call: Call, path: str, of: Place | None = None) -> Answer:
    """A page of the caller's attachments, or of those of one object."""
    at = asked(call)
    total, attachments = store.page(call.db, call.user_id, limit=at.size, offset=at.offset, of=of)
    document = page(call, path, things(call, attachments), total)
    include(call, document, attachments, INCLUDES)
    return Answer(document)


def related(model: Model, id_of: Callable[[Any], int]) -> Include:
    """All attachments of each object, not paged; one query for all of them."""

    def load(call: Call, objects: Sequence[Any]) -> list[Related]:
        ids = [id_of(one) for one in objects]
        found = store.of_places(call.db, call.user_id, model, ids)
        of_each = [found.get(place_id, ()) for place_id in ids]
        return [Shown(things(call, attachments), attachments) for attachments in of_each]

    return Include("attachments", load, further=INCLUDES, heavy=True)
