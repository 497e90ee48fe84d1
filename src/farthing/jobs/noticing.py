"""Looks for occasions on which users want a notice, after their books have changed and when their day begins."""

import logging
from datetime import date, datetime
from time import monotonic

from msgspec import Struct, structs

from farthing.books.preferences.notices import Channel
from farthing.identity import users
from farthing.kernel.clock import Clock, stamp
from farthing.kernel.errors import FarthingError, Unauthenticated
from farthing.overviews.notices import search, store
from farthing.overviews.notices.model import Found, NoticeState, Waiting
from farthing.storage.change_log import changes
from farthing.storage.unit import Database, Unit

_LOG = logging.getLogger("farthing.jobs")
_DOING = "notices"
# The remaining users wait for the next turn, so that recurrences and jobs are not delayed.
_WORKING_S = 1.0


class Noticer(Struct):
    """Makes notices. If the search fails in the books of a user, it is tried again the next day."""

    _database: Database
    _clock: Clock
    _available: frozenset[Channel] = frozenset()
    _failed: dict[int, date] = {}

    def turn(self) -> int:
        """Looks in all books that have changed, for a while, and returns how many notices were made."""
        now, until, made = self._clock.now(), monotonic() + _WORKING_S, 0
        with self._database.reading() as db:
            waiting = store.find_waiting(db, stamp(now))
        for user in waiting:
            if self._failed.get(user.user_id) != now.date():
                made += self._look_guarded(user, now)
            if monotonic() > until:
                break
        return made

    def _look_guarded(self, user: Waiting, now: datetime) -> int:
        try:
            return self._look(user, now)
        except FarthingError:
            raise  # the database is unavailable for all users
        except Exception:
            self._failed[user.user_id] = now.date()
            _LOG.exception("no notices could be made for user %d", user.user_id)
            return 0

    def _look(self, user: Waiting, now: datetime) -> int:
        """Searches without a lock, because that may take a moment. If the books change meanwhile, their revision is no
        longer the stored one, and they are searched again.
        """
        with self._database.reading() as db:
            state = store.get_state(db, user.user_id)
            found, after = search.search(db, user, state, now)
        with self._database.writing() as db:
            try:
                return _store(db, user, found, before=state, after=after, now=stamp(now), available=self._available)
            except Unauthenticated:
                return 0  # the user was just deleted


def _store(
    db: Unit,
    user: Waiting,
    found: Found,
    *,
    before: NoticeState | None,
    after: NoticeState,
    now: str,
    available: frozenset[Channel],
) -> int:
    """Stores what was found, unless another job process was faster. New notices are a change to the books, so that
    clients that follow these see them.
    """
    if found.drafts or found.ended_account_ids:
        users.take(db, user.user_id, token_id=None, now=now, doing=_DOING)
        assert db.author is not None, "`take` has set the author"
        if db.author.revision == user.revision + 1:
            after = structs.replace(after, revision=db.author.revision)
        changes.hide_if_empty(db)
    if not store.move_on(db, user.user_id, before, after):
        return 0
    if found.ended_account_ids:
        store.end_low(db, user.user_id, found.ended_account_ids, now)
    if found.drafts:
        store.add(db, user.user_id, found, now, is_first=before is None, available=available)
    return len(found.drafts)
