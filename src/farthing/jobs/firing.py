"""Fires the recurrences that are due, one user per unit of work, and a few days at once to keep the lock short."""

import logging
import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from farthing.books.preferences import store as preferences
from farthing.books.recurrences import fire, store
from farthing.books.recurrences.model import UserWithDue
from farthing.identity import users
from farthing.kernel.clock import Clock, stamp, today_in
from farthing.kernel.errors import FarthingError, Unauthenticated
from farthing.storage.change_log import changes
from farthing.storage.unit import Database, Unit

_LOG = logging.getLogger("farthing.jobs")
# The time zone furthest east is fourteen hours ahead of UTC.
_FURTHEST_EAST = timedelta(hours=14)
# How many transactions of one recurrence are made before other writers get their turn.
AT_ONCE = 50
_NOT_LOOKED_AT = "the recurrences of user %d were not looked at; everybody else's are"
_ENOUGH_FOR = timedelta(hours=1)
_NEVER = (None, None, datetime.min.replace(tzinfo=UTC))


def fire_everyone(database: Database, clock: Clock, as_of: date | None = None) -> Iterator[fire.FiringResult]:
    """As of a day, or of each user's own today. Safe to run anywhere, at any time, any number of times."""
    return Firer(database, clock).fire_everyone(as_of)


class Firer:
    """Fires repeatedly. Retries failures after an hour, or when something else is due."""

    def __init__(self, database: Database, clock: Clock, chance: random.Random | None = None) -> None:
        """With `chance`, the order of users is random, so that several servers seldom meet at the same one."""
        self._database = database
        self._clock = clock
        self._chance = chance
        # By user: what was due at the last attempt, the user's day then, and when to try again if nothing changes.
        self._tried: dict[int, tuple[UserWithDue, date, datetime]] = {}
        # Those of whom only some were fired, and the recurrences that they are through with.
        self._begun: dict[int, set[int]] = {}

    @property
    def has_more(self) -> bool:
        return bool(self._begun)

    def fire_everyone(self, as_of: date | None = None) -> Iterator[fire.FiringResult]:
        """Some of each user in turn. Whoever stops listening calls it again soon, as long as there `has_more`."""
        now = self._clock.now()
        with self._database.reading() as db:
            waiting = store.find_waiting(db, as_of or (now + _FURTHEST_EAST).date())
        if self._chance:
            self._chance.shuffle(waiting)
        for one in waiting:
            if one.user_id in self._begun or self._begin_guarded(one, as_of, now):
                yield from self._fire_some(one.user_id, as_of)
        while self._begun:
            for user_id in list(self._begun):
                yield from self._fire_some(user_id, as_of)

    def _begin_guarded(self, one: UserWithDue, as_of: date | None, now: datetime) -> bool:
        try:
            return self._begin(one, as_of, now)
        except FarthingError:
            raise  # the database is away, for all users
        except Exception:
            _LOG.exception(_NOT_LOOKED_AT, one.user_id)
            return False

    def _begin(self, one: UserWithDue, as_of: date | None, now: datetime) -> bool:
        day = as_of or today_in(one.timezone, now)
        if one.due_on > day or self._was_tried(one, day, now) or not self._is_still_due(one.user_id, day):
            return False
        self._tried[one.user_id] = (one, day, now + _ENOUGH_FOR)
        self._begun[one.user_id] = set()
        return True

    def _fire_some(self, user_id: int, as_of: date | None) -> list[fire.FiringResult]:
        """Of one user, who comes again if there may be more."""
        done, more = self._begun.pop(user_id), False
        try:
            with self._database.writing() as db:
                fired, more = _fire_some(db, user_id, self._clock, as_of, done)
        except FarthingError:
            self._tried.pop(user_id, None)
            raise  # the database is away, for all users
        except Exception:
            _LOG.exception(_NOT_LOOKED_AT, user_id)
            return []
        if more:
            self._begun[user_id] = done
        return fired

    def _was_tried(self, one: UserWithDue, day: date, now: datetime) -> bool:
        waited, on, until = self._tried.get(one.user_id, _NEVER)
        return waited == one and on == day and now < until

    def _is_still_due(self, user_id: int, day: date) -> bool:
        """Another server may have been faster. Asked in a read, because a write would lock the user for nothing."""
        with self._database.reading() as db:
            return store.has_due(db, user_id, day)


def _fire_some(
    db: Unit, user_id: int, clock: Clock, as_of: date | None, done: set[int]
) -> tuple[list[fire.FiringResult], bool]:
    """Some recurrences, or a part of the days of one; and whether there may be more."""
    now = clock.now()
    try:
        users.take(db, user_id, token_id=None, now=stamp(now), doing=fire.DOING)
    except Unauthenticated:
        return [], False  # deleted a moment ago
    chosen = preferences.values(db, user_id, ["timezone", "recurrenceCatchUp"])
    today = today_in(str(chosen["timezone"]), now)
    at = fire.FiringTime(as_of or today, today, str(chosen["recurrenceCatchUp"]), stamp(now))
    fired = fire.fire_user(db, user_id, at, most=AT_ONCE, done=done)
    changes.hide_if_empty(db)
    return fired
