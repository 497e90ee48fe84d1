"""Works on queued jobs part by part, and divides its time fairly among their users."""

import logging
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import replace

from farthing.books.bills import claim
from farthing.books.rules import apply_changed, apply_stored, dry_run
from farthing.care.changes import forget
from farthing.identity import users
from farthing.kernel.clock import Clock, stamp
from farthing.kernel.config import Settings
from farthing.kernel.errors import DiskFull, FarthingError, Unauthenticated, is_full
from farthing.moving.import_jobs import queueing
from farthing.overviews.matching import run as matching
from farthing.storage import blobs, queue
from farthing.storage.change_log import changes
from farthing.storage.queue import Job, JobHold, JobProgress, Waiting
from farthing.storage.unit import Database, Unit

if TYPE_CHECKING:
    from farthing.moving.import_jobs.fetching import Fetcher
    from farthing.moving.import_runs.run import ImportRunner

_LOG = logging.getLogger("farthing.jobs")
# A worker loses its jobs after this time without a sign of life. Each part of a job takes much less time.
HELD_FOR = timedelta(seconds=60)
# How often a busy worker looks for further jobs.
LOOK_EVERY_S = 0.25
# How many jobs a worker holds at most, in total and of one user.
_HELD_MAX, _OF_USER_MAX = 16, 3
# The pause between two checks of a job that waits for something, and the time between two signs of life.
_WAIT_S, _RENEWED_AFTER = 0.05, HELD_FOR / 4
# A user is charged at least this time for each part, so that many small parts have no advantage.
_CHARGED_S_MIN = 0.05


class JobKind(Struct, frozen=True):
    """Handles one kind of job, part by part. `look` reads without a lock, and `write` carries out the part while
    holding the lock of the job's user.

    A worker alternates between several jobs, so neither function may take long. If `look` would have to wait, it
    returns `Waiting`.
    """

    look: Callable[[Unit, Job, str], Any]
    write: Callable[[Unit, Job, Any, str], JobProgress]
    # Called when the job has failed too often.
    give_up: Callable[[Unit, Job, str], None] | None = None
    # Called when the worker has finished a job, or lost it to another worker.
    leave: Callable[[Job], None] | None = None
    # Called when the worker stops.
    close: Callable[[], None] | None = None


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
    queue.FORGET_CHANGES: JobKind(look=forget.look, write=forget.write),
    queue.DELETE_MATCHING: _MATCHING,
}


def with_imports(settings: Settings) -> Mapping[str, JobKind]:
    """Returns all kinds of jobs, including imports, whose code is loaded when the first import begins."""

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

    return {**KINDS, queueing.RUN: _load_late(runner, close), queueing.FETCH: _load_late(fetcher)}


def _load_late(load: "Callable[[], ImportRunner | Fetcher]", close: Callable[[], None] | None = None) -> JobKind:
    return JobKind(
        look=lambda *part: load().look(*part),
        write=lambda *part: load().write(*part),
        give_up=lambda *part: load().give_up(*part),
        leave=lambda job: load().leave(job),
        close=close,
    )


class _HeldJob(Struct):
    """A job that this worker holds. `kept_at` is the last sign of life; `ready_at` is read from a monotonic clock."""

    job: Job
    kept_at: datetime
    ready_at: float = 0.0


