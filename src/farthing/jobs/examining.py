"""Examines the books once a day, in a separate process, because this takes memory and time."""

import logging
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta

from farthing.kernel.clock import Alarm, Clock
from farthing.kernel.errors import FarthingError
from farthing.storage import installation
from farthing.storage.unit import Database

_LOG = logging.getLogger("farthing.jobs")
_EVERY = timedelta(days=1)
# How long after the start the first check is made, when the server is less busy, and how often it is repeated.
_CHECK_EVERY = timedelta(minutes=10)
# If an examination has not finished after this time, another server may start one.
_DURATION_MAX = timedelta(hours=1)

Process = subprocess.Popen[bytes]


def start_process() -> Process:
    return subprocess.Popen([sys.executable, "-m", "farthing.care.doctor"])


class Examiner:
    def __init__(self, database: Database, clock: Clock, begin: Callable[[], Process] = start_process) -> None:
        self._database = database
        self._clock = clock
        self._begin = begin
        self._alarm = Alarm()
        self._alarm.set(clock.now(), _CHECK_EVERY)
        self._process: Process | None = None

    def turn(self) -> None:
        if self._process and self._process.poll() is None:
            return
        self._process = None
        now = self._clock.now()
        if not self._alarm.rings(now):
            return
        self._alarm.set(now, _CHECK_EVERY)
        try:
            if self._is_due(now):
                with self._database.writing() as db:
                    is_ours = installation.claim_turn(db, installation.BOOKS, now, _DURATION_MAX)
                self._process = self._begin() if is_ours else None
        except (FarthingError, OSError) as error:
            _LOG.warning("the books were not examined: %s", error)

    def _is_due(self, now: datetime) -> bool:
        with self._database.reading() as db:
            last = installation.load_checkups(db).get(installation.BOOKS)
        return last is None or not now - _EVERY < datetime.fromisoformat(last.at) <= now

    def stop(self) -> None:
        if self._process and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
        self._process = None
