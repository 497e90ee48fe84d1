"""Serves tags by their names or ids."""

from decimal import Decimal

from farthing.books.attachments.model import Model
from farthing.books.lifecycle import labels as lifecycle
from farthing.books.tags import store
from farthing.books.tags.model import Tag, TagDraft, name_problems
from farthing.books.transactions.counts import LabelFilter
from farthing.http.request.call import Answer, Call, or_404
from farthing.http.route import LARGE, Parameter
from farthing.kernel.fields import parse
from farthing.kernel.parsed import ensure
from farthing.kernel.text import parse_id

from ..objects.attachments import list_route
from ..objects.groups import GROUPS, PARAMETERS, answer_groups
from ..parts.partial import need, over, over_day
from ..parts.resource import Resource
from .wire import TagBody, TagThing, make_things


def _find(call: Call) -> Tag:
    """Finds a tag by its id or by its name, ignoring case. A number is first taken as an id, then as a name."""
    word = call.path["id"].strip()
    tag_id = parse_id(word)
    tag = store.get(call.db, call.user_id, tag_id) if tag_id is not None else None
    return or_404(tag or (store.get_named(call.db, call.user_id, word) if "\0" not in word else None))


def _draft(call: Call, tag: Tag | None) -> TagDraft:
    parsed = parse(TagBody, call.fields)
    name = need(parsed, "tag", tag.name if tag else None)
    parsed.report_all(name_problems(parsed.values.tag))
    latitude, longitude = (over(parsed, field, _decimal(getattr(tag, field, None))) for field in _PLACE)
    if (latitude is None) != (longitude is None) and not any(map(parsed.wrong, _PLACE)):
        missing, other = _PLACE if latitude is None else reversed(_PLACE)
        parsed.report(missing, f"The {missing} field is required when {other} is present.")
    tag_id = tag.id if tag else 0
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, "tags", name, field="tag", except_id=tag_id))
    parsed.finish()
    return TagDraft(
        name=ensure(name),
        on=over_day(parsed, "date", tag.on if tag else None, call.caller.timezone),
        description=over(parsed, "description", tag.description if tag else None),
        latitude=latitude,
        longitude=longitude,
        zoom_level=over(parsed, "zoom_level", tag.zoom_level if tag else None),
    )


_PLACE = ("latitude", "longitude")


def _decimal(text: str | None) -> Decimal | None:
    return Decimal(text) if text else None


_ID = Parameter("id", {"type": "string", "minLength": 1}, "The id of the tag, or its name (case-insensitive).")


def transactions(call: Call) -> Answer:
    tag_id = TAGS.find(call).id
    return answer_groups(call, f"/tags/{tag_id}/transactions", LabelFilter("tags", tag_id))


TAGS = Resource(
    path="/tags",
    shows=TagThing,
    things=make_things,
    get=store.get,
    finds=_find,
    page=store.page,
    draft=_draft,
    add=lambda call, draft: store.add(call.db, call.user_id, draft, call.now),
    update=lambda call, tag, draft: lifecycle.change_tag(call.db, call.user_id, tag, draft, call.now),
    delete=lambda call, tag: lifecycle.remove(call.db, call.user_id, "tags", tag.id),
    takes=TagBody,
    requires=("tag",),
    names=(_ID,),
)

ROUTES = (
    TAGS.index("List tags"),
    TAGS.create("Create a tag"),
    TAGS.show("Show a tag, by id or name"),
    TAGS.change("Change a tag, by id or name; omitted fields are kept", requires=()),
    TAGS.remove("Delete a tag, by id or name; its transactions stay", runs=LARGE),
    list_route(TAGS, Model.TAG, "List the attachments of a tag"),
    TAGS.own(
        "GET", "transactions", transactions, "List the transactions with a tag", *PARAMETERS, gives=GROUPS
    ),
)  # fmt: skip
