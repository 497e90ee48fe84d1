"""Makes and compares ETags. Each ETag contains the books' id, their revision and the current day.

Every write creates a new revision of the books, so equal tags mean equal answers, and the revision is all that has to
be looked up. A write with an `If-Match` header is refused only if the object itself was changed after the revision in
that header.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from zlib import crc32

from msgspec import Struct

from farthing import __version__
from farthing.identity.user import ApiVersion
from farthing.kernel.errors import Outdated
from farthing.kernel.languages import is_translated
from farthing.storage import installation
from farthing.storage.change_log import versions

from ..request.call import Call

# Tables whose name differs from that of their resource.
_KINDS = {
    "transactions": "entries", "transaction_journals": "entries", "subscriptions": "bills",
    "transaction_links": "entry_links",
}  # fmt: skip
# Paths in which not the first name identifies the object: the table, and the name.
_DEEPER = {"/budgets/{id}/limits/{limitId}": ("budget_limits", "limitId")}
# These tables belong to no user, so the log of changes does not contain them.
_SHARED_TABLES = frozenset(("users", "currencies"))
# Enough for dozens of tags, each of which may cost a query. Anything beyond this length is ignored.
_TAGS_CHARACTERS_MAX = 1024
_TAG = re.compile(r'(W/)?"(\d{1,18})\.(\d{1,18})\.(\d{1,18})\.\d{8}\.[0-9a-f]{8}"')


class _ParsedTag(Struct, frozen=True):
    """Holds the revisions in a tag, that is, the state of the books when the tag was sent."""

    user_id: int
    revision: int
    installation_revision: int


def of_reading(call: Call, target: str) -> str:
    return _tag(call, call.caller.revision, call.caller.installation_revision, target)


def of_writing(call: Call, path: str, target: str) -> str:
    """Returns the tag that a GET of this address would return after this write."""
    assert call.db.author is not None, "a write takes its user first"
    installation_revision = (
        installation.revision(call.db) if _resource(path) in _SHARED_TABLES else call.caller.installation_revision
    )
    return _tag(call, call.db.author.revision, installation_revision, target)


def _tag(call: Call, revision: int, installation_revision: int, target: str) -> str:
    day = call.today.isoformat().replace("-", "")
    return f'"{call.user_id}.{revision}.{installation_revision}.{day}.{_shorten(_person(call) + call.base + target)}"'


def _person(call: Call) -> str:
    """Returns a text that differs between the members of the same books, and between languages.

    It contains the member's role and page size, which may change without a new revision.
    """
    caller = call.caller
    language = f"{call.language} " if is_translated(call.language) else ""
    return language if caller.share is None else f"{language}{caller.user.id} {caller.share.value} {caller.page_size} "


@cache
def _resource(path: str) -> str:
    """Returns the resource of a path, with underscores. The cache has no limit, because there are few routes."""
    return path.split("/", 2)[1].replace("-", "_")


@lru_cache(maxsize=1024)
def _shorten(text: str) -> str:
    return f"{crc32((__version__ + text).encode()):08x}"


def is_named(tag: str, header: str) -> bool:
    """Returns whether an `If-None-Match` header contains the tag, even if a proxy has marked the tag as weak."""
    return tag in (text.strip().removeprefix("W/") for text in header[:_TAGS_CHARACTERS_MAX].split(","))


def refuse_outdated(call: Call, path: str, header: str) -> None:
    """Refuses a write whose `If-Match` is outdated. Whether the object exists at all is checked by the handler."""
    if header.strip() == "*":
        return
    if not any(_is_current(call, path, tag) for tag in _parse_tags(header) if tag.user_id == call.user_id):
        raise Outdated(
            "This object has changed since you read it, or the tag is invalid. Read it again before you change it."
        )


def _parse_tags(header: str) -> Iterator[_ParsedTag]:
    for weak, *numbers in _TAG.findall(header[:_TAGS_CHARACTERS_MAX]):
        if not weak:
            user_id, revision, installation_revision = map(int, numbers)
            yield _ParsedTag(user_id=user_id, revision=revision, installation_revision=installation_revision)


def _is_current(call: Call, path: str, tag: _ParsedTag) -> bool:
    """Compares the tag with the current revision: other writes may have finished while this one waited for its turn."""
    assert call.db.author is not None, "a write takes its user first"
    if tag.revision >= call.db.author.revision:
        return False  # no such revision yet: the tag is invented, or the books have been restored from a backup
    resource = _resource(path).replace("-", "_")
    if resource in _SHARED_TABLES:
        return tag.installation_revision == installation.revision(call.db)
    if not call.path:  # many objects at once: nothing at all may have changed
        return tag.revision == call.db.author.revision - 1
    kind, parameter = _DEEPER.get(path) or (_KINDS.get(resource, resource), next(iter(call.path)))
    if versions.is_forgotten(call.db, call.user_id, tag.revision):
        return False
    # Version 1 addresses a transaction by the id of a split, version 6 by its own.
    by_split = kind == "entries" and (call.api_version is ApiVersion.V1 or resource != "transactions")
    return not versions.has_changed_since(
        call.db, call.user_id, kind, call.path[parameter], tag.revision, by_split=by_split
    )
