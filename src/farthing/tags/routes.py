"""What can be done with tags over HTTP?"""

from typing import Any

from ..errors import refuse
from ..fields import parse
from ..http.call import NOTHING, Answer, Call, found
from ..http.document import Item, Page
from ..http.includes import include, registry
from ..http.pages import asked, page
from ..http.route import PAGED, RANGED, Parameter, Route
from ..labels.forget import forget
from ..labels.listing import OWNER, taken
from ..recurrences import labels as recurrences
from ..rules import store as rules
from ..transactions import listing
from . import store, wire
from .listing import TagThing, things
from .model import Draft, Tag


def index(call: Call) -> Answer:
    at = asked(call)
    total, tags = store.page(call.db, call.user_id, limit=at.size, offset=at.offset)
    document = page(call, "/tags", list(things(call, tags).values()), total)
    include(call, document, tags, INCLUDES)
    return Answer(document)


def show(call: Call) -> Answer:
    return _answer(call, _found(call))


def create(call: Call) -> Answer:
    tag_id = store.add(call.db, call.user_id, _draft(call, 0), call.now)
    return _answer(call, found(store.get(call.db, call.user_id, tag_id)))


def change(call: Call) -> Answer:
    tag = _found(call)
    draft = _draft(call, tag.id)
    store.change(call.db, call.user_id, tag.id, draft, call.now)
    if draft.name != tag.name:
        recurrences.rename_tag(call.db, call.user_id, tag.name, draft.name)
        rules.rename(call.db, call.user_id, "tags", tag.name, draft.name, call.now)
    return _answer(call, found(store.get(call.db, call.user_id, tag.id)))


def remove(call: Call) -> Answer:
    forget(call.db, call.user_id, "tags", _found(call).id)
    return NOTHING


def transactions(call: Call) -> Answer:
    return listing.of_label(call, "tags", _found(call).id)


def _found(call: Call) -> Tag:
    """By id, or by name in any case. Digits are always an id: asked twice, a deletion must not hit two tags."""
    word = call.path["id"].strip()
    if word.isascii() and word.isdigit():
        return found(store.get(call.db, call.user_id, call.id))
    return found(store.named(call.db, call.user_id, word) if "\0" not in word else None)


def _draft(call: Call, tag_id: int) -> Draft:
    parsed = parse(wire.TagBody, call.fields)
    refuse([*parsed.problems, *wire.problems(parsed), *taken(call, "tags", "tag", parsed.values.tag, tag_id)])
    return wire.draft(parsed.values)


def _answer(call: Call, tag: Tag) -> Answer:
    document = Item(things(call, [tag])[tag.id])
    include(call, document, [tag], INCLUDES_OF_ONE)
    return Answer(document)


INCLUDES = registry(OWNER, listing.newest_with("tags"))
INCLUDES_OF_ONE = registry(OWNER, listing.page_with("tags"))
_ONE: Any = Item[TagThing]
_ID = Parameter(
    "id", {"type": "string", "minLength": 1}, "The id of the tag, or its name in any case; digits are always an id."
)

ROUTES = (
    Route(
        "GET", "/tags", index, "List tags, with their counts",
        gives=Page[TagThing], parameters=(*RANGED, *PAGED), includes=INCLUDES,
    ),
    Route(
        "POST", "/tags", create, "Make a tag",
        gives=_ONE, takes=wire.TagBody, requires=wire.REQUIRED, includes=INCLUDES_OF_ONE,
    ),
    Route(
        "GET", "/tags/{id}", show, "Show a tag, by id or name",
        gives=_ONE, parameters=(_ID, *RANGED, *PAGED), includes=INCLUDES_OF_ONE,
    ),
    Route(
        "PUT", "/tags/{id}", change, "Change a tag, by id or name; what is left out is blanked",
        gives=_ONE, takes=wire.TagBody, requires=wire.REQUIRED, parameters=(_ID,), includes=INCLUDES_OF_ONE,
    ),
    Route(
        "DELETE", "/tags/{id}", remove, "Delete a tag, by id or name; its transactions stay",
        parameters=(_ID,), heavy=True,
    ),
    Route(
        "GET", "/tags/{id}/transactions", transactions, "List the transactions with a tag, by id or name",
        gives=Page[listing.TransactionThing], parameters=(_ID, *listing.PARAMETERS), includes=listing.INCLUDES,
    ),
)  # fmt: skip
