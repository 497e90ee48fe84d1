"""Deletes expired keys, sessions, answers and trash: at start-up, and once a day."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from farthing.books.attachments.sweep import Swept, sweep
from farthing.books.rules import dry_run
from farthing.care.changes.forget import forget_old
from farthing.identity import attempts, audit, devices, links, sessions
from farthing.identity.apps import codes, grants
from farthing.identity.factors import challenges
from farthing.identity.providers import states
from farthing.identity.sharing import members
from farthing.kernel.clock import Alarm, Clock, stamp
from farthing.kernel.config import Settings
from farthing.kernel.errors import FarthingError
from farthing.storage import answers
from farthing.storage.blobs import Blobs
from farthing.storage.turns import work_off
from farthing.storage.unit import Database

from .steadiness import Steadiness, measure_time

_LOG = logging.getLogger("farthing.jobs")
_EVERY = timedelta(days=1)
_LOOK_AGAIN = timedelta(minutes=10)
# So many rows are deleted by one statement, in a few milliseconds.
_AT_ONCE = 200


class Sweeper:
    def __init__(
        self,
        settings: Settings,
        database: Database,
        blobs: Blobs,
        clock: Clock,
        measure: Callable[[], float] = measure_time,
    ) -> None:
        self._settings = settings
        self._database = database
        self._blobs = blobs
        self._clock = clock
        self._alarm = Alarm()
        self._steadiness = Steadiness(measure)

    def turn(self) -> None:
        now = self._clock.now()
        self._steadiness.look(now)
        if not self._alarm.rings(now):
            return
        self._alarm.set(now, _EVERY)
        try:
            with self._database.writing() as db:
                steady_since = self._steadiness.store(db)
            answers.forget_old(self._database, stamp(now), steady_since)
            self._forget_sign_ins(now)
            dry_run.forget_old(self._database, stamp(now))
            forget_old(self._database, now, self._settings.trash_days)
            swept = sweep(self._database, self._blobs, now.timestamp())
        except FarthingError as error:
            self._alarm.set(now, _LOOK_AGAIN)
            _LOG.warning("what is no longer needed was not put away, and will be tried again: %s", error)
            return
        self._note(swept)

    def _forget_sign_ins(self, now: datetime) -> None:
        """Sessions, attempts, links, devices and the like that have expired, and what is too old for the audit."""
        at, idle_since = stamp(now), stamp(now - timedelta(hours=self._settings.session_idle_hours))
        for step in (
            partial(sessions.forget_old, now=at, idle_since=idle_since, limit=_AT_ONCE),
            partial(attempts.forget_old, now=at, limit=_AT_ONCE),
            partial(links.forget_old, now=at, limit=_AT_ONCE),
            partial(challenges.forget_old, now=at, limit=_AT_ONCE),
            partial(states.forget_old, now=at, limit=_AT_ONCE),
            partial(devices.forget_old, now=at, limit=_AT_ONCE),
            partial(audit.forget_old, now=at, limit=_AT_ONCE),
            partial(members.forget_old_invitations, now=at, limit=_AT_ONCE),
            partial(codes.forget_old, now=at, limit=_AT_ONCE),
            partial(grants.forget_old_refresh_tokens, now=at, limit=_AT_ONCE),
            partial(grants.forget_old, now=at, limit=_AT_ONCE),
        ):
            work_off(self._database, step)

    def _note(self, swept: Swept) -> None:
        if swept != Swept():
            _LOG.info(
                "contents of attachments: %d set aside, %d brought back, %d removed",
                swept.set_aside,
                swept.brought_back,
                swept.removed,
            )
