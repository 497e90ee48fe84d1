"""Sets the contents of deleted attachments aside, and deletes them a month later.

Contents that were set aside can still be read. They are brought back if an attachment refers to them again, for example
because the attachment was restored, or because the server had been started with the wrong database. Contents are not
deleted while the change log refers to them, because an undo would need them.
"""

from datetime import UTC, datetime

from msgspec import Struct

from farthing.kernel.clock import stamp
from farthing.storage.blobs import Blobs
from farthing.storage.unit import Database

from . import contents, store

# A file is stored before its upload is recorded, so the record of a file younger than this may still follow.
GRACE_S = 24 * 60 * 60
ASIDE_S = 30 * 24 * 60 * 60


class Swept(Struct, frozen=True):
    set_aside: int = 0
    brought_back: int = 0
    removed: int = 0


def sweep(database: Database, blobs: Blobs, now: float) -> Swept:
    """Sets aside contents that no attachment needs any more, and removes those that were set aside long ago.

    Several servers may do this at the same time. `now` is in seconds since 1970.
    """
    # Contents are listed before records, so that an upload made meanwhile cannot look abandoned.
    present = [content for user_id in blobs.user_ids() for content in blobs.of_user(user_id)]
    stored = [content for content in present if content.kept_at < now - GRACE_S]
    aside = list(blobs.aside())
    with database.reading() as db:
        recorded = store.all_contents(db)
        unused = [content for content in stored if (content.user_id, content.sha256) not in recorded]
        missed = [content for content in aside if (content.user_id, content.sha256) in recorded]
        old = [content for content in aside if content.kept_at < now - ASIDE_S]
        expired = [content for content in old if (content.user_id, content.sha256) not in recorded]
        logged = store.logged_contents(db, {content.user_id for content in expired})
        counted = contents.list_all(db)
    expired = [content for content in expired if (content.user_id, content.sha256) not in logged]
    for content in unused:
        blobs.set_aside(content.user_id, content.sha256, now)
    for content in missed:
        blobs.bring_back(content.user_id, content.sha256)
    before = stamp(datetime.fromtimestamp(now - GRACE_S, UTC))
    removed = [content for content in expired if contents.discharge(database, content.user_id, content.sha256, before)]
    for content in removed:
        blobs.forget(content.user_id, content.sha256)
    for content in [*stored, *aside]:
        if (content.user_id, content.sha256) not in counted and content not in removed:
            contents.charge_stored(database, content, before)
    existing = {(content.user_id, content.sha256) for content in [*present, *aside]}
    for user_id, sha256 in counted - existing - recorded:  # charges left by a crash before storing
        contents.discharge(database, user_id, sha256, before)
    return Swept(set_aside=len(unused), brought_back=len(missed), removed=len(removed))
