"""Charges stored file contents to the quotas of their users.

Files with the same contents are charged only once per user, from just before the contents are stored until the sweep
deletes them.
"""

from collections.abc import Iterable

from farthing.storage import quotas
from farthing.storage.blobs import Blobs, Content, StoredContent
from farthing.storage.quotas import Stored
from farthing.storage.unit import Database, Unit

from . import mime
from .model import UploadedFile


def reserve(db: Unit, user_id: int, content: Content | UploadedFile, now: str) -> None:
    """Charges a user for contents that are about to be stored, unless they are charged already. Raises OverQuota."""
    statement = "UPDATE contents SET at = :now WHERE user_id = :user_id AND sha256 = :sha256"
    if db.run_and_count(statement, user_id=user_id, sha256=content.sha256, now=now):
        return
    quotas.add(db, user_id, Stored.CONTENTS, content.size)
    if not _insert(db, user_id, content.sha256, content.size, now):  # the same file arrived twice at once
        quotas.free(db, user_id, Stored.CONTENTS, content.size)


def store(blobs: Blobs, user_id: int, pieces: Iterable[bytes]) -> UploadedFile | None:
    """Stores a file that nothing refers to yet. Returns None if the file is empty.

    If nothing refers to the file later either, the sweep deletes it.
    """
    incoming = blobs.receive()
    try:
        for piece in pieces:
            incoming.write(piece)
        if not incoming.size:
            return None
        file = describe(incoming.content(), incoming.look(mime.of))
        incoming.keep(user_id)
        return file
    finally:
        incoming.discard()


def describe(content: Content, media_type: str) -> UploadedFile:
    return UploadedFile(sha256=content.sha256, md5=content.md5, mime=media_type, size=content.size)


def list_all(db: Unit) -> set[tuple[int, str]]:
    """Returns the users and the hashes of all charged contents."""
    return {(user_id, sha256) for user_id, sha256 in db.stream("SELECT user_id, sha256 FROM contents")}


def charge_stored(database: Database, content: StoredContent, now: str) -> None:
    """Charges a user for stored contents that are not charged yet. Does nothing if the user was deleted."""
    with database.writing() as db:
        if quotas.hold(db, content.user_id) and _insert(db, content.user_id, content.sha256, content.size, now):
            quotas.add_stored(db, content.user_id, Stored.CONTENTS, content.size)


def discharge(database: Database, user_id: int, sha256: str, before: str) -> bool:
    """Removes the charge for the contents of a file.

    Returns False if the contents must be kept, because they were uploaded again since `before`.
    """
    with database.writing() as db:
        quotas.hold(db, user_id)
        key = {"user_id": user_id, "sha256": sha256}
        this = "user_id = :user_id AND sha256 = :sha256"
        size = db.value(f"DELETE FROM contents WHERE {this} AND at <= :before RETURNING size", **key, before=before)
        if size is not None:
            quotas.free(db, user_id, Stored.CONTENTS, size)
        return not db.value(f"SELECT 1 FROM contents WHERE {this}", **key)


def _insert(db: Unit, user_id: int, sha256: str, size: int, now: str) -> bool:
    statement = """
    INSERT INTO contents (user_id, sha256, size, at) VALUES (:user_id, :sha256, :size, :now)
    ON CONFLICT (user_id, sha256) DO NOTHING
    """
    return db.run_and_count(statement, user_id=user_id, sha256=sha256, size=size, now=now) > 0
