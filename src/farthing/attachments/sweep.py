"""Which contents does nobody need any more? Those without a record are set aside, and go a month later.

What lies aside can still be read, and comes back when it has a record again: because its attachment was restored, or
because the server had been started beside another database by mistake.
"""

from dataclasses import dataclass

from ..storage.blobs import Blobs
from ..storage.unit import Database
from . import store

# An upload is kept before it is recorded: what is younger may still get its record.
GRACE_S = 24 * 60 * 60
ASIDE_S = 30 * 24 * 60 * 60


@dataclass(frozen=True)
class Swept:
    set_aside: int = 0
    brought_back: int = 0
    removed: int = 0


def sweep(database: Database, blobs: Blobs, now: float) -> Swept:
    """Any number of servers may do so at once. `now` is in seconds since 1970."""
    # The contents first, the records after: nothing that is uploaded meanwhile can look abandoned.
    kept = [one for user_id in blobs.user_ids() for one in blobs.of_user(user_id) if one.kept_at < now - GRACE_S]
    aside = list(blobs.aside())
    with database.reading() as db:
        needed = store.all_contents(db)
    lonely = [one for one in kept if (one.user_id, one.sha256) not in needed]
    missed = [one for one in aside if (one.user_id, one.sha256) in needed]
    expired = [one for one in aside if one.kept_at < now - ASIDE_S and (one.user_id, one.sha256) not in needed]
    for one in lonely:
        blobs.set_aside(one.user_id, one.sha256, now)
    for one in missed:
        blobs.bring_back(one.user_id, one.sha256)
    for one in expired:
        blobs.forget(one.user_id, one.sha256)
    return Swept(len(lonely), len(missed), len(expired))
