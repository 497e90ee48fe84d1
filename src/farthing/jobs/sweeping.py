"""When is put away what nobody needs any more? At start-up, and once a day."""

import logging
from datetime import datetime, timedelta

from ..attachments.sweep import Swept, sweep
from ..changes.forget import forget_old
from ..clock import Clock, stamp
from ..errors import FarthingError
from ..rules import dry_run
from ..storage import answers
from ..storage.blobs import Blobs
from ..storage.unit import Database

_LOG = logging.getLogger("farthing.jobs")
_EVERY = timedelta(days=1)
_LOOK_AGAIN = timedelta(minutes=10)


class Sweeper:
    def __init__(self, database: Database, blobs: Blobs, clock: Clock, trash_days: int = 30) -> None:
        self._trash_days = trash_days
        self._database = database
        self._blobs = blobs
        self._clock = clock
        self._next: datetime | None = None

    def turn(self) -> None:
        now = self._clock.now()
        # A clock that was set back must not put it off: the next time is never further away than a day.
        if self._next and self._next - _EVERY <= now < self._next:
            return
        self._next = now + _EVERY
        try:
            with self._database.writing() as db:
                answers.forget_old(db, stamp(now))
            dry_run.forget_old(self._database, stamp(now))
            forget_old(self._database, now, self._trash_days)
            swept = sweep(self._database, self._blobs, now.timestamp())
        except FarthingError as error:
            self._next = now + _LOOK_AGAIN
            _LOG.warning("what is no longer needed was not put away, and will be tried again: %s", error)
            return
        if swept != Swept():
            _LOG.info(
                "contents of attachments: %d set aside, %d brought back, %d removed",
                swept.set_aside,
                swept.brought_back,
                swept.removed,
            )
