"""When is something gone for good? When it can no longer be undone: a month later, unless told otherwise."""

from datetime import datetime, timedelta

from ..clock import stamp
from ..storage.unit import Database
from . import store

# So many units of work are forgotten at once; whoever wants to write gets their turn in between.
_BATCH = 200


def forget_old(database: Database, now: datetime, days: int, user_id: int | None = None) -> int:
    """Everybody's, or one user's. Returns how many changes there were."""
    with database.reading() as db:
        old = store.last_before(db, stamp(now - timedelta(days=days)), user_id)
    for of, first, last in old:
        for upto in [*range(first + _BATCH - 1, last, _BATCH), last]:
            with database.writing() as db:
                store.forget(db, of, upto)
    return sum(last - first + 1 for _, first, last in old)
