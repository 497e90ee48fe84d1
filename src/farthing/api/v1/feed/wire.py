"""Shows pages of the feed."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from farthing.care.changes.feed import Cursor, FeedItem, FeedPage
from farthing.http.answer.document import Thing

DELETED = "deleted"
_ACTIONS = {"created": "made", "changed": "changed", "removed": DELETED}


class FeedObject(Struct, gc=False):
    """`action` is `made`, `changed` or `deleted`, and `id` is the id in the object's address.

    `revision` is the revision of the object's last change on this page. `object` is the object as it is now, as its own
    address shows it. It is null for deleted objects, for webhooks, which only some members may see, and for groups of
    bills and piggy banks.
    """

    kind: str
    id: str
    action: str
    revision: int
    object: Thing[Any] | UnsetType | None = UNSET


class FeedMeta(Struct, gc=False):
    """`cursor` is what to send as `after` next time. `more` is true if there is more to read at once."""

    cursor: str
    more: bool


class FeedShown(Struct, gc=False):
    data: list[FeedObject]
    meta: FeedMeta
    included: list[Thing[Any]] | UnsetType = UNSET


class Event(Struct, gc=False):
    """Holds the changes since the event before. `revision` is the current one of the books."""

    revision: int
    changes: list[FeedObject]


def show(page: FeedPage) -> FeedShown:
    return FeedShown([show_item(item) for item in page.items], FeedMeta(str(page.cursor), page.more))


def show_end(cursor: Cursor) -> FeedShown:
    return FeedShown([], FeedMeta(str(cursor), more=False))


def show_item(item: FeedItem) -> FeedObject:
    return FeedObject(item.kind, str(item.id), _ACTIONS[item.action], item.revision)
