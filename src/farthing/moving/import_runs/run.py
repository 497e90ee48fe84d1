"""Runs import jobs in the job process, part by part: what all kinds of import have in common.

First everything is read and checked; nothing is stored if something is wrong, unless the user wants the rest anyway.
Then it is booked, some at a time, each unit of work short. If one fails, the earlier ones are taken back, some at a
time as well. How far it came is stored with what was booked, so a worker that dies doubles nothing.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from msgspec import Struct

from farthing.kernel.errors import Conflict, FarthingError, Invalid, OverQuota
from farthing.storage import queue
from farthing.storage.blobs import Blobs, Lost
from farthing.storage.queue import Job, JobProgress, Waiting
from farthing.storage.unit import Unit

from ..findings import Finding, Unreadable
from ..import_jobs import store
from ..import_jobs.model import ImportJob, ImportState, add_findings
from ..import_jobs.queueing import RUN, Phase
from ..import_jobs.reading import OWN_ARCHIVE, PROGRAMS
from . import own_archive, undo
from .files import list_hashes
from .foreign import Readers
from .other_books import BooksRunner
from .own_archive import ArchiveRunner
from .statements import StatementRunner
from .step import HELD_S, ImportStep, Pace

_LOG = logging.getLogger("farthing.imports")
_YIELD_STATEMENTS = "farthing.moving.import_jobs.reading:yield_statements"
_TAKEN_BACK_AT_ONCE = 50
_GIVEN_UP = "It failed inside Farthing; the server's log says why. Nothing was imported."

PartRunner = StatementRunner | BooksRunner | ArchiveRunner


class Found(Struct, frozen=True, kw_only=True):
    """What was read for the next unit of work: a part, for the runner that read it, or why there is none."""

    import_job: ImportJob | None
    part: Any = None
    failure: str | None = None


class ImportRunner:
    """One for all imports; the format of each says which runner it has."""

    def __init__(self, blobs: Blobs, function: str = _YIELD_STATEMENTS, *, held_s: float = HELD_S) -> None:
        """`function` reads files of banks, in a process of its own."""
        self._pace = Pace(held_s=held_s)
        self._readers = Readers()
        self._statements = StatementRunner(blobs, self._readers, self._pace, function=function)
        self._books = BooksRunner(blobs, self._readers, self._pace)
        self._archive = ArchiveRunner(blobs, self._readers, self._pace)
        # The jobs that have files open.
        self._job_ids: set[int] = set()

    def look(self, db: Unit, job: Job, _now: str) -> Found | Waiting:
        self._job_ids.add(job.id)
        with self._leaving_on_failure(job):
            import_job = store.get(db, job.user_id, job.subject_id)
            if import_job is None or import_job.state != ImportState.RUNNING or _is_taken_back(job):
                return Found(import_job=import_job)
            return self._read_part(db, job, import_job)

    def write(self, db: Unit, job: Job, found: Found, now: str) -> JobProgress:
        with self._leaving_on_failure(job):
            import_job = found.import_job
            if import_job is None or import_job.state != ImportState.RUNNING:
                return self._end(job)
            if _is_taken_back(job):
                return self._take_back(db, job, import_job, now)
            step = self._write_part(db, job, import_job, found, now)
            return self._go_on(db, job, import_job, step, now)

    def give_up(self, db: Unit, job: Job, now: str) -> None:
        """Called when too many workers died of it: what it has made is taken back, if that is possible."""
        import_job = store.get(db, job.user_id, job.subject_id)
        if import_job is None:
            return
        findings = add_findings(import_job.findings, (Finding(message=_GIVEN_UP, rejects=True),))
        store.set_findings(db, job.user_id, import_job.id, findings, now)
        if _is_taken_back(job):
            store.finish(db, job.user_id, import_job.id, ImportState.FAILED, now)
        else:
            queue.add(db, job.user_id, RUN, import_job.id, {**job.data, "phase": Phase.TAKING_BACK}, now)

    def leave(self, job: Job) -> None:
        """Closes what was open for it."""
        self._job_ids.discard(job.id)
        for runner in (self._statements, self._books, self._archive):
            runner.leave(job.id)

    def close(self) -> None:
        for job_id in self._job_ids:
            for runner in (self._statements, self._books, self._archive):
                runner.leave(job_id)
        self._job_ids.clear()
        self._readers.close()

    @contextmanager
    def _leaving_on_failure(self, job: Job) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.leave(job)
            raise

    def _choose(self, import_job: ImportJob) -> PartRunner:
        if import_job.format in PROGRAMS:
            return self._books
        return self._archive if import_job.format == OWN_ARCHIVE else self._statements

    def _read_part(self, db: Unit, job: Job, import_job: ImportJob) -> Found | Waiting:
        try:
            part = self._choose(import_job).look(db, job, import_job)
        except (Unreadable, Lost, Conflict, OverQuota) as error:
            return Found(import_job=import_job, failure=str(error))
        except (FarthingError, OSError):
            raise  # the database or the disk: it is tried again
        except Exception:
            _LOG.exception("import job %d of user %d cannot be read", import_job.id, job.user_id)
            return Found(import_job=import_job, failure=_GIVEN_UP)
        return part if isinstance(part, Waiting) else Found(import_job=import_job, part=part)

    def _write_part(self, db: Unit, job: Job, import_job: ImportJob, found: Found, now: str) -> ImportStep:
        if found.failure is not None:
            return _refuse(job, found.failure)
        started = perf_counter()
        try:
            with db.savepoint():
                step = self._choose(import_job).write(db, job, import_job, found.part, now)
        except Invalid as refusal:
            return _refuse(job, refusal.sentences)
        except (Unreadable, Conflict, OverQuota) as error:
            return _refuse(job, str(error))
        self._pace.adapt(step.booked, perf_counter() - started)
        return step

    def _go_on(self, db: Unit, job: Job, import_job: ImportJob, step: ImportStep, now: str) -> JobProgress:
        counts = import_job.counts if step.counts is None else step.counts
        findings = add_findings(import_job.findings, step.findings)
        store.note_progress(db, job.user_id, import_job.id, counts, findings, now, total=step.total)
        if step.is_refused:
            self.leave(job)
            return JobProgress(data={**step.data, "phase": Phase.TAKING_BACK}, more=True)
        if step.is_done:
            files = list_hashes(db, job.user_id, import_job)
            report = {**step.report, "files": files} if step.report else None
            store.finish(db, job.user_id, import_job.id, ImportState.DONE, now, report=report)
            return self._end(job)
        return JobProgress(data=step.data, more=True)

    def _take_back(self, db: Unit, job: Job, import_job: ImportJob, now: str) -> JobProgress:
        """The last transactions first. The counts stay: they say what was read."""
        try:
            with db.savepoint():
                has_more = own_archive.take_back_some(db, job)
            if has_more:
                return JobProgress(data={**job.data, own_archive.REWINDING: True}, more=True)
        except Conflict as error:
            findings = add_findings(import_job.findings, (Finding(message=str(error)),))
            store.set_findings(db, job.user_id, import_job.id, findings, now)
        if undo.take_back_some(db, job.user_id, import_job.id, _TAKEN_BACK_AT_ONCE):
            return JobProgress(data=job.data, more=True)
        undo.take_back(db, job.user_id, import_job.id, now)
        store.finish(db, job.user_id, import_job.id, ImportState.FAILED, now)
        return self._end(job)

    def _end(self, job: Job) -> JobProgress:
        self.leave(job)
        return JobProgress(data=job.data, more=False)


def _is_taken_back(job: Job) -> bool:
    return bool(job.data["phase"] == Phase.TAKING_BACK)


def _refuse(job: Job, sentence: str) -> ImportStep:
    return ImportStep(data=job.data, findings=(Finding(message=sentence, rejects=True),), is_refused=True)
