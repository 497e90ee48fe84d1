"""Runs the work of all endpoints of a server process, and holds the resources that they share."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

from farthing.kernel.clock import Clock
from farthing.kernel.config import Settings
from farthing.kernel.errors import Unavailable
from farthing.storage import blobs
from farthing.storage.fair.line import ANYBODY, Asker
from farthing.storage.outages import Outages
from farthing.storage.unit import Database, Unit

from ..body.stream import LOOK_EVERY_S, SLOW_S, Patience
from ..callers.last_used import GATHER_S
from ..request.request import Askers
from ..route import Mode
from .replica import AWAY_S
from .threads import Threads

T = TypeVar("T")
_READING, _WRITING = "reading from the database", "writing to the database"


class Timing(Struct, frozen=True, kw_only=True):
    """Sets how long the server waits in several situations. Tests use shorter times."""

    slow_s: float = SLOW_S
    look_every_s: float = LOOK_EVERY_S
    gather_uses_s: float = GATHER_S
    replica_away_s: float = AWAY_S
    # How often the server looks for everybody who listens, and after how much silence it sends a heartbeat.
    listen_every_s: float = 1.0
    beat_s: float = 15.0


DEFAULT_TIMING = Timing()


class Runtime:
    """Runs work in units of work and in threads, independently of routes and callers."""

    def __init__(
        self,
        database: Database,
        settings: Settings,
        clock: Clock,
        timing: Timing = DEFAULT_TIMING,
        wake_jobs: Callable[[], None] = lambda: None,
    ) -> None:
        self.database = database
        self.settings = settings
        self.clock = clock
        self.timing = timing
        self.wake_jobs = wake_jobs
        self.outages = Outages()
        self.blobs = blobs.connect(settings)
        self.patience = Patience(slow_s=timing.slow_s, look_every_s=timing.look_every_s)
        self.askers = Askers()
        self.threads = Threads(self.askers)

    async def run(self, mode: Mode, work: Callable[[Unit], T], asker: Asker = ANYBODY, *, large: bool = False) -> T:
        """Runs `work` in a unit of work. Logs when the database begins to fail, and when it works again."""
        if mode is Mode.WRITE:
            run, activity = self.database.write, _WRITING
        else:
            run, activity = self.database.read, _READING
        try:
            result = await run(work, large=large, asker=asker)
        except Unavailable as error:
            self.outages.note(activity, error)
            raise
        self.outages.note_success(activity)
        return result

    async def ask(self, question: Callable[[Unit], T]) -> T:
        """Runs a short read that has no caller."""
        return await self.run(Mode.READ, question, ANYBODY)

    def run_in_thread(self, work: Callable[..., T], *arguments: object) -> "asyncio.Future[T]":
        """Runs work in a thread, because the work waits for a disk."""
        return self.threads.run_with_files(work, *arguments)

    def close(self) -> None:
        self.threads.close()
        self.database.close()
