"""Deletes changes that are too old to be undone."""

from datetime import datetime, timedelta
from functools import partial

from farthing.kernel.clock import stamp
from farthing.storage.turns import ROWS_AT_ONCE, work_off
from farthing.storage.unit import Database

from . import store


def forget_old(
    database: Database, now: datetime, days: int, user_id: int | None = None, *, at_once: int = ROWS_AT_ONCE
) -> int:
    """Deletes old changes of all users, or of one user, and returns their number.

    Deletes changes first and their logged rows later, so that nobody can undo a change whose rows are partly deleted.
    Also removes logged rows that an interrupted call has left behind.
    """
    with database.reading() as db:
        old = store.find_old(db, stamp(now - timedelta(days=days)), user_id)
    for of, _, last in old:
        work_off(database, partial(store.forget, user_id=of, upto=last, limit=at_once, table="revisions"))
    with database.reading() as db:
        left = store.find_orphaned(db, user_id)
    for of, below in left:
        work_off(database, partial(store.forget, user_id=of, upto=below - 1, limit=at_once, table="changes"))
    return sum(last - first + 1 for _, first, last in old)
