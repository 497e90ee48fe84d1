"""Works on waiting jobs, one at a time, part by part."""

import logging
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.bills import claim
from farthing.books.rules import apply_changed, apply_stored, dry_run
from farthing.identity import users
from farthing.kernel.clock import Clock, stamp
from farthing.kernel.config import Settings
from farthing.kernel.errors import FarthingError, Unauthenticated
from farthing.moving.import_jobs import queueing
from farthing.moving.import_jobs.fetching import Fetcher
from farthing.moving.import_jobs.run import ImportRunner
from farthing.storage import blobs, queue
from farthing.storage.queue import Job, JobHold, JobProgress
from farthing.storage.unit import Database, Unit

_LOG = logging.getLogger("farthing.jobs")
# How long a job is held by a worker that shows no sign of life; each part of the work takes a fraction of it.
HELD_FOR = timedelta(seconds=60)


class JobKind(Struct, frozen=True):
    """How a kind of job is done, part by part: `look` reads without a lock, `write` does the part under its user's."""

    look: Callable[[Unit, Job, str], Any]
    write: Callable[[Unit, Job, Any, str], JobProgress]
    # Called when the job has failed too often.
    give_up: Callable[[Unit, Job, str], None] | None = None
    # Called when the worker stops.
    close: Callable[[], None] | None = None


_RULES = JobKind(look=apply_stored.look, write=apply_stored.write)
_DRY_RUN = JobKind(look=dry_run.look, write=dry_run.write)
KINDS: Mapping[str, JobKind] = {
    claim.KIND: JobKind(look=claim.look, write=claim.write),
    apply_stored.RULE_JOB: _RULES,
    apply_stored.GROUP_JOB: _RULES,
    apply_changed.CHANGED_JOB: JobKind(look=apply_changed.look, write=apply_changed.write),
    dry_run.RULE_KIND: _DRY_RUN,
    dry_run.GROUP_KIND: _DRY_RUN,
}


def with_imports(settings: Settings) -> Mapping[str, JobKind]:
    """All kinds: imports read files, and ask other servers."""
    contents = blobs.connect(settings)
    runner, fetcher = ImportRunner(contents), Fetcher(contents, allow_private=settings.outgoing_private)
    return {
        **KINDS,
        queueing.RUN: JobKind(look=runner.look, write=runner.write, give_up=runner.give_up, close=runner.close),
        queueing.FETCH: JobKind(look=fetcher.look, write=fetcher.write, give_up=fetcher.give_up),
    }


class Worker:
    def __init__(self, database: Database, clock: Clock, kinds: Mapping[str, JobKind] = KINDS) -> None:
        self._database = database
        self._clock = clock
        self._kinds = kinds
        self._name = secrets.token_hex(8)
        self._job: Job | None = None

    def turn(self) -> bool:
        """Does one part of one job; False when there is nothing to do."""
        self._job = self._job or self._take()
        if self._job is None:
            return False
        job, self._job = self._job, None
        try:
            self._job = self._step(job)
        except Unauthenticated:
            pass  # its user was deleted, and the job as well
        except FarthingError:
            self._job = job  # the database is away for a moment: we go on when it is back, or another does
            raise
        except Exception as error:
            self._fail(job, error)
        return True

    def _step(self, job: Job) -> Job | None:
        """Does one part; None when nothing is left of the job, or another worker has it by now."""
        kind, held = self._kinds[job.kind], self._hold()
        with self._database.reading() as db:
            found = kind.look(db, job, held.now)
        with self._database.writing() as db:
            users.take(db, job.user_id, token_id=None, now=held.now, doing=job.kind)
            if not queue.is_held(db, job, held):
                return None
            progress = kind.write(db, job, found, held.now)
            job = replace(job, data=progress.data)
            queue.keep(db, job, held)
            if not progress.more:
                queue.finish(db, job, held)
                return None
        return job

    def work_off(self) -> int:
        """Everything that waits and that nobody else holds; how many jobs that were."""
        begun = 0
        while True:
            begins = self._job is None
            if not self.turn():
                return begun
            begun += begins

    def stop(self) -> None:
        """Releases the job, so that another worker can take it at once."""
        for kind in self._kinds.values():
            if kind.close:
                kind.close()
        if self._job:
            with suppress(FarthingError), self._database.writing() as db:
                queue.release(db, self._job, self._hold())
            self._job = None

    def _take(self) -> Job | None:
        held = self._hold()
        with self._database.reading() as db:
            if queue.is_idle(db, list(self._kinds), held.now):
                return None
        with self._database.writing() as db:
            job = queue.take(db, list(self._kinds), held)
            if job and job.attempts > queue.ATTEMPTS_MAX:
                self._give_up(db, job, held)
                queue.finish(db, job, held, f"given up: {queue.ATTEMPTS_MAX} workers died of it")
                _LOG.error("job %d (%s) was given up: %d workers died of it", job.id, job.kind, queue.ATTEMPTS_MAX)
                job = None
        return job

    def _fail(self, job: Job, error: Exception) -> None:
        _LOG.exception("job %d (%s) of user %d failed", job.id, job.kind, job.user_id)
        with self._database.writing() as db:
            held = self._hold()
            if job.attempts >= queue.ATTEMPTS_MAX:
                self._give_up(db, job, held)
            queue.fail(db, job, held, f"{type(error).__name__}: {error}")

    def _give_up(self, db: Unit, job: Job, held: JobHold) -> None:
        if give_up := self._kinds[job.kind].give_up:
            give_up(db, job, held.now)

    def _hold(self) -> JobHold:
        now = self._clock.now()
        return JobHold(self._name, stamp(now), stamp(now + HELD_FOR))
