"""Deletes expired keys, sessions, stored answers and trash, at start-up and once a day."""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from farthing.books.attachments.sweep import Swept, sweep
from farthing.books.rules import dry_run
from farthing.books.webhooks import following
from farthing.books.webhooks import store as webhooks
from farthing.care.changes.forget import forget_old
from farthing.identity import audit, devices, links, sessions
from farthing.identity.apps import codes, grants
from farthing.identity.factors import challenges
from farthing.identity.providers import states
from farthing.identity.sharing import members
from farthing.identity.signing_in import attempts, forgotten
from farthing.kernel.clock import Alarm, Clock, stamp
from farthing.kernel.config import Settings
from farthing.kernel.errors import FarthingError
from farthing.overviews.notices import store as notices
from farthing.storage import answers, installation
from farthing.storage.blobs import Blobs
from farthing.storage.installation import CLOCK, Checkup
from farthing.storage.turns import work_off
from farthing.storage.unit import Database, Unit

_LOG = logging.getLogger("farthing.jobs")
_EVERY = timedelta(days=1)
_RETRY_AFTER = timedelta(minutes=10)
# Each function deletes a batch of expired rows of all users. `sessions.forget_old` needs one more argument.
_FORGET_SIGN_INS: tuple[Callable[[Unit, str], int], ...] = (
    attempts.forget_old,
    forgotten.forget_old,
    links.forget_old,
    challenges.forget_old,
    states.forget_old,
    devices.forget_old,
    audit.forget_old,
    members.forget_old_invitations,
    codes.forget_old,
    grants.forget_old_refresh_tokens,
    grants.forget_old,
)


# How far the clock may drift between two checks. Corrections by network time are smaller.
_DRIFT_MAX = timedelta(minutes=1)
# A server that was stopped for longer cannot know whether the clock was set during that time.
_GAP_MAX = timedelta(days=1)


Measure = Callable[[], float]


def measure_time() -> float:
    """Reads a clock that nobody can set, in seconds. If possible, the clock also runs while the machine sleeps."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class ClockWatch:
    """Tracks since when nobody has set the clock forward or back. The time is stored and survives restarts."""

    def __init__(self, measure: Measure) -> None:
        self._measure = measure
        self._last: tuple[datetime, float] | None = None
        # None until it is known whether the stored time is still valid.
        self._since: datetime | None = None

    def look(self, now: datetime) -> None:
        measured = self._measure()
        if self._last:
            passed = timedelta(seconds=measured - self._last[1])
            if abs(now - self._last[0] - passed) > _DRIFT_MAX:
                self._since = now
        self._last = now, measured

    def store(self, db: Unit) -> str:
        """Stores and returns the time since which nobody has set the clock."""
        assert self._last is not None, "`look` is called first"
        now = self._last[0]
        self._since = self._since or _load(db, now) or now
        installation.store_checkup(db, CLOCK, Checkup(at=stamp(now), problems=0, note=stamp(self._since)))
        return stamp(self._since)


def _load(db: Unit, now: datetime) -> datetime | None:
    checkup = installation.load_checkups(db).get(CLOCK)
    if checkup and checkup.note and timedelta() <= now - datetime.fromisoformat(checkup.at) <= _GAP_MAX:
        return datetime.fromisoformat(checkup.note)
    return None


class Sweeper:
    def __init__(
        self, settings: Settings, database: Database, blobs: Blobs, clock: Clock, measure: Measure = measure_time
    ) -> None:
        self._settings = settings
        self._database = database
        self._blobs = blobs
        self._clock = clock
        self._alarm = Alarm()
        self._clock_watch = ClockWatch(measure)

    def turn(self) -> None:
        now = self._clock.now()
        self._clock_watch.look(now)
        if not self._alarm.rings(now):
            return
        self._alarm.set(now, _EVERY)
        try:
            with self._database.writing() as db:
                steady_since = self._clock_watch.store(db)
            answers.forget_old(self._database, stamp(now), steady_since)
            self._forget_sign_ins(now)
            for forget in (webhooks.forget_old, following.forget_old, notices.forget_old):
                self._work_off(forget, stamp(now))
            dry_run.forget_old(self._database, stamp(now))
            forget_old(self._database, now, self._settings.trash_days)
            swept = sweep(self._database, self._blobs, now.timestamp())
        except FarthingError as error:
            self._alarm.set(now, _RETRY_AFTER)
            _LOG.warning("expired data could not be deleted; the next attempt is in ten minutes: %s", error)
            return
        if swept != Swept():
            counts = swept.set_aside, swept.brought_back, swept.removed
            _LOG.info("contents of attachments: %d set aside, %d brought back, %d removed", *counts)

    def _forget_sign_ins(self, now: datetime) -> None:
        idle_since = now - timedelta(hours=self._settings.session_idle_hours)
        work_off(self._database, lambda db: sessions.forget_old(db, stamp(now), stamp(idle_since)))
        for forget in _FORGET_SIGN_INS:
            self._work_off(forget, stamp(now))

    def _work_off(self, forget: Callable[[Unit, str], int], now: str) -> None:
        work_off(self._database, lambda db: forget(db, now))
