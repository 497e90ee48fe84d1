"""ETags. Every answer carries one: whose books, as of which revision, on which day.

Any write of the user makes a new revision, so a tag that is still the same promises the same answer, and one query
tells. A write that names a tag goes through unless the object itself was changed after that revision.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from zlib import crc32

from msgspec import Struct

from farthing import __version__
from farthing.kernel.errors import Outdated
from farthing.storage import house, versions

from ..request.call import Call

# Tables whose name differs from that of their resource.
_KINDS = {"transactions": "entries"}
# They belong to no user, so the log of changes does not contain them.
_OF_THE_HOUSE = frozenset(("users", "currencies"))
# Room for dozens of tags, each of which may take a query; the rest is ignored.
_TAGS_CHARACTERS_MAX = 1024
_TAG = re.compile(r'(W/)?"(\d{1,18})\.(\d{1,18})\.(\d{1,18})\.\d{8}\.[0-9a-f]{8}"')


class _Read(Struct, frozen=True):
    """What a tag says about the moment when it was sent."""

    user_id: int
    revision: int
    house_revision: int


def of_reading(call: Call, target: str) -> str:
    return _tag(call, call.caller.revision, call.caller.house_revision, target)


def of_writing(call: Call, path: str, target: str) -> str:
    """The tag that the next read of this address would get."""
    assert call.db.author is not None, "a write takes its user first"
    house_revision = house.revision(call.db) if _resource(path) in _OF_THE_HOUSE else call.caller.house_revision
    return _tag(call, call.db.author.revision, house_revision, target)


def _tag(call: Call, revision: int, house_revision: int, target: str) -> str:
    day = call.today.isoformat().replace("-", "")
    return f'"{call.user_id}.{revision}.{house_revision}.{day}.{_short(_person(call) + call.base + target)}"'


def _person(call: Call) -> str:
    """People in the same books have different roles and page sizes, and changing those makes no revision there."""
    caller = call.caller
    return "" if caller.share is None else f"{caller.user.id} {caller.share.value} {caller.page_size} "


@cache
def _resource(path: str) -> str:
    """Cached without a limit, because there are few routes."""
    return path.split("/", 2)[1]


@lru_cache(maxsize=1024)
def _short(text: str) -> str:
    return f"{crc32((__version__ + text).encode()):08x}"


def is_named(tag: str, header: str) -> bool:
    """For `If-None-Match`, where a tag also matches when a proxy has weakened it."""
    return tag in (one.strip().removeprefix("W/") for one in header[:_TAGS_CHARACTERS_MAX].split(","))


def refuse_outdated(call: Call, path: str, header: str) -> None:
    """For `If-Match`. Objects that do not exist are left to the handler."""
    if header.strip() == "*":
        return
    if not any(_still_holds(call, path, read) for read in _reads(header) if read.user_id == call.user_id):
        raise Outdated("It has changed since you read it, or the tag is not one of ours: read it again, then decide.")


def _reads(header: str) -> Iterator[_Read]:
    for weak, *numbers in _TAG.findall(header[:_TAGS_CHARACTERS_MAX]):
        if not weak:
            user_id, revision, house_revision = map(int, numbers)
            yield _Read(user_id=user_id, revision=revision, house_revision=house_revision)


def _still_holds(call: Call, path: str, read: _Read) -> bool:
    """Compares with the revision as it is now: others may have written while this write waited its turn."""
    assert call.db.author is not None, "a write takes its user first"
    if read.revision >= call.db.author.revision:
        return False  # no such revision yet: the tag is made up, or the books were restored from a backup since
    resource = _resource(path)
    if resource in _OF_THE_HOUSE:
        return read.house_revision == house.revision(call.db)
    if not call.path:  # many objects at once: nothing at all may have changed
        return read.revision == call.db.author.revision - 1
    name = next(iter(call.path.values()))
    if versions.is_forgotten(call.db, call.user_id, read.revision):
        return False
    return not versions.has_changed_since(call.db, call.user_id, _KINDS.get(resource, resource), name, read.revision)
