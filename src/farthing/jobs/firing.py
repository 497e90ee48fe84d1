"""Fires due recurrences. Each unit of work is for one user and a few days, so that locks are held only briefly."""

import logging
import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from msgspec import Struct

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
# How many transactions one unit of work creates before other writers get their turn.
AT_ONCE = 50
_SKIPPED = "the recurrences of user %d failed and were skipped; those of other users are fired"
_ENOUGH_FOR = timedelta(hours=1)
_NEVER = (None, None, datetime.min.replace(tzinfo=UTC))


def fire_everyone(database: Database, clock: Clock, as_of: date | None = None) -> Iterator[fire.FiringResult]:
    """Fires everything due by a day, or by today in each user's time zone. It is safe to run this repeatedly."""
    return Firer(database, clock).fire_everyone(as_of)


class Firer(Struct):
    """Fires recurrences repeatedly. Retries a user's failures after an hour, or when something else is due."""

    _database: Database
    _clock: Clock
    # Makes the order of users random, so that several servers seldom work for the same user at once.
    _chance: random.Random | None = None
    # The last attempt for each user: what was due, the user's day, and when to retry if neither changes.
    _tried: dict[int, tuple[UserWithDue, date, datetime]] = {}
    # The users who may have more to fire, each with the recurrences that are finished.
    _begun: dict[int, set[int]] = {}

    @property
    def has_more(self) -> bool:
        return bool(self._begun)

    def fire_everyone(self, as_of: date | None = None) -> Iterator[fire.FiringResult]:
        """Fires a few recurrences of each user in turn. Callers may stop early, and call again while `has_more`."""
        now = self._clock.now()
        with self._database.reading() as db:
            waiting = store.find_waiting(db, as_of or (now + _FURTHEST_EAST).date())
        if self._chance:
            self._chance.shuffle(waiting)
        for due in waiting:
            if due.user_id in self._begun or self._begin_guarded(due, as_of, now):
                yield from self._fire_some(due.user_id, as_of)
        while self._begun:
            for user_id in list(self._begun):
                yield from self._fire_some(user_id, as_of)

    def _begin_guarded(self, due: UserWithDue, as_of: date | None, now: datetime) -> bool:
        try:
            return self._begin(due, as_of, now)
        except FarthingError:
            raise  # the database is unavailable for all users
        except Exception:
            _LOG.exception(_SKIPPED, due.user_id)
            return False

    def _begin(self, due: UserWithDue, as_of: date | None, now: datetime) -> bool:
        day = as_of or today_in(due.timezone, now)
        waited, on, until = self._tried.get(due.user_id, _NEVER)
        was_tried = waited == due and on == day and now < until
        if due.due_on > day or was_tried or not self._is_still_due(due.user_id, day):
            return False
        self._tried[due.user_id] = (due, day, now + _ENOUGH_FOR)
        self._begun[due.user_id] = set()
        return True

    def _fire_some(self, user_id: int, as_of: date | None) -> list[fire.FiringResult]:
        """Fires a few recurrences of one user. The user stays in `_begun` if there may be more."""
        done, more = self._begun.pop(user_id), False
        try:
            with self._database.writing() as db:
                fired, more = _fire_some(db, user_id, self._clock, as_of, done)
        except FarthingError:
            self._tried.pop(user_id, None)
            raise  # the database is unavailable for all users
        except Exception:
            _LOG.exception(_SKIPPED, user_id)
            return []
        if more:
            self._begun[user_id] = done
        return fired

    def _is_still_due(self, user_id: int, day: date) -> bool:
        """Checks that no other server has fired everything. Only reads, so that the user is not locked needlessly."""
        with self._database.reading() as db:
            return store.has_due(db, user_id, day)


def _fire_some(
    db: Unit, user_id: int, clock: Clock, as_of: date | None, done: set[int]
) -> tuple[list[fire.FiringResult], bool]:
    """Fires a few recurrences, or a few days of one. Also returns whether there may be more to fire."""
    now = clock.now()
    try:
        users.take(db, user_id, token_id=None, now=stamp(now), doing=fire.DOING)
    except Unauthenticated:
        return [], False  # the user was just deleted
    chosen = preferences.values(db, user_id, ["timezone", "recurrenceCatchUp"])
    today = today_in(str(chosen["timezone"]), now)
    at = fire.FiringTime(as_of or today, today, str(chosen["recurrenceCatchUp"]), stamp(now))
    fired = fire.fire_user(db, user_id, at, most=AT_ONCE, done=done)
    changes.hide_if_empty(db)
    return fired
