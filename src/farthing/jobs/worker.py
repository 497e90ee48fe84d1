"""Who does the work that waits? A worker takes one job at a time and does it part by part."""

import logging
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta

from ..bills import claim
from ..clock import Clock, stamp
from ..errors import FarthingError, Unauthenticated
from ..rules import dry_run, trigger
from ..storage.unit import Database
from . import queue
from .queue import Held, Job

_LOG = logging.getLogger("farthing.jobs")
# How long a job is held by a worker that shows no sign of life; each part of the work takes a fraction of it.
HELD_FOR = timedelta(seconds=60)

# Does a part of the job in short units of work of its own, and returns it with how far it has come, or None at its end.
Step = Callable[[Database, Job, Held], Job | None]
STEPS: Mapping[str, Step] = {
    claim.KIND: claim.step,
    trigger.RULE_JOB: trigger.step,
    trigger.GROUP_JOB: trigger.step,
    dry_run.RULE_KIND: dry_run.step,
    dry_run.GROUP_KIND: dry_run.step,
}


class Worker:
    def __init__(self, database: Database, clock: Clock, steps: Mapping[str, Step] = STEPS) -> None:
        self._database = database
        self._clock = clock
        self._steps = steps
        self._name = secrets.token_hex(8)
        self._job: Job | None = None

    def turn(self) -> bool:
        """Does one part of one job; False when there is nothing to do."""
        self._job = self._job or self._taken()
        if self._job is None:
            return False
        job, self._job = self._job, None
        try:
            self._job = self._steps[job.kind](self._database, job, self._held())
        except Unauthenticated:
            pass  # its user was deleted, and the job with them
        except FarthingError:
            self._job = job  # the database is away for a moment: we go on when it is back, or another does
            raise
        except Exception as error:
            self._failed(job, error)
        return True

    def work_off(self) -> int:
        """Everything that waits and that nobody else holds; how many jobs that were."""
        begun = 0
        while True:
            begins = self._job is None
            if not self.turn():
                return begun
            begun += begins

    def stop(self) -> None:
        """Another worker need not wait until it is sure that we are gone."""
        if self._job:
            with suppress(FarthingError), self._database.writing() as db:
                queue.let_go(db, self._job, self._held())
            self._job = None

    def _taken(self) -> Job | None:
        held = self._held()
        with self._database.reading() as db:
            if queue.is_idle(db, list(self._steps), held.now):
                return None
        with self._database.writing() as db:
            job = queue.take(db, list(self._steps), held)
            if job and job.attempts > queue.ATTEMPTS_MAX:
                queue.finish(db, job, held, f"given up: {queue.ATTEMPTS_MAX} workers died of it")
                _LOG.error("job %d (%s) was given up: %d workers died of it", job.id, job.kind, queue.ATTEMPTS_MAX)
                job = None
        return job

    def _failed(self, job: Job, error: Exception) -> None:
        _LOG.exception("job %d (%s) of user %d failed", job.id, job.kind, job.user_id)
        with self._database.writing() as db:
            queue.fail(db, job, self._held(), f"{type(error).__name__}: {error}")

    def _held(self) -> Held:
        now = self._clock.now()
        return Held(self._name, stamp(now), stamp(now + HELD_FOR))
