"""Runs import jobs of all kinds in the job process, part by part.

First, everything is read and checked. If a row has an error, nothing is stored, unless the user accepts a partial
import. Then the rows are booked in short units of work. If one of these fails, the earlier ones are undone, also in
short units. The progress is stored together with the booked rows, so a worker that dies duplicates nothing.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farthing.kernel.errors import Conflict, FarthingError, Invalid, OverQuota
from farthing.storage import queue
from farthing.storage.blobs import Blobs, Lost
from farthing.storage.queue import Job, JobProgress, Waiting
from farthing.storage.unit import Unit

from ..findings import Finding, Unreadable
from ..import_jobs import opening_balances, store
from ..import_jobs.files import list_files
from ..import_jobs.formats import OWN_ARCHIVE, PROGRAMS
from ..import_jobs.model import ImportJob, ImportState, add_findings
from ..import_jobs.queueing import RUN, Phase
from ..rows.options import ImportCounts
from . import undo
from .reader_processes import Readers
from .runner import HELD_S, ImportPace, ImportStep, Runner, Tools
from .turn import ImportTurn

_LOG = logging.getLogger("farthing.imports")
_YIELD_STATEMENTS = "farthing.moving.import_jobs.formats:yield_statements"
_GIVEN_UP = "The import failed because of an internal error; the server's log has the details. Nothing was imported."


class NextPart(Struct, frozen=True, kw_only=True):
    """Holds the part that was read, or why none was read. `import_job` is None if it was deleted or no longer runs."""

    import_job: ImportJob | None
    part: Any = None
    failure: str | None = None


class ImportRunner:
    """Runs all imports. Each import has its own runner, chosen by the format of the import."""

    def __init__(self, blobs: Blobs, function: str = _YIELD_STATEMENTS, *, held_s: float = HELD_S) -> None:
        """`function` names the function that reads bank files in a separate process."""
        pace, readers = ImportPace(held_s=held_s), Readers(blobs=blobs)
        self._tools = Tools(blobs=blobs, readers=readers, pace=pace, read_statements=function)
        # Runners by the id of the job.
        self._runners: dict[int, Runner] = {}

    def look(self, db: Unit, job: Job, now: str) -> NextPart | Waiting:
        with self._leaving_on_failure(job):
            import_job = store.get(db, job.user_id, job.subject_id)
            if import_job is None or import_job.state != ImportState.RUNNING:
                return NextPart(import_job=None)
            if _is_taken_back(job):
                return NextPart(import_job=import_job)
            return self._read_part(ImportTurn(db, job, import_job, now))

    def write(self, db: Unit, job: Job, next_part: NextPart, now: str) -> JobProgress:
        with self._leaving_on_failure(job):
            if next_part.import_job is None:
                return self._end(job)
            turn = ImportTurn(db, job, next_part.import_job, now)
            return (
                self._take_back(turn) if _is_taken_back(job) else self._go_on(turn, self._write_part(turn, next_part))
            )

    def give_up(self, db: Unit, job: Job, now: str) -> None:
        """Gives up an import after too many workers died. Starts undoing it or, if they died during the undo, marks it
        as failed.
        """
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
        """Closes the files and processes that the job opened."""
        if runner := self._runners.pop(job.id, None):
            runner.close()

    def close(self) -> None:
        for runner in self._runners.values():
            runner.close()
        self._runners.clear()
        self._tools.readers.close()

    @contextmanager
    def _leaving_on_failure(self, job: Job) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.leave(job)
            raise

    def _choose(self, turn: ImportTurn) -> Runner:
        if turn.job.id not in self._runners:
            self._runners[turn.job.id] = _open_runner(turn.import_job.format or "", self._tools)
        return self._runners[turn.job.id]

    def _read_part(self, turn: ImportTurn) -> NextPart | Waiting:
        try:
            part = self._choose(turn).look(turn)
        except (Unreadable, Lost, Conflict, OverQuota) as error:
            return NextPart(import_job=turn.import_job, failure=str(error))
        except (FarthingError, OSError):
            raise  # a failure of the database or the disk, so the job is retried
        except Exception:
            _LOG.exception("import job %d of user %d cannot be read", turn.import_job.id, turn.user_id)
            return NextPart(import_job=turn.import_job, failure=_GIVEN_UP)
        return part if isinstance(part, Waiting) else NextPart(import_job=turn.import_job, part=part)

    def _write_part(self, turn: ImportTurn, next_part: NextPart) -> ImportStep:
        if next_part.failure is not None:
            return _refuse(next_part.failure)
        started = perf_counter()
        try:
            with turn.db.savepoint():
                step = self._choose(turn).write(turn, next_part.part)
        except Invalid as refusal:
            return _refuse(refusal.sentences)
        except (Unreadable, Conflict, OverQuota) as error:
            return _refuse(str(error))
        self._tools.pace.adapt(step.booked, perf_counter() - started)
        return step

    def _go_on(self, turn: ImportTurn, step: ImportStep) -> JobProgress:
        db, job, import_job, data = turn.db, turn.job, turn.import_job, {**turn.job.data, **step.data}
        is_refused = step.is_refused or (step.rejected > 0 and not import_job.options.partial)
        counts = import_job.counts if step.counts is None else step.counts
        if is_refused and step.total is not None:
            counts = ImportCounts(read=step.total, rejected=step.rejected)
        findings = add_findings(import_job.findings, step.findings)
        store.note_progress(db, job.user_id, import_job.id, counts, findings, turn.now, total=step.total)
        if is_refused:
            self.leave(job)
            return JobProgress(data={**data, "phase": Phase.TAKING_BACK}, more=True)
        if step.position is not None:
            return JobProgress(data={**data, "place": step.position}, more=True)
        phases = self._choose(turn).phases
        if turn.phase != phases[-1]:
            following = phases[phases.index(turn.phase) + 1]
            return JobProgress(data={**data, "phase": following, "place": 0}, more=True)
        files = [{"filename": file.name, "sha256": file.sha256} for file in list_files(db, job.user_id, import_job)]
        if not step.report:
            _treat_openings(db, import_job, findings, turn)
        report = {**step.report, "files": files} if step.report else None
        store.finish(db, job.user_id, import_job.id, ImportState.DONE, turn.now, report=report)
        return self._end(job)

    def _take_back(self, turn: ImportTurn) -> JobProgress:
        """Undoes a failed import, the last transactions first. Keeps the counts, which say what was read."""
        db, job, import_job, now = turn.db, turn.job, turn.import_job, turn.now
        try:
            with db.savepoint():
                left = undo.take_back_some(db, job, import_job)
            if left:
                return JobProgress(data=left, more=True)
        except Conflict as error:
            findings = add_findings(import_job.findings, (Finding(message=str(error)),))
            store.set_findings(db, job.user_id, import_job.id, findings, now)
        undo.take_back(db, job.user_id, import_job.id, now)
        store.finish(db, job.user_id, import_job.id, ImportState.FAILED, now)
        return self._end(job)

    def _end(self, job: Job) -> JobProgress:
        self.leave(job)
        return JobProgress(data=job.data, more=False)


def _open_runner(format_: str, tools: Tools) -> Runner:
    """Opens the runner for a format. Imports only the modules that this kind of import needs."""
    if format_ in PROGRAMS:
        from .other_books import BooksRunner

        return BooksRunner(tools=tools)
    if format_ == OWN_ARCHIVE:
        from .own_archive import ArchiveRunner

        return ArchiveRunner(tools=tools)
    from .bank_rows import BankRowsRunner

    return BankRowsRunner(tools=tools)


def _treat_openings(db: Unit, import_job: ImportJob, findings: tuple[Finding, ...], turn: ImportTurn) -> None:
    """Moves opening balances that are dated after imported transactions, or else reports them."""
    clashes = opening_balances.find_booked(db, turn.user_id, import_job.id)
    if clashes and import_job.options.move_opening_balances:
        opening_balances.move(db, turn.user_id, replace(import_job, findings=findings), turn.now)
    else:
        findings = add_findings(findings, tuple(clash.finding for clash in clashes))
        store.set_findings(db, turn.user_id, import_job.id, findings, turn.now)


def _is_taken_back(job: Job) -> bool:
    return bool(job.data["phase"] == Phase.TAKING_BACK)


def _refuse(sentence: str) -> ImportStep:
    return ImportStep(findings=(Finding(message=sentence, rejects=True),), is_refused=True)
