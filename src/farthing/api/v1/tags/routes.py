"""Serves tags."""

from farthing.books.attachments.model import Model
from farthing.books.lifecycle import labels as lifecycle
from farthing.books.tags import store
from farthing.books.tags.model import Tag, TagDraft, name_problems
from farthing.http.answer.includes import registry
from farthing.http.request.call import Call, or_404
from farthing.http.route import LARGE, PAGED, RANGED, Parameter
from farthing.kernel.fields import Day, Description, Latitude, Longitude, Name, RequestBody, ZoomLevel, parse
from farthing.kernel.parsed import ensure

from ..labels.routes import UNUSED, merge_route, months_route, read_unused
from ..resources.resource import Resource
from ..serializers import attachments
from ..serializers import transactions as listing
from ..serializers.labels import OWNER
from ..serializers.tags import TagThing, things


class TagBody(RequestBody):
    """`latitude` and `longitude` must be sent together."""

    tag: Name | None = None
    date: Day | None = None
    description: Description | None = None
    latitude: Latitude | None = None
    longitude: Longitude | None = None
    zoom_level: ZoomLevel | None = None


def _find(call: Call) -> Tag:
    """Finds a tag by id or by name (case-insensitive).

    A number is always an id, so that a repeated DELETE cannot delete another tag that has this number as its name.
    """
    word = call.path["id"].strip()
    if word.isascii() and word.isdigit():
        return or_404(store.get(call.db, call.user_id, call.id))
    return or_404(store.get_named(call.db, call.user_id, word) if "\0" not in word else None)


def _draft(call: Call, tag: Tag | None) -> TagDraft:
    parsed = parse(TagBody, call.fields)
    values = parsed.values
    parsed.require("tag")
    parsed.report_all(name_problems(values.tag))
    parsed.require_together("latitude", "longitude")
    tag_id = tag.id if tag else 0
    taken = lifecycle.taken_problems(call.db, call.user_id, "tags", values.tag, field="tag", except_id=tag_id)
    parsed.report_all(taken)
    parsed.finish()
    return TagDraft(
        name=ensure(values.tag),
        on=values.date,
        description=values.description,
        latitude=values.latitude,
        longitude=values.longitude,
        zoom_level=values.zoom_level,
    )


_ID = Parameter(
    "id",
    {"type": "string", "minLength": 1},
    "The id of the tag, or its name (case-insensitive). A number is always taken as an id.",
)
TAGS = Resource(
    path="/tags",
    shows=TagThing,
    things=lambda call, tags: list(things(call, tags).values()),
    get=store.get,
    finds=_find,
    page=store.page,
    filters=lambda call: {"unused": bool(read_unused(call))},
    links=read_unused,
    draft=_draft,
    add=lambda call, draft: store.add(call.db, call.user_id, draft, call.now),
    update=lambda call, tag, draft: lifecycle.change_tag(call.db, call.user_id, tag, draft, call.now),
    delete=lambda call, tag: lifecycle.remove(call.db, call.user_id, "tags", tag.id),
    takes=TagBody,
    requires=("tag",),
    names=(_ID,),
    includes=registry(OWNER, listing.newest_with("tags")),
    includes_of_one=registry(OWNER, listing.page_with("tags")),
)

ROUTES = (
    TAGS.index("List tags, with what was spent and earned", UNUSED, *RANGED),
    TAGS.create("Create a tag"),
    TAGS.show("Show a tag, by id or name", *RANGED, *PAGED),
    attachments.list_route(TAGS, Model.TAG, "List the attachments of a tag"),
    TAGS.change("Change a tag, by id or name; omitted fields are cleared"),
    months_route(TAGS, "tags", "tag"),
    merge_route(TAGS, "tag", lifecycle.merge_tag),
    TAGS.remove("Delete a tag, by id or name; its transactions stay", runs=LARGE),
    listing.label_route(TAGS, "tags", "List the transactions with a tag, by id or name"),
)
