"""Lists link types."""

from collections.abc import Iterable
from typing import Any

from farthing.books.entry_links import store
from farthing.books.entry_links.model import LinkType
from farthing.http.answer.document import Thing
from farthing.http.request.call import Call
from farthing.kernel.shown import Dated, show_as

from ..resources.lists import make_thing
from ..resources.resource import Resource


class LinkTypeAttributes(Dated, gc=False):
    """Types that are not `editable` are built in."""

    name: str
    inward: str
    outward: str
    editable: bool


LinkTypeThing = Thing[LinkTypeAttributes]


def _things(call: Call, types: Iterable[LinkType]) -> list[LinkTypeThing]:
    return [make_thing(call, "link_types", type_.id, show_as(LinkTypeAttributes, type_)) for type_ in types]


TYPES: Resource[LinkType, Any] = Resource(
    path="/link_types",
    shows=LinkTypeThing,
    things=_things,
    get=store.get_type,
    page=store.page_of_types,
)


ROUTES = (
    TYPES.index("List link types, built-in ones first"),
    TYPES.show("Show a link type"),
)
