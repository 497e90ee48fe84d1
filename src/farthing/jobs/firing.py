"""Whose recurrences are due? One user per unit of work, and only as many days at once as keeps the lock short."""

from collections.abc import Iterator
from datetime import date, timedelta

from ..clock import Clock, stamp, today_in
from ..errors import FarthingError
from ..preferences import store as preferences
from ..recurrences import fire, store
from ..storage.unit import Database, Unit
from ..users import store as users

# Nowhere on earth is it later than fourteen hours after UTC.
_FURTHEST_EAST = timedelta(hours=14)
# So many transactions of one recurrence are made before other writers get their turn.
_AT_ONCE = 50


def fire_everyone(database: Database, clock: Clock, as_of: date | None = None) -> Iterator[fire.Fired]:
    """As of a day, or of each user's own today. Safe to run anywhere, at any time, any number of times."""
    latest = as_of or (clock.now() + _FURTHEST_EAST).date()
    with database.reading() as db:
        user_ids = store.users_due(db, latest)
    for user_id in user_ids:
        yield from _fire_user(database, user_id, clock, as_of)


def _fire_user(database: Database, user_id: int, clock: Clock, as_of: date | None) -> Iterator[fire.Fired]:
    looked_at: set[int] = set()
    while True:
        with database.writing() as db:
            fired = _fire_some(db, user_id, clock, as_of, looked_at)
        if fired is None:
            return
        if not fired.entry_ids:
            looked_at.add(fired.recurrence_id)
        if fired.entry_ids or fired.failure:
            yield fired


def _fire_some(db: Unit, user_id: int, clock: Clock, as_of: date | None, looked_at: set[int]) -> fire.Fired | None:
    """One recurrence, or a part of its days; None when nothing is due any more."""
    now = clock.now()
    try:
        users.take(db, user_id, token_id=None, now=stamp(now), doing=fire.DOING)
    except FarthingError:
        return None  # deleted a moment ago
    today = today_in(str(_preference(db, user_id, "timezone") or "UTC"), now)
    day = as_of or today
    due = [one for one in store.due(db, user_id, day) if one.id not in looked_at]
    if not due:
        return None
    at = fire.Moment(day, today, str(_preference(db, user_id, "recurrenceCatchUp")), stamp(now))
    return fire.fire(db, user_id, due[0], at, most=_AT_ONCE)


def _preference(db: Unit, user_id: int, name: str) -> object:
    kept = preferences.named(db, user_id, name)
    return kept.data if kept else None