class Worker(Struct):
    """Works on several jobs in turns. Each user gets the same time, and a long job does not delay a short one.

    A worker with jobs looks for further jobs only now and then, so that other workers get some of them.
    """

    _database: Database
    _clock: Clock
    _kinds: Mapping[str, JobKind] = field(default_factory=lambda: KINDS)
    look_every_s: float = LOOK_EVERY_S
    rest: Callable[[float], object] = sleep
    _name: str = field(default_factory=lambda: secrets.token_hex(8))
    _held: list[_HeldJob] = field(default_factory=list)
    _looked_at: float = 0.0
    # The seconds spent on each user who has a held job.
    _had: dict[int, float] = field(default_factory=dict)

    def turn(self) -> bool:
        """Does one part of a job, or waits a moment if no job is ready. Returns False if there are no jobs."""
        return self._work() is not None or bool(self._held)

    def _work(self) -> Job | None:
        """Does one part of a job. Returns the job, or None if no job was ready."""
        self._look_for_more()
        held = self._choose()
        if held is None:
            if self._held:
                self.rest(_WAIT_S)
            return None
        began = monotonic()
        try:
            self._do(held)
        finally:
            self._had[held.job.user_id] += max(monotonic() - began, _CHARGED_S_MIN)
        return held.job

    def _look_for_more(self) -> None:
        now = monotonic()
        if len(self._held) >= _HELD_MAX or (self._held and now - self._looked_at < self.look_every_s):
            return
        self._looked_at = now
        if job := self._take():
            user_ids = {held.job.user_id for held in self._held}
            least = min((self._had[user_id] for user_id in user_ids), default=0.0)
            had = max(self._had.get(job.user_id, 0.0), least)
            self._had = {user_id: self._had[user_id] for user_id in user_ids} | {job.user_id: had}
            self._held.insert(0, _HeldJob(job, self._clock.now()))

    def _choose(self) -> _HeldJob | None:
        """Chooses the user who has had the least time, and the job of this user that has waited longest."""
        now = monotonic()
        ready = [held for held in self._held if held.ready_at <= now]
        if not ready:
            return None
        held = min(ready, key=lambda candidate: self._had[candidate.job.user_id])
        self._held.remove(held)
        self._held.append(held)
        return held

    def _do(self, held: _HeldJob) -> None:
        """Does one part of a job. Keeps the job if the database is unavailable or the worker is interrupted."""
        try:
            is_left = self._step(held)
        except Unauthenticated:
            is_left = False  # its user was deleted, and with the user the job
        except FarthingError:
            raise
        except Exception as error:
            if is_full(error):
                raise DiskFull(f"A disk is full: {error}") from error
            self._drop(held)
            self._fail(held.job, error)
            return
        if not is_left:
            self._drop(held)

    def _drop(self, held: _HeldJob) -> None:
        self._held.remove(held)
        if leave := self._kinds[held.job.kind].leave:
            leave(held.job)

    def _step(self, held: _HeldJob) -> bool:
        """Does one part of a job. Returns False if the job is finished, or if another worker has taken it."""
        job, now = held.job, self._clock.now()
        kind, hold = self._kinds[job.kind], self._hold()
        with self._database.reading() as db:
            part = kind.look(db, job, hold.now)
        if isinstance(part, Waiting):
            return self._wait(held, now)
        with self._database.writing() as db:
            users.take(db, job.user_id, token_id=None, now=hold.now, doing=job.kind, by_id=job.by_id)
            if not queue.is_held(db, job, hold):
                return False
            assert db.author is not None, "`users.take` has set the author"
            revision = db.author.revision
            progress = kind.write(db, job, part, hold.now)
            if whole := job.data.get("part_of"):
                changes.join(db, revision, whole)
            changes.hide_if_empty(db, revision)
            job = replace(job, data=progress.data)
            queue.keep(db, job, hold)
            if not progress.more:
                queue.finish(db, job, hold)
        held.job, held.kept_at = job, now
        return progress.more

    def _wait(self, held: _HeldJob, now: datetime) -> bool:
        """Lets the job wait, and gives a sign of life now and then. Returns False if another worker has taken it."""
        held.ready_at = monotonic() + _WAIT_S
        if not now - _RENEWED_AFTER < held.kept_at <= now:
            with self._database.writing() as db:
                if not queue.is_held(db, held.job, self._hold()):
                    return False
                queue.renew(db, held.job, self._hold())
            held.kept_at = now
        return True

    def work_off(self) -> int:
        """Does all queued jobs that no other worker holds, and returns their number."""
        done: set[int] = set()
        try:
            while (job := self._work()) or self._held:
                if job:
                    done.add(job.id)
        finally:
            self.stop()
        return len(done)

    def stop(self) -> None:
        """Releases the held jobs, so that another worker can take them at once."""
        for kind in self._kinds.values():
            if kind.close:
                kind.close()
        for held in self._held:
            with suppress(FarthingError), self._database.writing() as db:
                queue.release(db, held.job, self._hold())
        self._held.clear()

    def _take(self) -> Job | None:
        hold, kinds = self._hold(), list(self._kinds)
        counts = Counter(held.job.user_id for held in self._held)
        without = [user_id for user_id, count in counts.items() if count >= _OF_USER_MAX]
        with self._database.reading() as db:
            if queue.is_idle(db, kinds, hold.now, without):
                return None
        with self._database.writing() as db:
            job = queue.take(db, kinds, hold, without)
            if job and job.attempts > queue.ATTEMPTS_MAX:
                self._give_up(db, job, hold)
                queue.finish(db, job, hold, f"given up: {queue.ATTEMPTS_MAX} workers died while running the job")
                _LOG.error(
                    "job %d (%s) was given up: %d workers died while running it", job.id, job.kind, queue.ATTEMPTS_MAX
                )
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
