"""Serves tags."""

from typing import Any

from farthing.books.lifecycle.labels import tags as lifecycle
from farthing.books.tags import store
from farthing.books.tags.model import Tag, TagDraft
from farthing.http.answer.document import Item, Page
from farthing.http.answer.includes import answer, registry
from farthing.http.answer.pages import page, read_page_request
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, PAGED, RANGED, Parameter, Route
from farthing.kernel.fields import parse
from farthing.overviews.label_months import store as label_months

from ..objects import transactions as listing
from ..objects.labels import OWNER, UNUSED, read_unused
from ..objects.merging import REQUIRED as INTO
from ..objects.merging import MergeBody, find_target
from ..objects.sums import MonthsDocument, answer_months
from ..objects.tags import TagThing, things
from . import wire


def index(call: Call) -> Answer:
    at = read_page_request(call)
    only = read_unused(call)
    total, tags = store.page(call.db, call.user_id, limit=at.size, offset=at.offset, unused=bool(only))
    document = page(call, "/tags", list(things(call, tags).values()), total, only)
    return answer(call, document, tags, INCLUDES)


def show(call: Call) -> Answer:
    return _answer(call, _find(call))


def create(call: Call) -> Answer:
    tag_id = store.add(call.db, call.user_id, _draft(call, 0), call.now)
    return _answer(call, or_404(store.get(call.db, call.user_id, tag_id)))


def change(call: Call) -> Answer:
    tag = _find(call)
    lifecycle.change(call.db, call.user_id, tag, _draft(call, tag.id), call.now)
    return _answer(call, or_404(store.get(call.db, call.user_id, tag.id)))


def remove(call: Call) -> Answer:
    lifecycle.remove(call.db, call.user_id, _find(call).id)
    return NOTHING


def merge(call: Call) -> Answer:
    tag = _find(call)
    into = find_target(call, tag, store.get, noun="tag")
    lifecycle.merge(call.db, call.user_id, tag, into, call.now)
    return _answer(call, into)


def transactions(call: Call) -> Answer:
    return listing.of_label(call, "tags", _find(call).id)


def by_month(call: Call) -> Answer:
    tag = _find(call)
    return answer_months(call, lambda within: label_months.of_label(call.db, call.user_id, "tags", tag.id, within))


def _find(call: Call) -> Tag:
    """By id, or by name ignoring case. Digits are always an id, so that a repeated delete cannot hit a second tag."""
    word = call.path["id"].strip()
    if word.isascii() and word.isdigit():
        return or_404(store.get(call.db, call.user_id, call.id))
    return or_404(store.get_named(call.db, call.user_id, word) if "\0" not in word else None)


def _draft(call: Call, tag_id: int) -> TagDraft:
    parsed = parse(wire.TagBody, call.fields)
    wire.check(parsed)
    parsed.report_all(lifecycle.taken_problems(call.db, call.user_id, parsed.values.tag, except_id=tag_id))
    return wire.draft(parsed)


def _answer(call: Call, tag: Tag) -> Answer:
    return answer(call, Item(things(call, [tag])[tag.id]), [tag], INCLUDES_OF_ONE)


INCLUDES = registry(OWNER, listing.newest_with("tags"))
INCLUDES_OF_ONE = registry(OWNER, listing.page_with("tags"))
_ONE: Any = Item[TagThing]
_ID = Parameter(
    "id", {"type": "string", "minLength": 1}, "The id of the tag, or its name in any case; digits are always an id."
)

ROUTES = (
    Route(
        "GET", "/tags", index, "List tags, with their counts",
        gives=Page[TagThing], parameters=(UNUSED, *RANGED, *PAGED), includes=INCLUDES,
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
        "GET", "/tags/{id}/months", by_month, "Show what was spent and earned with a tag, month by month",
        gives=MonthsDocument, parameters=(_ID, *RANGED),
    ),
    Route(
        "POST", "/tags/{id}/merge", merge, "Merge a tag into another, which gets its transactions",
        gives=_ONE, takes=MergeBody, requires=INTO, parameters=(_ID,), includes=INCLUDES_OF_ONE, runs=LARGE,
    ),
    Route(
        "DELETE", "/tags/{id}", remove, "Delete a tag, by id or name; its transactions stay",
        parameters=(_ID,), runs=LARGE,
    ),
    Route(
        "GET", "/tags/{id}/transactions", transactions, "List the transactions with a tag, by id or name",
        gives=Page[listing.TransactionThing], parameters=(_ID, *listing.PARAMETERS), includes=listing.INCLUDES,
    ),
)  # fmt: skip
