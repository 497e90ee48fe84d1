"""Works on waiting jobs part by part, and shares its time between a long one and those that wait meanwhile."""

import logging
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.bills import claim
from farthing.books.rules import apply_changed, apply_stored, dry_run
from farthing.identity import users
from farthing.kernel.clock import Clock, stamp
from farthing.kernel.config import Settings
from farthing.kernel.errors import FarthingError, Unauthenticated
from farthing.moving.import_jobs import queueing
from farthing.overviews.matching import run as matching
from farthing.storage import blobs, changes, queue
from farthing.storage.queue import Job, JobHold, JobProgress
from farthing.storage.unit import Database, Unit

if TYPE_CHECKING:
    from farthing.moving.import_jobs.fetching import Fetcher
    from farthing.moving.import_runs.run import ImportRunner

_LOG = logging.getLogger("farthing.jobs")
# How long a job is held by a worker that shows no sign of life; each part of the work takes a fraction of it.
HELD_FOR = timedelta(seconds=60)
# How long a worker stays with one job when others wait.
STAYS_S = 1.0


class JobKind(Struct, frozen=True):
    """How a kind of job is done, part by part: `look` reads without a lock, `write` does the part under its user's."""

    look: Callable[[Unit, Job, str], Any]
    write: Callable[[Unit, Job, Any, str], JobProgress]
    # Called when the job has failed too often.
    give_up: Callable[[Unit, Job, str], None] | None = None
    # Called when the worker stops.
    close: Callable[[], None] | None = None
    # Whether it can run in turns with another job; an import cannot, because it would read its file again each time.
    in_between: bool = True


_RULES = JobKind(look=apply_stored.look, write=apply_stored.write)
_DRY_RUN = JobKind(look=dry_run.look, write=dry_run.write)
_MATCHING = JobKind(look=matching.look, write=matching.write)
KINDS: Mapping[str, JobKind] = {
    claim.KIND: JobKind(look=claim.look, write=claim.write),
    apply_stored.RULE_JOB: _RULES,
    apply_stored.GROUP_JOB: _RULES,
    apply_changed.CHANGED_JOB: JobKind(look=apply_changed.look, write=apply_changed.write),
    dry_run.RULE_KIND: _DRY_RUN,
    dry_run.GROUP_KIND: _DRY_RUN,
    queue.CHANGE_MATCHING: _MATCHING,
    queue.DELETE_MATCHING: _MATCHING,
}


def with_imports(settings: Settings) -> Mapping[str, JobKind]:
    """All kinds: imports read files, and ask other servers. What they need is loaded with the first of them."""

    @cache
    def runner() -> "ImportRunner":
        from farthing.moving.import_runs.run import ImportRunner

        return ImportRunner(blobs.connect(settings))

    @cache
    def fetcher() -> "Fetcher":
        from farthing.moving.import_jobs.fetching import Fetcher

        return Fetcher(blobs.connect(settings), allow_private=settings.outgoing_private)

    def close() -> None:
        if runner.cache_info().currsize:
            runner().close()

    return {
        **KINDS,
        queueing.RUN: JobKind(
            look=lambda *part: runner().look(*part),
            write=lambda *part: runner().write(*part),
            give_up=lambda *part: runner().give_up(*part),
            close=close,
            in_between=False,
        ),
        queueing.FETCH: JobKind(
            look=lambda *part: fetcher().look(*part),
            write=lambda *part: fetcher().write(*part),
            give_up=lambda *part: fetcher().give_up(*part),
        ),
    }


class Worker:
    """Works on one job to its end; while others wait, it alternates with them every `stays_s` seconds."""

    def __init__(
        self, database: Database, clock: Clock, kinds: Mapping[str, JobKind] = KINDS, *, stays_s: float = STAYS_S
    ) -> None:
        self._database = database
        self._clock = clock
        self._kinds = kinds
        self._stays_s = stays_s
        self._name = secrets.token_hex(8)
        self._job: Job | None = None
        self._other: Job | None = None
        self._last_other = 0
        self._is_aside, self._changed_at = False, monotonic()

    def turn(self) -> bool:
        """Does one part of one job; False when there is nothing to do."""
        return self._work() is not None

    def _work(self) -> Job | None:
        """The job that was worked on."""
        job = self._choose()
        if job is None:
            return None
        # Still ours when the database is away for a moment, or when we are interrupted: we go on, or release it.
        left: Job | None = job
        try:
            left = self._step(job)
        except Unauthenticated:
            left = None  # its user was deleted, and the job as well
        except FarthingError:
            raise
        except Exception as error:
            left = None
            self._fail(job, error)
        finally:
            if self._other:
                self._other = left
            else:
                self._job = left
        return job

    def _choose(self) -> Job | None:
        if self._job is None:
            self._job = self._take(list(self._kinds))
            self._is_aside, self._changed_at = False, monotonic()
            return self._job
        if monotonic() - self._changed_at >= self._stays_s:
            self._change()
        if self._is_aside and self._other is None:
            kinds = [name for name, kind in self._kinds.items() if kind.in_between]
            self._other = self._take(kinds, after=self._last_other)
            self._is_aside = self._other is not None
            self._last_other = self._other.id if self._other else 0
        return self._other or self._job

    def _change(self) -> None:
        """Puts its job aside for the others, or takes it up again."""
        if self._other:
            self._release(self._other)
        self._other = None
        self._is_aside, self._changed_at = not self._is_aside, monotonic()

    def _step(self, job: Job) -> Job | None:
        """Does one part; None when nothing is left of the job, or another worker has it by now."""
        kind, held = self._kinds[job.kind], self._hold()
        with self._database.reading() as db:
            found = kind.look(db, job, held.now)
        with self._database.writing() as db:
            users.take(db, job.user_id, token_id=None, now=held.now, doing=job.kind, by_id=job.by_id)
            if not queue.is_held(db, job, held):
                return None
            assert db.author is not None, "it was taken just now"
            revision = db.author.revision
            progress = kind.write(db, job, found, held.now)
            changes.hide_if_empty(db, revision)
            job = replace(job, data=progress.data)
            queue.keep(db, job, held)
            if not progress.more:
                queue.finish(db, job, held)
                return None
        return job

    def work_off(self) -> int:
        """Does all waiting jobs that nobody else holds; returns how many."""
        done: set[int] = set()
        while job := self._work():
            done.add(job.id)
        return len(done)

    def stop(self) -> None:
        """Releases what it holds, so that another worker can take it at once."""
        for kind in self._kinds.values():
            if kind.close:
                kind.close()
        for job in (self._job, self._other):
            if job:
                with suppress(FarthingError):
                    self._release(job)
        self._job = self._other = None

    def _release(self, job: Job) -> None:
        with self._database.writing() as db:
            queue.release(db, job, self._hold())

    def _take(self, kinds: list[str], after: int = 0) -> Job | None:
        held = self._hold()
        with self._database.reading() as db:
            if queue.is_idle(db, kinds, held.now):
                return None
        with self._database.writing() as db:
            job = queue.take(db, kinds, held, after=after)
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
