"""Serves link types."""

from collections.abc import Iterable

from msgspec import Struct

from farthing.books.entry_links import inputs, store
from farthing.books.entry_links.model import LinkType, LinkTypeDraft
from farthing.books.transactions import groups
from farthing.books.transactions.model import types_named
from farthing.http.answer.document import Thing
from farthing.http.answer.pages import read_page_request
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE
from farthing.kernel.errors import Forbidden
from farthing.kernel.fields import Name, RequestBody, parse
from farthing.kernel.shown import Instant, show_as

from ..objects.groups import GROUPS, PARAMETERS, days_of, make_groups
from ..parts.documents import answer_page, make_thing
from ..parts.partial import over_required
from ..parts.resource import Resource

_REQUIRED = ("name", "inward", "outward")


class LinkTypeBody(RequestBody):
    name: Name | None = None
    inward: Name | None = None
    outward: Name | None = None


class LinkTypeAttributes(Struct, gc=False):
    created_at: Instant
    updated_at: Instant
    name: str
    inward: str
    outward: str
    editable: bool


LinkTypeThing = Thing[LinkTypeAttributes]


def transactions(call: Call) -> Answer:
    type_id, days, at = _TYPES.find(call).id, days_of(call), read_page_request(call)
    word = call.query.get("type", "")
    total, entry_ids = store.page_of_entries(
        call.db, call.user_id, type_id, days.start, days.end, types_named(word or "all"),
        limit=at.size, offset=at.offset,
    )  # fmt: skip
    page = make_groups(call, groups.of_entries(call.db, call.user_id, entry_ids))
    return answer_page(call, f"/link-types/{type_id}/transactions", page, total, {"type": word})


def _draft(call: Call, stored: LinkType | None) -> LinkTypeDraft:
    if stored:
        _refuse_built_in(stored)
    parsed = parse(LinkTypeBody, call.fields)
    if stored is None:
        parsed.require(*_REQUIRED)
    fields = (
        {name: over_required(parsed, name, getattr(stored, name, "")) for name in _REQUIRED}
        if stored
        else {name: getattr(parsed.values, name) or "" for name in _REQUIRED}
    )
    return inputs.read_type(call.db, call.user_id, parsed, LinkTypeDraft(**fields), stored)


def _refuse_built_in(stored: LinkType) -> None:
    if not stored.editable:
        raise Forbidden(f"The type “{stored.name}” is built in. It can neither be changed nor deleted.")


def _delete(call: Call, stored: LinkType) -> None:
    _refuse_built_in(stored)
    store.remove_type(call.db, call.user_id, stored.id)


def _things(call: Call, types: Iterable[LinkType]) -> list[LinkTypeThing]:
    return [make_thing(call, "link_types", type_.id, show_as(LinkTypeAttributes, type_)) for type_ in types]


_TYPES = Resource(
    path="/link-types",
    shows=LinkTypeThing,
    things=_things,
    get=store.get_type,
    page=store.page_of_types,
    draft=_draft,
    add=lambda call, draft: store.add_type(call.db, call.user_id, draft, call.now),
    update=lambda call, stored, draft: store.change_type(call.db, call.user_id, stored.id, draft, call.now),
    delete=_delete,
    takes=LinkTypeBody,
    requires=_REQUIRED,
)

ROUTES = (
    _TYPES.index("List link types, built-in ones first"),
    _TYPES.create("Create a link type"),
    _TYPES.show("Show a link type"),
    _TYPES.change("Change a link type; omitted fields are kept", requires=(), fails=(Forbidden,)),
    _TYPES.remove("Delete a link type with its links", fails=(Forbidden,)),
    _TYPES.own(
        "GET", "transactions", transactions, "List the transactions with links of a type", *PARAMETERS,
        gives=GROUPS, runs=LARGE,
    ),
)  # fmt: skip
