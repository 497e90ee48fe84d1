"""Runs import jobs in the job process, part by part.

First the whole file is read and every row checked; nothing is stored if one is wrong, unless the user wants the others
anyway. Then rows are booked some at a time, each unit of work short. If one fails, the earlier ones are taken back,
some at a time as well. How far it came is stored with what was booked, so a worker that dies doubles nothing.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from time import perf_counter
from typing import Any, BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from farthing.books.attachments import store as attachments
from farthing.books.currencies import store as currencies
from farthing.books.preferences import store as preferences
from farthing.books.preferences.model import CURRENCY
from farthing.kernel.errors import Conflict, FarthingError, Invalid, OverQuota
from farthing.storage import queue
from farthing.storage.blobs import Blobs, Lost
from farthing.storage.queue import Job, JobProgress
from farthing.storage.unit import Unit

from ..findings import Finding, Unreadable
from ..rows import memory, own_accounts, plan
from ..rows.carry_out import carry_out
from ..rows.options import ImportCounts, LinkRows
from ..rows.own_accounts import OwnAccounts
from ..rows.plan import Plan
from ..rows.settle import SettledRow, Settler
from ..source_books import SourceBooks
from ..statements import FileStart, StatementPart
from ..takeover.run import Takeover, TakeoverPart
from . import own_archive, store, undo
from .model import ImportJob, ImportState, add_findings
from .own_archive import ArchivePart, ArchiveRunner
from .queueing import BOOKING, CHECKING, RUN, TAKING_BACK
from .reading import OWN_ARCHIVE, PROGRAMS, NamedFile, read_books, read_statements

_LOG = logging.getLogger("farthing.imports")
# So many rows are checked between two signs of life.
_CHECKED_AT_ONCE = 5000
# So long a unit of work may hold the lock; the number of rows follows from how long the last one took.
_HELD_S = 0.02
_BATCH_FIRST, _BATCH_MIN, _BATCH_MAX = 40, 20, 1000
_TAKEN_BACK_AT_ONCE = 50

_GIVEN_UP = Finding(message="It failed inside Farthing; the server's log says why. Nothing was imported.", rejects=True)

Item = SettledRow | Finding
ReadStatements = Callable[[ImportJob, Sequence[NamedFile]], Iterator[StatementPart | FileStart]]


class Part(Struct, frozen=True, kw_only=True):
    """What was read for the next unit of work. `plan` serves if nothing has changed since `revision`."""

    import_job: ImportJob | None
    items: list[Item] = []
    is_last: bool = False
    plan: Plan | None = None
    own: OwnAccounts | None = None
    revision: int = 0
    failure: Finding | None = None
    wanted: Mapping[int, int] = {}
    takeover: TakeoverPart | None = None
    archive: ArchivePart | None = None


class ImportRunner:
    """Keeps the file open from one part to the next; after a restart it reads up to where it was."""

    def __init__(self, blobs: Blobs, read: ReadStatements = read_statements, *, held_s: float = _HELD_S) -> None:
        self._blobs = blobs
        self._read = read
        self._reading: _Reading | None = None
        self._takeover = Takeover(blobs)
        self._archive = ArchiveRunner(blobs, held_s)
        self._batch = _BATCH_FIRST
        self._held_s = held_s

    def look(self, db: Unit, job: Job, _now: str) -> Part:
        with self._closing_on_failure():
            return self._look(db, job)

    def write(self, db: Unit, job: Job, found: Part, now: str) -> JobProgress:
        with self._closing_on_failure():
            return self._write(db, job, found, now)

    @contextmanager
    def _closing_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()
            raise

    def _look(self, db: Unit, job: Job) -> Part:
        import_job = store.get(db, job.user_id, job.subject_id)
        if import_job is None or import_job.state != ImportState.RUNNING or job.data["phase"] == TAKING_BACK:
            return Part(import_job=import_job)
        try:
            if import_job.format in PROGRAMS:
                return self._look_at_books(db, job, import_job)
            if import_job.format == OWN_ARCHIVE:
                part = self._archive.look(db, job, lambda: self._open_archive(db, job, import_job))
                return Part(import_job=import_job, archive=part)
            reading = self._continue(db, job, import_job)
            checks = job.data["phase"] == CHECKING
            items = list(islice(reading.items, _CHECKED_AT_ONCE if checks else self._batch))
        except (Unreadable, Lost, Conflict) as error:
            return Part(import_job=import_job, failure=Finding(message=str(error), rejects=True))
        except (FarthingError, OSError):
            raise  # the database or the disk: it is tried again
        except Exception:
            _LOG.exception("import job %d of user %d cannot be read", import_job.id, job.user_id)
            return Part(import_job=import_job, failure=_GIVEN_UP)
        is_last = len(items) < (_CHECKED_AT_ONCE if checks else self._batch)
        reading.place += len(items)
        found = Part(
            import_job=import_job,
            items=items,
            is_last=is_last,
            own=reading.own,
            revision=memory.get_revision(db, job.user_id),
        )
        return _with_wanted(db, job.user_id, found) if checks else _with_plan(db, job, found)

    def _write(self, db: Unit, job: Job, found: Part, now: str) -> JobProgress:
        import_job = found.import_job
        if import_job is None or import_job.state != ImportState.RUNNING:
            return self._end(job)
        if found.failure:
            return self._fail(db, job, import_job, [found.failure], now)
        if found.archive:
            return self._bring_in(db, job, import_job, found.archive, now)
        if found.takeover:
            return self._take_over(db, job, import_job, found.takeover, now)
        match job.data["phase"]:
            case "checking":
                return self._check(db, job, import_job, found, now)
            case "booking":
                return self._book(db, job, import_job, found, now)
            case _:
                return self._take_back(db, job, import_job, now)

    def give_up(self, db: Unit, job: Job, now: str) -> None:
        """Called when too many workers died of it: what it has made is taken back, if that is possible."""
        import_job = store.get(db, job.user_id, job.subject_id)
        if import_job is None:
            return
        findings = add_findings(import_job.findings, (_GIVEN_UP,))
        store.note_progress(db, job.user_id, import_job.id, import_job.counts, findings, now)
        if job.data["phase"] == TAKING_BACK:
            store.finish(db, job.user_id, import_job.id, ImportState.FAILED, now)
        else:
            queue.add(db, job.user_id, RUN, import_job.id, {**job.data, "phase": TAKING_BACK}, now)

    def _continue(self, db: Unit, job: Job, import_job: ImportJob) -> "_Reading":
        """The reader where it stopped; a new one where another worker stopped, or for the second pass."""
        place = int(job.data["place"])
        reading = self._reading
        if reading is None or (reading.job_id, reading.phase, reading.place) != (job.id, job.data["phase"], place):
            self.close()
            reading = self._reading = self._open(db, job, import_job)
            for _ in islice(reading.items, place):
                pass
            reading.place = place
        own = own_accounts.load(db, job.user_id)
        reading.settler.renew(own, currencies.all_coded(db))
        reading.own = own
        return reading

    def _open(self, db: Unit, job: Job, import_job: ImportJob) -> "_Reading":
        own = own_accounts.load(db, job.user_id)
        settler = Settler(own, import_job.account_id, currencies.all_coded(db))
        with ExitStack() as files:
            named = [
                NamedFile(name=name, file=files.enter_context(file))
                for name, file in _open_files(db, self._blobs, job.user_id, import_job)
            ]
            return _Reading(
                job_id=job.id,
                phase=job.data["phase"],
                items=settler.settle(self._read(import_job, named)),
                settler=settler,
                own=own,
                files=files.pop_all(),
            )

    def _look_at_books(self, db: Unit, job: Job, import_job: ImportJob) -> Part:
        def open_files(opened: ExitStack) -> dict[str, BinaryIO]:
            return {
                name: opened.enter_context(file) for name, file in _open_files(db, self._blobs, job.user_id, import_job)
            }

        currency = preferences.values(db, job.user_id, [CURRENCY])[CURRENCY]

        def read(files: Mapping[str, BinaryIO]) -> SourceBooks:
            return read_books(import_job, files, str(currency))

        part = self._takeover.look(job, read, open_files, batch=self._batch)
        return Part(import_job=import_job, takeover=part)

    def _take_over(self, db: Unit, job: Job, import_job: ImportJob, part: TakeoverPart, now: str) -> JobProgress:
        started = perf_counter()
        partial = import_job.options.partial
        try:
            with db.savepoint():
                step = self._takeover.write(db, job, part, now, partial=partial)
        except Invalid as refusal:
            sentence = refusal.sentences
            return self._fail(db, job, import_job, [Finding(message=sentence, rejects=True)], now)
        self._adapt(len(part.transactions), perf_counter() - started)
        counts = import_job.counts.plus(step.counts)
        findings = add_findings(import_job.findings, step.findings)
        store.note_progress(db, job.user_id, import_job.id, counts, findings, now, total=step.total)
        if step.is_refused and not partial:
            self.close()
            return JobProgress(data={**job.data, "phase": TAKING_BACK}, more=True)
        if step.is_done:
            report = {**(step.report or {}), "files": _hashes(db, job.user_id, import_job)}
            store.finish(db, job.user_id, import_job.id, ImportState.DONE, now, report=report)
            return self._end(job)
        return JobProgress(data=step.data, more=True)

    def _open_archive(self, db: Unit, job: Job, import_job: ImportJob) -> BinaryIO:
        [(_, file), *_] = list(_open_files(db, self._blobs, job.user_id, import_job))
        return file

    def _bring_in(self, db: Unit, job: Job, import_job: ImportJob, part: ArchivePart, now: str) -> JobProgress:
        try:
            with db.savepoint():
                step = self._archive.write(db, job, part, now)
        except (Unreadable, Conflict, OverQuota) as error:
            return self._fail(db, job, import_job, [Finding(message=str(error), rejects=True)], now)
        counts = ImportCounts(read=step.done, new=step.done)
        if not step.brought:
            store.note_progress(db, job.user_id, import_job.id, counts, (), now)
            return JobProgress(data=step.data, more=True)
        total = step.brought.counts.get("transactions", 0)
        counts = ImportCounts(read=total, new=total)
        store.note_progress(db, job.user_id, import_job.id, counts, (), now, total=total)
        report = {
            "program": "Farthing",
            "counts": {kind: {"source": count, "here": count} for kind, count in step.brought.counts.items()},
            "revision": step.brought.revision,
            "files": _hashes(db, job.user_id, import_job),
        }
        store.finish(db, job.user_id, import_job.id, ImportState.DONE, now, report=report)
        return self._end(job)

    def close(self) -> None:
        self._takeover.close()
        self._archive.close()
        if self._reading:
            self._reading.files.close()
        self._reading = None

    def _end(self, job: Job) -> JobProgress:
        self.close()
        return JobProgress(data=job.data, more=False)

    def _fail(self, db: Unit, job: Job, import_job: ImportJob, failures: Sequence[Finding], now: str) -> JobProgress:
        findings = add_findings(import_job.findings, tuple(failures))
        store.note_progress(db, job.user_id, import_job.id, import_job.counts, findings, now)
        self.close()
        return JobProgress(data={**job.data, "phase": TAKING_BACK}, more=True)

    def _check(self, db: Unit, job: Job, import_job: ImportJob, found: Part, now: str) -> JobProgress:
        """Nothing is booked before all rows are known to be right."""
        rejected = [one for one in found.items if isinstance(one, Finding) and one.rejects]
        remarks = [one for one in found.items if isinstance(one, Finding)]
        total = int(job.data["total"]) + sum(isinstance(one, SettledRow) or one.rejects for one in found.items)
        findings = add_findings(import_job.findings, tuple(remarks))
        wrong = int(job.data["rejected"]) + len(rejected)
        place = int(job.data["place"]) + len(found.items)
        wanted = Counter(job.data["wanted"]) + Counter({str(entry): count for entry, count in found.wanted.items()})
        data: dict[str, Any] = {**job.data, "total": total, "rejected": wrong, "place": place, "wanted": dict(wanted)}
        counts = import_job.counts
        if found.is_last:
            self.close()
            if not total:
                findings = add_findings(findings, (Finding(message="There is no row to import in this file."),))
            fails = wrong and not import_job.options.partial
            data |= {"place": 0, "phase": TAKING_BACK if fails else BOOKING}
            counts = ImportCounts(read=total, rejected=wrong) if fails else counts
        store.note_progress(db, job.user_id, import_job.id, counts, findings, now, total=total)
        return JobProgress(data=data, more=True)

    def _book(self, db: Unit, job: Job, import_job: ImportJob, found: Part, now: str) -> JobProgress:
        assert db.author is not None, "a write takes its user first"
        started = perf_counter()
        rejected = [one for one in found.items if isinstance(one, Finding) and one.rejects]
        if rejected and not import_job.options.partial:
            return self._fail(db, job, import_job, rejected, now)
        if found.revision + 1 != db.author.revision:
            own = own_accounts.load(db, job.user_id)
            if _have_accounts_changed(found, own):
                self.close()
                return JobProgress(data=job.data, more=True)
            found = _with_plan(db, job, replace(found, own=own))
        assert found.plan is not None, "made when it was read"
        try:
            with db.savepoint():
                booked = carry_out(db, job.user_id, import_job.id, found.plan, now, partial=import_job.options.partial)
        except Invalid as refusal:
            sentence = refusal.sentences
            return self._fail(db, job, import_job, [Finding(message=sentence, rejects=True)], now)
        counts = import_job.counts.plus(booked.counts).plus(ImportCounts(read=len(rejected), rejected=len(rejected)))
        unsaid = tuple(one for one in rejected if one not in import_job.findings)
        findings = add_findings(import_job.findings, (*unsaid, *booked.findings))
        store.note_progress(db, job.user_id, import_job.id, counts, findings, now)
        self._adapt(len(found.items), perf_counter() - started)
        if found.is_last:
            store.finish(db, job.user_id, import_job.id, ImportState.DONE, now)
            return self._end(job)
        return JobProgress(data={**job.data, "place": int(job.data["place"]) + len(found.items)}, more=True)

    def _adapt(self, count: int, took_s: float) -> None:
        if count:
            fitting = int(count * self._held_s / max(took_s, 0.0001))
            self._batch = max(_BATCH_MIN, min(_BATCH_MAX, fitting, self._batch * 2))

    def _take_back(self, db: Unit, job: Job, import_job: ImportJob, now: str) -> JobProgress:
        """The last transactions first. The counts stay: they say what was read."""
        try:
            with db.savepoint():
                has_more = own_archive.take_back_some(db, job)
            if has_more:
                return JobProgress(data={**job.data, own_archive.REWINDING: True}, more=True)
        except Conflict as error:
            findings = add_findings(import_job.findings, (Finding(message=str(error)),))
            store.note_progress(db, job.user_id, import_job.id, import_job.counts, findings, now)
        if undo.take_back_some(db, job.user_id, import_job.id, _TAKEN_BACK_AT_ONCE):
            return JobProgress(data=job.data, more=True)
        undo.take_back(db, job.user_id, import_job.id, now)
        store.finish(db, job.user_id, import_job.id, ImportState.FAILED, now)
        return self._end(job)


class _Reading(Struct, kw_only=True):
    """An open file, and how many items have been taken from it."""

    job_id: int
    phase: str
    items: Iterator[Item]
    settler: Settler
    own: OwnAccounts
    files: ExitStack
    place: int = 0


def _have_accounts_changed(found: Part, own: OwnAccounts) -> bool:
    """Since the rows were read: deleted, or kept in another currency."""
    settled = {one.account.id: one.account.currency for one in found.items if isinstance(one, SettledRow)}
    there = {account_id: account.currency for account_id, account in own.by_id.items()}
    return any(there.get(account_id) != currency for account_id, currency in settled.items())


def _with_wanted(db: Unit, user_id: int, found: Part) -> Part:
    assert found.own is not None, "something was read"
    assert found.import_job is not None, "something was read"
    options = found.import_job.options
    if options.link != LinkRows.SURE:
        return found
    settled = [one for one in found.items if isinstance(one, SettledRow)]
    return replace(found, wanted=plan.count_wanted(db, user_id, found.own, options, settled))


def _with_plan(db: Unit, job: Job, found: Part) -> Part:
    assert found.own is not None, "something was read"
    assert found.import_job is not None, "something was read"
    settled = [one for one in found.items if isinstance(one, SettledRow)]
    wanted = {int(entry_id): count for entry_id, count in job.data["wanted"].items()}
    made = plan.make(db, job.user_id, found.own, found.import_job.options, settled, wanted=wanted)
    return replace(found, plan=made)


def _open_files(db: Unit, blobs: Blobs, user_id: int, job: ImportJob) -> Iterator[tuple[str, BinaryIO]]:
    for file_id in job.file_ids:
        kept = attachments.get(db, user_id, file_id)
        if kept is None or kept.upload is None:
            raise Unreadable("The file of this import was deleted. Upload it again.")
        yield kept.filename, blobs.open(user_id, kept.upload.sha256)


def _hashes(db: Unit, user_id: int, job: ImportJob) -> list[dict[str, str]]:
    """What the report says about the files that it is of."""
    kept = [attachments.get(db, user_id, file_id) for file_id in job.file_ids]
    return [{"filename": one.filename, "sha256": one.upload.sha256} for one in kept if one and one.upload]
