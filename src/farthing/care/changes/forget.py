"""Deletes changes that are too old to be undone."""

from datetime import datetime, timedelta
from functools import partial

from farthing.kernel.clock import stamp
from farthing.storage.turns import work_off
from farthing.storage.unit import Database

from . import store

# How many rows are deleted by one statement, in a few milliseconds.
AT_ONCE = 200


def forget_old(
    database: Database, now: datetime, days: int, user_id: int | None = None, *, at_once: int = AT_ONCE
) -> int:
    """Of all users, or of one. Returns how many changes were deleted.

    First the changes themselves, so that nobody can undo one of which a part is gone; then the rows they logged, also
    those that somebody who was stopped halfway left behind.
    """
    with database.reading() as db:
        old = store.find_last_before(db, stamp(now - timedelta(days=days)), user_id)
    for of, _, last in old:
        work_off(database, partial(store.forget, user_id=of, upto=last, limit=at_once))
    with database.reading() as db:
        left = store.find_unreachable(db, user_id)
    for of, below in left:
        work_off(database, partial(store.forget_images, user_id=of, below=below, limit=at_once))
    return sum(last - first + 1 for _, first, last in old)
