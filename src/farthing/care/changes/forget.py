"""Deletes changes that are too old to be undone."""

from datetime import datetime, timedelta

from farthing.kernel.clock import stamp
from farthing.storage.unit import Database

from . import store

# How many changes are deleted at once; other writers get their turn in between.
_BATCH = 200


def forget_old(database: Database, now: datetime, days: int, user_id: int | None = None) -> int:
    """Of all users, or of one. Returns how many changes were deleted."""
    with database.reading() as db:
        old = store.find_last_before(db, stamp(now - timedelta(days=days)), user_id)
    for of, first, last in old:
        for upto in [*range(first + _BATCH - 1, last, _BATCH), last]:
            with database.writing() as db:
                store.forget(db, of, upto)
    return sum(last - first + 1 for _, first, last in old)
