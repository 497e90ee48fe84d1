"""Shows links between transactions."""

from collections.abc import Iterable

from msgspec import Struct

from farthing.books.entry_links.model import EntryLink
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.kernel.shown import Instant, show_as

from ..parts.documents import make_thing


class LinkAttributes(Struct, gc=False):
    """`inward_id` and `outward_id` are ids of splits."""

    created_at: Instant
    updated_at: Instant
    link_type_id: str
    link_type_name: str
    inward_id: str
    outward_id: str
    notes: str | None


LinkThing = Thing[LinkAttributes]


def things(call: Call, links: Iterable[EntryLink]) -> list[LinkThing]:
    return [make_thing(call, "transaction_links", link.id, _show(link)) for link in links]


def _show(link: EntryLink) -> LinkAttributes:
    return show_as(
        LinkAttributes,
        link,
        link_type_id=str(link.type_id),
        link_type_name=link.type_name,
        inward_id=str(link.inward.split_id),
        outward_id=str(link.outward.split_id),
    )
