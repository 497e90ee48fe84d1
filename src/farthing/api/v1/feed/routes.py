"""Serves the feed of changes."""

from collections import defaultdict

from msgspec import UNSET

from farthing.care.changes import feed
from farthing.http.answer.document import Thing
from farthing.http.request.call import Answer, Call
from farthing.http.route import LARGE, Parameter, Route
from farthing.kernel.errors import Gone, Invalid, refuse_field

from . import objects, wire

_LIMIT = 100


def index(call: Call) -> Answer:
    """Answers with the page after the cursor or, without one, with the cursor of now."""
    kinds, with_objects = _read_kinds(call), "objects" in call.query.get("include", "").split(",")
    limit = _read_limit(call)
    if with_objects:
        objects.refuse_out_of_scope(call, kinds)
    after, revision = call.query.get("after"), call.caller.revision
    if not after:
        return Answer(wire.show_end(feed.find_end(call.db, call.user_id, revision)))
    page = feed.read(call.db, call.user_id, feed.parse(after), revision, limit=limit, kinds=kinds)
    shown = wire.show(page)
    if with_objects:
        _add_objects(call, shown)
    return Answer(shown)


def _read_kinds(call: Call) -> list[str]:
    kinds = [kind.strip() for kind in call.query.get("kinds", "").split(",") if kind.strip()]
    if any(kind not in feed.TABLES for kind in kinds):
        refuse_field("kinds", f"The kinds must be some of: {', '.join(sorted(feed.TABLES))}.")
    return kinds or sorted(feed.TABLES)


def _read_limit(call: Call) -> int:
    limit = call.number("limit")
    if limit is not None and not 1 <= limit <= feed.ITEMS_MAX:
        refuse_field("limit", f"The limit must be between 1 and {feed.ITEMS_MAX}.")
    return limit or _LIMIT


def _add_objects(call: Call, page: wire.FeedShown) -> None:
    """Adds each object that still exists, and the relations that its own address always includes."""
    ids: dict[str, list[int]] = defaultdict(list)
    for item in page.data:
        if item.action != wire.DELETED:
            ids[item.kind].append(int(item.id))
    shown: dict[tuple[str, str], Thing[object]] = {}
    related: dict[tuple[str, str], Thing[object]] = {}
    for kind, of in ids.items():
        document = objects.show_all(call, kind, of)
        shown |= {(kind, thing.id): thing for thing in document.data}
        related |= {(thing.type, thing.id): thing for thing in document.included or ()}
    for item in page.data:
        item.object = shown.get((item.kind, item.id))
    page.included = list(related.values()) or UNSET


_PARAMETERS = (
    Parameter("after", {"type": "string"}, "The cursor after which to read. If omitted, you get the cursor of now."),
    Parameter(
        "kinds",
        {"type": "string"},
        f"Lists only objects of these kinds, comma-separated: {', '.join(sorted(feed.TABLES))}.",
    ),
    Parameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": feed.ITEMS_MAX, "default": _LIMIT},
        "Objects per page. All splits of a transaction that changed are on the same page, even beyond the limit.",
    ),
    Parameter(
        "include",
        {"type": "string", "enum": ["objects"]},
        "Adds each object as it is now. A token with scopes must be allowed to read all the `kinds`.",
    ),
)

ROUTES = (
    Route(
        "GET", "/changes/feed", index, "Follow what was made, changed and deleted, oldest first",
        gives=wire.FeedShown, parameters=_PARAMETERS, runs=LARGE, fails=(Invalid, Gone),
    ),
)  # fmt: skip
