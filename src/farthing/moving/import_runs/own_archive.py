"""Imports an archive that another installation of Farthing exported, into empty books, in short units of work.

The whole import is logged as one change, so that it can be undone as one. The examination at the end needs no lock. If
a worker dies, its mapping of ids is lost: the next worker first undoes what was stored, in batches, and then starts
again.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from enum import Enum, auto
from time import monotonic, perf_counter

from msgspec import Struct, field, structs

from farthing.storage.blobs import Content
from farthing.storage.queue import Waiting

from ..archive import loading
from ..archive.loading import ArchiveLoader
from ..archive.reading import open_archive
from ..import_jobs.queueing import Phase
from ..rows.options import ImportCounts
from . import undo
from .reader_processes import ReaderParts, open_files
from .runner import ImportStep, Tools
from .turn import ImportTurn

_CHECK = "farthing.moving.archive.reading:check_file"
# How long a turn spends on storing attachment contents.
_STORING_S = 0.25


class ArchiveProgress(Enum):
    """Says what to do next: undo what a dead worker stored, store more, or finish."""

    LOST = auto()
    STORING = auto()
    STORED = auto()


class _Session(Struct, kw_only=True):
    """Tracks an import: the check, the attachment contents, then all other data. `position` is the number of batches of
    other data that have been stored.
    """

    check: ReaderParts
    files: ExitStack = field(default_factory=ExitStack)
    contents: Iterator[None] = iter(())
    loader: ArchiveLoader | None = None
    position: int = 0
    steps: Iterator[None] | None = None
    is_stored: bool = False

    def is_checked(self) -> bool:
        """Returns True if the check has ended. Raises Unreadable if it found an error."""
        self.check.take()
        return self.check.is_at_end

    def has_contents(self) -> bool:
        """Stores some more attachment contents. Returns True if all are stored. Raises Unreadable."""
        until = monotonic() + _STORING_S
        while monotonic() < until:
            if next(self.contents, self) is self:
                return True
        return False

    def store_some(self, loader: ArchiveLoader, turn: ImportTurn, held_s: float) -> None:
        loader.db = turn.db
        self.steps = self.steps or loader.steps(turn.now)
        until = perf_counter() + held_s
        for _ in self.steps:
            if perf_counter() >= until:
                break
        else:
            self.is_stored = True
        self.position += 1

    def close(self) -> None:
        self.check.close()
        self.files.close()


class ArchiveRunner(Struct, kw_only=True):
    tools: Tools
    session: _Session | None = None

    @property
    def phases(self) -> tuple[Phase, ...]:
        return (Phase.CHECKING,)

    def look(self, turn: ImportTurn) -> ArchiveProgress | Waiting:
        session = self.session
        if session is None or session.position != turn.position:
            self.close()
            if turn.position:
                return ArchiveProgress.LOST
            question = loading.ask_check(turn.db, turn.user_id)
            session = self.session = _Session(check=self.tools.readers.begin(turn, _CHECK, question=question))
        if not session.is_checked():
            return Waiting()
        if session.loader is None:
            # The archive is opened again: the process that checked it has moved the position in the shared file.
            archive = open_archive(open_files(turn, self.tools.blobs, session.files)[0].file)
            loading.refuse_too_large(turn.db, turn.user_id, archive)
            stored: dict[str, Content] = {}
            session.contents = loading.store_contents(self.tools.blobs, turn.user_id, archive, stored)
            session.loader = ArchiveLoader(turn.user_id, archive, stored)
        if not session.has_contents():
            return Waiting()
        if session.is_stored:
            loading.refuse_contradictions(turn.db, turn.user_id)
        return ArchiveProgress.STORED if session.is_stored else ArchiveProgress.STORING

    def write(self, turn: ImportTurn, part: ArchiveProgress) -> ImportStep:
        author = turn.db.author
        assert author is not None, "a write takes its user first"
        if part is ArchiveProgress.LOST:
            if left := undo.take_back_archive(turn.db, turn.job):
                return ImportStep(position=turn.position, data=left, counts=ImportCounts())
            return ImportStep(position=0, data={"revision": None, undo.REWINDING: False}, counts=ImportCounts())
        session = self.session
        assert session is not None, "opened when it was looked at"
        assert session.loader is not None, "checked by then"
        revision = int(turn.job.data.get("revision") or author.revision)
        if part is ArchiveProgress.STORED:
            total = session.loader.counts.get("transactions", 0)
            brought = {kind: {"source": count, "here": count} for kind, count in session.loader.counts.items()}
            report = {"program": "Farthing", "counts": brought, "revision": revision}
            return ImportStep(counts=ImportCounts(read=total, new=total), total=total, report=report)
        turn.db.author = structs.replace(author, revision=revision)
        session.store_some(session.loader, turn, self.tools.pace.held_s)
        done = session.loader.counts.get("transactions", 0)
        counts = ImportCounts(read=done, new=done)
        return ImportStep(position=session.position, data={"revision": revision}, counts=counts)

    def close(self) -> None:
        if self.session:
            self.session.close()
        self.session = None
