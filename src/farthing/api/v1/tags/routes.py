"""Serves tags."""

from collections.abc import Sequence

from farthing.books.lifecycle import labels as lifecycle
from farthing.books.tags import store
from farthing.books.tags.model import Tag, TagDraft
from farthing.http.answer.includes import registry
from farthing.http.request.call import NOTHING, Answer, Call, or_404
from farthing.http.route import LARGE, PAGED, RANGED, Parameter
from farthing.kernel.fields import parse
from farthing.overviews.label_months import store as label_months

from ..objects import transactions as listing
from ..objects.labels import OWNER, UNUSED, read_unused
from ..objects.merging import REQUIRED as INTO
from ..objects.merging import MergeBody, find_target
from ..objects.sums import MonthsDocument, answer_months
from ..objects.tags import TagThing, things
from ..resources.lists import answer_one, answer_page
from ..resources.resource import Resource
from . import wire


def index(call: Call) -> Answer:
    only = read_unused(call)
    return answer_page(call, "/tags", store.page, _things, INCLUDES, only, unused=bool(only))


def show(call: Call) -> Answer:
    return _answer(call, _find(call))


def create(call: Call) -> Answer:
    tag_id = store.add(call.db, call.user_id, _draft(call, 0), call.now)
    return _answer(call, or_404(store.get(call.db, call.user_id, tag_id)))


def change(call: Call) -> Answer:
    tag = _find(call)
    lifecycle.change_tag(call.db, call.user_id, tag, _draft(call, tag.id), call.now)
    return _answer(call, or_404(store.get(call.db, call.user_id, tag.id)))


def remove(call: Call) -> Answer:
    lifecycle.remove(call.db, call.user_id, "tags", _find(call).id)
    return NOTHING


def merge(call: Call) -> Answer:
    tag = _find(call)
    into = find_target(call, tag, store.get, noun="tag")
    lifecycle.merge_tag(call.db, call.user_id, tag, into, call.now)
    return _answer(call, into)


def transactions(call: Call) -> Answer:
    return listing.of_label(call, "tags", _find(call).id)


def by_month(call: Call) -> Answer:
    tag = _find(call)
    return answer_months(call, lambda within: label_months.of_label(call.db, call.user_id, "tags", tag.id, within))


def _find(call: Call) -> Tag:
    """Finds a tag by id, or by name in any case. Digits are always an id: a repeated delete cannot hit another tag."""
    word = call.path["id"].strip()
    if word.isascii() and word.isdigit():
        return or_404(store.get(call.db, call.user_id, call.id))
    return or_404(store.get_named(call.db, call.user_id, word) if "\0" not in word else None)


def _draft(call: Call, tag_id: int) -> TagDraft:
    parsed = parse(wire.TagBody, call.fields)
    wire.check(parsed)
    taken = lifecycle.taken_problems(call.db, call.user_id, "tags", parsed.values.tag, field="tag", except_id=tag_id)
    parsed.report_all(taken)
    return wire.draft(parsed)


def _answer(call: Call, tag: Tag) -> Answer:
    return answer_one(call, tag, _things, INCLUDES_OF_ONE)


def _things(call: Call, tags: Sequence[Tag]) -> list[TagThing]:
    return list(things(call, tags).values())


INCLUDES = registry(OWNER, listing.newest_with("tags"))
INCLUDES_OF_ONE = registry(OWNER, listing.page_with("tags"))
_ID = Parameter(
    "id",
    {"type": "string", "minLength": 1},
    "The id of the tag, or its name (case-insensitive). Digits are always an id.",
)
_TAGS = Resource(
    path="/tags",
    shows=TagThing,
    takes=wire.TagBody,
    requires=wire.REQUIRED,
    names=(_ID,),
    includes=INCLUDES,
    includes_of_one=INCLUDES_OF_ONE,
)

ROUTES = (
    _TAGS.index(index, "List tags, with their counts", UNUSED, *RANGED),
    _TAGS.create(create, "Create a tag"),
    _TAGS.show(show, "Show a tag, by id or name", *RANGED, *PAGED),
    _TAGS.change(change, "Change a tag, by id or name; omitted fields are cleared"),
    _TAGS.own(
        "GET", "months", by_month, "Show what was spent and earned with a tag, month by month", *RANGED,
        gives=MonthsDocument,
    ),
    _TAGS.act(
        "merge", merge, "Merge a tag into another, which gets its transactions",
        takes=MergeBody, requires=INTO, runs=LARGE,
    ),
    _TAGS.remove(remove, "Delete a tag, by id or name; its transactions stay", runs=LARGE),
    _TAGS.own(
        "GET", "transactions", transactions, "List the transactions with a tag, by id or name",
        *listing.PARAMETERS, **listing.LISTED,
    ),
)  # fmt: skip
