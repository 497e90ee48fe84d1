"""Runs the import of an archive that another Farthing exported, into empty books, in short units of work.

All of it is logged as one change, so that it can be undone as one. The examination at the end needs no lock. What a
worker knew of the ids is gone when it dies: then what it stored is taken back, some at a time, and the next one begins
anew.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from time import monotonic, perf_counter

from msgspec import Struct, field
from msgspec.structs import replace

from farthing.storage.blobs import Content
from farthing.storage.queue import Job, Waiting
from farthing.storage.unit import Unit

from ..archive import loading
from ..archive.loading import ArchiveLoader
from ..archive.reading import open_archive
from ..import_jobs.model import ImportJob
from ..rows.options import ImportCounts
from . import archive_undo
from .foreign import ForeignParts, open_files
from .runner import ImportStep, Tools

_CHECK = "farthing.moving.archive.reading:check_file"
# How long contents are stored at once.
_STORING_S = 0.25


class ArchiveProgress(Struct, frozen=True):
    """Decides what is next: undo what a dead worker stored, continue, or finish."""

    is_lost: bool = False
    is_stored: bool = False


class _Session(Struct, kw_only=True):
    """Tracks an archive: a separate process checks it, then its contents are stored, then everything else.

    `position` counts the units of work that have stored some of it.
    """

    check: ForeignParts
    files: ExitStack = field(default_factory=ExitStack)
    contents: Iterator[None] = iter(())
    loader: ArchiveLoader | None = None
    position: int = 0
    steps: Iterator[None] | None = None
    is_stored: bool = False

    def is_checked(self) -> bool:
        """Raises Unreadable."""
        self.check.take()
        return self.check.is_at_end

    def has_contents(self) -> bool:
        """Stores contents for a while. Returns whether all of them are stored. Raises Unreadable."""
        until = monotonic() + _STORING_S
        while monotonic() < until:
            if next(self.contents, self) is self:
                return True
        return False

    def close(self) -> None:
        self.check.close()
        self.files.close()


class ArchiveRunner(Struct, kw_only=True):
    tools: Tools
    session: _Session | None = None

    def look(self, db: Unit, job: Job, import_job: ImportJob) -> ArchiveProgress | Waiting:
        """Raises Unreadable, Conflict or OverQuota."""
        position = int(job.data["place"])
        session = self.session
        if session is None or session.position != position:
            self.close()
            if position:
                return ArchiveProgress(is_lost=True)
            session = self.session = _Session(check=self._begin_check(db, job, import_job))
        if not session.is_checked():
            return Waiting()
        if session.loader is None:
            self._open(db, job, import_job, session)
        if not session.has_contents():
            return Waiting()
        if session.is_stored:
            loading.refuse_contradictions(db, job.user_id)
        return ArchiveProgress(is_stored=session.is_stored)

    def _begin_check(self, db: Unit, job: Job, import_job: ImportJob) -> ForeignParts:
        question = loading.ask_check(db, job.user_id)
        return self.tools.readers.begin(db, job.user_id, import_job, _CHECK, question=question)

    def _open(self, db: Unit, job: Job, import_job: ImportJob, session: _Session) -> None:
        """Opens the archive again, because the process that checked it has moved its read position."""
        archive = open_archive(open_files(db, self.tools.blobs, job.user_id, import_job, session.files)[0].file)
        loading.refuse_too_large(db, job.user_id, archive)
        stored: dict[str, Content] = {}
        session.contents = loading.store_contents(self.tools.blobs, job.user_id, archive, stored)
        session.loader = ArchiveLoader(job.user_id, archive, stored)

    def write(self, db: Unit, job: Job, _import_job: ImportJob, part: ArchiveProgress, now: str) -> ImportStep:
        """Raises Unreadable, Conflict or OverQuota."""
        assert db.author is not None, "a write takes its user first"
        if part.is_lost:
            begun_anew = {**job.data, "place": 0, "revision": None, archive_undo.REWINDING: False}
            return ImportStep(data=archive_undo.take_back_some(db, job) or begun_anew, counts=ImportCounts())
        session = self.session
        assert session is not None, "opened when it was looked at"
        assert session.loader is not None, "checked by then"
        revision = int(job.data.get("revision") or db.author.revision)
        if part.is_stored:
            return _finish(job, session.loader.counts, revision)
        db.author = replace(db.author, revision=revision)
        self._store_some(db, session, session.loader, now)
        done = session.loader.counts.get("transactions", 0)
        return ImportStep(
            data={**job.data, "place": session.position, "revision": revision},
            counts=ImportCounts(read=done, new=done),
        )

    def _store_some(self, db: Unit, session: _Session, loader: ArchiveLoader, now: str) -> None:
        loader.db = db
        session.steps = session.steps or loader.steps(now)
        until = perf_counter() + self.tools.pace.held_s
        for _ in session.steps:
            if perf_counter() >= until:
                break
        else:
            session.is_stored = True
        session.position += 1

    def close(self) -> None:
        if self.session:
            self.session.close()
        self.session = None


def _finish(job: Job, counts: Mapping[str, int], revision: int) -> ImportStep:
    total = counts.get("transactions", 0)
    return ImportStep(
        data=job.data,
        counts=ImportCounts(read=total, new=total),
        total=total,
        is_done=True,
        report={
            "program": "Farthing",
            "counts": {kind: {"source": count, "here": count} for kind, count in counts.items()},
            "revision": revision,
        },
    )
