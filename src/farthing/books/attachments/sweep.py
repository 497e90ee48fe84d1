"""Sets the contents of deleted attachments aside, and deletes them for good a month later.

A content that was set aside can still be read, and is brought back when a record names it again: because its attachment
was restored, or because the server had been started with another database by mistake. While the log of changes names a
content, it is not deleted: undoing that change would need it.
"""

from datetime import UTC, datetime

from msgspec import Struct

from farthing.kernel.clock import stamp
from farthing.storage.blobs import Blobs
from farthing.storage.unit import Database

from . import contents, store

# An upload is stored before it is recorded: a younger content may still get its record.
GRACE_S = 24 * 60 * 60
ASIDE_S = 30 * 24 * 60 * 60


class Swept(Struct, frozen=True):
    set_aside: int = 0
    brought_back: int = 0
    removed: int = 0


def sweep(database: Database, blobs: Blobs, now: float) -> Swept:
    """Any number of servers may do so at once. `now` is in seconds since 1970."""
    # Contents are listed before records, so that an upload made meanwhile cannot look abandoned.
    there = [one for user_id in blobs.user_ids() for one in blobs.of_user(user_id)]
    stored = [one for one in there if one.kept_at < now - GRACE_S]
    aside = list(blobs.aside())
    with database.reading() as db:
        recorded = store.all_contents(db)
        unused = [one for one in stored if (one.user_id, one.sha256) not in recorded]
        missed = [one for one in aside if (one.user_id, one.sha256) in recorded]
        expired = [one for one in aside if one.kept_at < now - ASIDE_S and (one.user_id, one.sha256) not in recorded]
        logged = store.logged_contents(db, {one.user_id for one in expired})
        counted = contents.list_all(db)
    expired = [one for one in expired if (one.user_id, one.sha256) not in logged]
    for one in unused:
        blobs.set_aside(one.user_id, one.sha256, now)
    for one in missed:
        blobs.bring_back(one.user_id, one.sha256)
    before = _stamp(now - GRACE_S)
    removed = [one for one in expired if contents.discharge(database, one.user_id, one.sha256, before)]
    for one in removed:
        blobs.forget(one.user_id, one.sha256)
    for one in [*stored, *aside]:
        if (one.user_id, one.sha256) not in counted and one not in removed:
            contents.count_found(database, one, before)
    lying = {(one.user_id, one.sha256) for one in [*there, *aside]}
    for user_id, sha256 in counted - lying - recorded:  # a crash came between reserving and storing
        contents.discharge(database, user_id, sha256, before)
    return Swept(set_aside=len(unused), brought_back=len(missed), removed=len(removed))


def _stamp(seconds: float) -> str:
    return stamp(datetime.fromtimestamp(seconds, UTC))
