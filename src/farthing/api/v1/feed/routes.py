"""Serves the feed of changes."""

from collections import defaultdict
from functools import partial

from msgspec import UNSET

from farthing.care.changes import feed
from farthing.http.answer.document import Thing, encode
from farthing.http.request.call import Answer, Batch, Call, Pushed
from farthing.http.route import LARGE, Parameter, Pushes, Route
from farthing.identity import callers
from farthing.kernel.errors import Gone, Invalid, refuse_field
from farthing.storage.unit import Unit

from . import objects, wire

_LIMIT = 100
# How many objects an event names at most.
_PUSHED_MAX = 500


def index(call: Call) -> Answer:
    """Answers with the page after the cursor or, without one, with the current cursor."""
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


def events(call: Call) -> Answer:
    """Pushes an event whenever something has changed, with the changes since the last one."""
    kinds, after, revision = _read_kinds(call), call.query.get("after"), call.caller.revision
    if after:
        cursor, opening = feed.parse(after), b""
        feed.refuse_invalid(call.db, call.user_id, cursor, revision)
    else:
        cursor = feed.find_end(call.db, call.user_id, revision)
        opening = _write_event(feed.FeedPage([], cursor, more=False), revision)
    read = partial(_read_batch, user_id=call.user_id, kinds=kinds)
    topic = call.user_id, tuple(kinds)
    return Answer(None, pushed=Pushed(call.caller, str(cursor), opening, topic, read))


def _read_batch(db: Unit, after: str, user_id: int, kinds: list[str]) -> Batch:
    revisions = callers.find_revisions(db, user_id)
    if revisions is None:
        raise Gone("The user was deleted.")
    page = feed.read(db, user_id, feed.parse(after), revisions[0], limit=_PUSHED_MAX, kinds=kinds)
    # Clients that follow all kinds also get events for changes to none of these objects, such as a new member.
    is_sent = page.items or not (page.more or len(kinds) < len(feed.TABLES))
    event = _write_event(page, revisions[0]) if is_sent else b""
    return Batch(event=event, after=str(page.cursor), revision=revisions[0], more=page.more)


def _write_event(page: feed.FeedPage, revision: int) -> bytes:
    shown = wire.Event(revision, [wire.show_item(item) for item in page.items])
    return b"id: %b\ndata: %b\n\n" % (str(page.cursor).encode(), encode(shown))


_AFTER = Parameter(
    "after", {"type": "string"}, "The cursor after which to read. If omitted, the answer has the current cursor."
)
_KINDS = Parameter(
    "kinds",
    {"type": "string"},
    f"Lists only objects of these kinds, comma-separated: {', '.join(sorted(feed.TABLES))}.",
)
_PARAMETERS = (
    _AFTER,
    _KINDS,
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
    Route(
        "GET", "/events", events, "Listen for changes, which are pushed as Server-Sent Events",
        gives=Pushes, parameters=(_AFTER, _KINDS), fails=(Invalid, Gone),
    ),
)  # fmt: skip
