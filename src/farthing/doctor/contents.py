"""Is every content what its record says, and does every content have a record?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import msgspec

from ..storage.blobs import Blobs, Content, Kept
from ..storage.unit import Row, Unit
from .finding import Finding, Person

# An upload is kept before it is recorded: what is younger than this may still get its record.
GRACE_S = 60 * 60

_RECORDED = """
SELECT sha256, id, filename, md5, size FROM attachments
WHERE user_id = :user_id AND sha256 IS NOT NULL ORDER BY sha256, id
"""
_REMEMBERED = """
SELECT before FROM changes WHERE user_id = :user_id AND kind = 'attachments' AND before IS NOT NULL
"""


@dataclass(frozen=True)
class Contents:
    """Where they are, and what time it is, in seconds since 1970."""

    blobs: Blobs
    now: float

    def settled(self, kept: Iterable[Kept]) -> list[Kept]:
        return [one for one in kept if one.kept_at < self.now - GRACE_S]


def of_user(db: Unit, person: Person, at: Contents) -> Iterator[Finding]:
    known: set[str] = set()
    for sha256, rows in groupby(db.stream(_RECORDED, user_id=person.id), key=itemgetter(0)):
        known.add(sha256)
        yield from _damages(person, list(rows), at.blobs.content(person.id, sha256))
    settled = at.settled(at.blobs.of_user(person.id))
    if any(one.sha256 not in known for one in settled):
        known |= _remembered(db, person)
    orphans = [one for one in settled if one.sha256 not in known]
    if orphans:
        sentence = f"{_counted(orphans)} without a record, such as {min(one.sha256 for one in orphans)}."
        yield person.finding("orphan", sentence, kept=len(orphans), true=0)


def of_nobody(people: Iterable[int], at: Contents) -> Iterator[Finding]:
    """What is left of users who are gone."""
    for user_id in sorted(set(at.blobs.user_ids()) - set(people)):
        orphans = at.settled(at.blobs.of_user(user_id))
        if orphans:
            sentence = f"{_counted(orphans)} of user {user_id}, who is no longer there."
            yield Finding("orphan", sentence, user_id, kept=len(orphans), true=0)


def _remembered(db: Unit, person: Person) -> set[str]:
    """Contents of attachments that were deleted or replaced stay as long as the log of changes speaks of them."""
    return {msgspec.json.decode(before).get("sha256") for (before,) in db.stream(_REMEMBERED, user_id=person.id)}


def _damages(person: Person, rows: list[Row], content: Content | None) -> Iterator[Finding]:
    for sha256, attachment_id, filename, md5, size in rows:
        if content != Content(sha256, md5, size):
            yield person.finding(
                "content",
                f"attachment {attachment_id} '{filename}': {_what_is_wrong(content, size)}.",
                kept=content.size if content else None,
                true=size,
            )


def _what_is_wrong(content: Content | None, size: int) -> str:
    if content is None:
        return "its content is missing"
    if content.size != size:
        return f"its content has {content.size} bytes, but was recorded with {size}"
    return "its content is not the one that was recorded, though of the same size"


def _counted(orphans: list[Kept]) -> str:
    total = sum(one.size for one in orphans)
    return f"there {'is 1 content' if len(orphans) == 1 else f'are {len(orphans)} contents'} of {total} bytes"
