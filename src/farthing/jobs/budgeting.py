"""Creates the automatic limits of budgets, soon after midnight in each user's time zone."""

import logging
from datetime import date, timedelta

from msgspec import Struct

from farthing.books.budgets import store
from farthing.books.budgets.store import UserWithDueLimits
from farthing.books.lifecycle import automatic_limits
from farthing.identity import users
from farthing.kernel.clock import Clock, stamp, today_in
from farthing.kernel.errors import FarthingError, Unauthenticated
from farthing.storage.change_log import changes
from farthing.storage.unit import Database

_LOG = logging.getLogger("farthing.jobs")
# The time zone furthest east is fourteen hours ahead of UTC.
_FURTHEST_EAST = timedelta(hours=14)


class Budgeter(Struct):
    """Creates limits when they are due. If the limits of a user fail, they are tried again the next day."""

    _database: Database
    _clock: Clock
    _failed: dict[int, date] = {}

    def turn(self) -> int:
        """Creates the due limits, with one unit of work per user. Returns how many limits were created."""
        now = self._clock.now()
        with self._database.reading() as db:
            waiting = store.find_waiting(db, (now + _FURTHEST_EAST).date())
        return sum(self._make_guarded(user) for user in waiting)

    def _make_guarded(self, user: UserWithDueLimits) -> int:
        today = today_in(user.timezone, self._clock.now())
        if user.due_on > today.isoformat() or self._failed.get(user.user_id) == today:
            return 0
        try:
            return self._make(user.user_id, today)
        except FarthingError:
            raise  # the database is unavailable for all users
        except Exception:
            self._failed[user.user_id] = today
            _LOG.exception("the budget limits of user %d failed and were skipped", user.user_id)
            return 0

    def _make(self, user_id: int, today: date) -> int:
        now = stamp(self._clock.now())
        with self._database.writing() as db:
            try:
                users.take(db, user_id, token_id=None, now=now, doing=automatic_limits.DOING)
            except Unauthenticated:
                return 0  # the user was just deleted
            made = automatic_limits.make_due(db, user_id, today, now)
            changes.hide_if_empty(db)
            return made
