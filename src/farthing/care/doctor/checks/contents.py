"""Checks that attachments have their contents, contents have records, and stored bytes are counted correctly."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

import msgspec
from msgspec import Struct

from farthing.storage.blobs import Blobs, Content, StoredContent
from farthing.storage.unit import Row, Unit

from .basics.finding import DoctorFinding, Person

# Uploads are stored before they are recorded, so a stored content younger than this may have no record yet.
GRACE_S = 60 * 60

_RECORDED = """
SELECT sha256, id, filename, md5, size FROM attachments
WHERE user_id = :user_id AND sha256 IS NOT NULL ORDER BY sha256, id
"""
# The contents of deleted or replaced attachments that the log of changes still needs.
_REMEMBERED = """
SELECT before FROM changes WHERE user_id = :user_id AND kind = 'attachments' AND before IS NOT NULL
"""

_STORED_SUMS = """
SELECT u.content_bytes, (SELECT COALESCE(SUM(size), 0) FROM contents WHERE user_id = u.id),
    u.answer_bytes,
    (SELECT COALESCE(SUM(octet_length(headers) + octet_length(body)), 0) FROM answers WHERE user_id = u.id)
FROM users u WHERE u.id = :user_id
"""
_UNCOUNTED = """
SELECT COUNT(DISTINCT a.sha256) FROM attachments a
LEFT JOIN contents c ON c.user_id = a.user_id AND c.sha256 = a.sha256
WHERE a.user_id = :user_id AND a.sha256 IS NOT NULL AND c.sha256 IS NULL
"""


class Contents(Struct, frozen=True):
    """Holds the storage to check, and the current time in seconds since 1970."""

    blobs: Blobs
    now: float

    def list_settled(self, stored: Iterable[StoredContent]) -> list[StoredContent]:
        return [content for content in stored if content.kept_at < self.now - GRACE_S]


def of_user(db: Unit, person: Person, at: Contents) -> Iterator[DoctorFinding]:
    recorded_hashes: set[str] = set()
    listed = {content.sha256: content for content in at.blobs.of_user(person.id)}
    for sha256, group in groupby(db.stream(_RECORDED, user_id=person.id), key=itemgetter(0)):
        recorded_hashes.add(sha256)
        rows = list(group)
        _, _, _, md5, size = rows[0]
        recorded = Content(sha256=sha256, md5=md5, size=size)
        yield from _damages(person, rows, _find_content(at.blobs, person.id, recorded, listed.get(sha256)))
    settled = at.list_settled(listed.values())
    if any(content.sha256 not in recorded_hashes for content in settled):
        rows_before = db.stream(_REMEMBERED, user_id=person.id)
        recorded_hashes |= {msgspec.json.decode(before).get("sha256") for (before,) in rows_before}
    orphans = [content for content in settled if content.sha256 not in recorded_hashes]
    if orphans:
        sentence = f"{_describe_orphans(orphans)} without a record, such as {min(orphan.sha256 for orphan in orphans)}."
        yield person.finding("orphan", sentence, stored=len(orphans), true=0)


def _find_content(blobs: Blobs, user_id: int, recorded: Content, listed: StoredContent | None) -> Content | None:
    """Finds the content of an attachment. Reads the bytes only if the storage does not report the expected hash.

    Reading everything from S3 would be slow and cost money.
    """
    if listed and (listed.md5, listed.size) == (recorded.md5, recorded.size):
        return recorded
    return blobs.content(user_id, recorded.sha256)


def of_nobody(people: Iterable[int], at: Contents) -> Iterator[DoctorFinding]:
    """Finds contents that belong to users who no longer exist."""
    for user_id in sorted(set(at.blobs.user_ids()) - set(people)):
        orphans = at.list_settled(at.blobs.of_user(user_id))
        if orphans:
            sentence = f"{_describe_orphans(orphans)} of user {user_id}, who no longer exists."
            yield DoctorFinding(rule="orphan", sentence=sentence, user_id=user_id, stored=len(orphans), true=0)


def _damages(person: Person, rows: list[Row], content: Content | None) -> Iterator[DoctorFinding]:
    for sha256, attachment_id, filename, md5, size in rows:
        if content != Content(sha256=sha256, md5=md5, size=size):
            yield person.finding(
                "content",
                f"attachment {attachment_id} '{filename}': {_what_is_wrong(content, size)}.",
                stored=content.size if content else None,
                true=size,
            )


def _what_is_wrong(content: Content | None, size: int) -> str:
    if content is None:
        return "its content is missing"
    if content.size != size:
        return f"its content has {content.size} bytes, but was recorded with {size}"
    return "its content is damaged: it has the recorded size, but another hash"


def _describe_orphans(orphans: list[StoredContent]) -> str:
    total = sum(orphan.size for orphan in orphans)
    return f"there {'is 1 content' if len(orphans) == 1 else f'are {len(orphans)} contents'} of {total} bytes"


def stored_bytes(db: Unit, person: Person) -> Iterator[DoctorFinding]:
    contents, contents_true, answers, answers_true = db.one(_STORED_SUMS, user_id=person.id) or (0, 0, 0, 0)
    for what, stored, true in (
        ("the contents of attachments", contents, int(contents_true)),
        ("stored answers", answers, int(answers_true)),
    ):
        if stored != true:
            sentence = f"{what}: {stored} bytes are counted, but they add up to {true}."
            yield person.finding("stored", sentence, stored=stored, true=true)
    uncounted = db.value(_UNCOUNTED, user_id=person.id)
    if uncounted:
        sentence = f"{uncounted} contents of attachments are not counted."
        yield person.finding("stored", sentence, stored=0, true=int(uncounted))
