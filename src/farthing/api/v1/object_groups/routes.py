"""Serves groups of bills and piggy banks. A group is made with its first member and removed with its last."""

from msgspec import Struct

from farthing.books.object_groups import store
from farthing.books.object_groups.model import ObjectGroup, ObjectGroupDraft
from farthing.http.answer.document import Thing
from farthing.kernel.shown import Instant, show_as

from ..resources.lists import things_without_uri
from ..resources.resource import Resource


class ObjectGroupAttributes(Struct, gc=False):
    created_at: Instant
    updated_at: Instant
    title: str
    order: int


GROUPS = Resource[ObjectGroup, ObjectGroupDraft](
    path="/object_groups",
    shows=Thing[ObjectGroupAttributes],
    things=things_without_uri("object_groups", lambda _, group: show_as(ObjectGroupAttributes, group)),
    page=store.page,
)

ROUTES = (
    GROUPS.index("List groups of bills and piggy banks, in their order"),
    GROUPS.arrange(store.put_in_order, "Put groups into an order"),
)
