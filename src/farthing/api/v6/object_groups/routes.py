"""Serves groups of bills and piggy banks. A group is made with its first member and removed with its last."""

from typing import Annotated

from msgspec import Struct

from farthing.books.bills import store as bills
from farthing.books.object_groups import store
from farthing.books.object_groups.model import ObjectGroup, ObjectGroupDraft
from farthing.books.piggy_banks import store as piggy_banks
from farthing.http.answer.document import Thing
from farthing.http.request.call import Answer, Call
from farthing.http.resources.lists import answer_page
from farthing.kernel.fields import Name, RequestBody, described, parse, whole
from farthing.kernel.limits import ORDER_MAX
from farthing.kernel.parsed import ensure
from farthing.kernel.shown import Instant, show_as

from ..objects import piggy_banks as piggy_bank_objects
from ..objects.bills import BillThing, make_bills
from ..parts.documents import make_thing
from ..parts.partial import need
from ..parts.resource import Resource


class ObjectGroupBody(RequestBody):
    title: Name | None = None
    order: Annotated[int, whole(minimum=1, maximum=ORDER_MAX)] | None = described(
        "The position in the list, starting at 1. Groups from this position on move down."
    )


class ObjectGroupAttributes(Struct, gc=False):
    created_at: Instant
    updated_at: Instant
    title: str
    order: int


ObjectGroupThing = Thing[ObjectGroupAttributes]


def _draft(call: Call, group: ObjectGroup | None) -> ObjectGroupDraft:
    parsed = parse(ObjectGroupBody, call.fields)
    title, group_id = need(parsed, "title", group.title if group else None), group.id if group else 0
    if store.is_title_taken(call.db, call.user_id, title, except_id=group_id):
        parsed.report("title", "The title has already been taken by another of your groups.")
    parsed.finish()
    return ObjectGroupDraft(title=ensure(title), order=parsed.values.order)


def list_bills(call: Call) -> Answer:
    group_id = GROUPS.find(call).id
    path = f"/object-groups/{group_id}/bills"
    return answer_page(call, path, bills.page_in_order, make_bills, object_group_id=group_id)


def list_piggy_banks(call: Call) -> Answer:
    group_id = GROUPS.find(call).id
    path = f"/object-groups/{group_id}/piggy-banks"
    return answer_page(call, path, piggy_banks.page, piggy_bank_objects.things, object_group_id=group_id)


GROUPS = Resource[ObjectGroup, ObjectGroupDraft](
    path="/object-groups",
    shows=ObjectGroupThing,
    things=lambda call, groups: [
        make_thing(call, "object_groups", group.id, show_as(ObjectGroupAttributes, group)) for group in groups
    ],
    get=store.get,
    page=store.page,
    draft=_draft,
    update=lambda call, group, draft: store.change(call.db, call.user_id, group.id, draft, call.now),
    delete=lambda call, group: store.remove(call.db, call.user_id, group.id),
    takes=ObjectGroupBody,
)

ROUTES = (
    GROUPS.index("List groups of bills and piggy banks, in their order"),
    GROUPS.show("Show a group"),
    GROUPS.change("Change a group; omitted fields are kept"),
    GROUPS.remove("Delete a group; its bills and piggy banks stay"),
    GROUPS.listing("bills", list_bills, "List the bills of a group", BillThing),
    GROUPS.listing(
        "piggy-banks", list_piggy_banks, "List the piggy banks of a group", piggy_bank_objects.PiggyBankThing
    ),
)
