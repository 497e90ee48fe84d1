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

from farthing.books.bookkeeping import record
from farthing.care.changes import store as changes
from farthing.care.changes import undo as undoing
from farthing.kernel.errors import Conflict
from farthing.storage.blobs import Blobs, Content
from farthing.storage.queue import Job, Waiting
from farthing.storage.unit import Unit

from ..archive import bringing
from ..archive.bringing import Bringing
from ..archive.reading import open_archive
from ..import_jobs.model import ImportJob
from ..rows import memory
from ..rows.options import ImportCounts
from .files import open_files
from .foreign import ForeignParts, Readers
from .step import ImportStep, Pace

# In the data of a job that takes back what it stored: nobody had changed that when it began.
REWINDING = "is_rewinding"
_TAKEN_BACK_AT_ONCE = 50
_CHECK = "farthing.moving.archive.reading:check_file"
# So long contents are stored at once.
_STORING_S = 0.25


class ArchivePart(Struct, frozen=True):
    """What is to be done next: undo what a dead worker stored, go on storing, or end."""

    is_lost: bool = False
    is_stored: bool = False


class _Session(Struct, kw_only=True):
    """An archive: it is checked by a process of its own, then its contents are stored, then all else.

    `place` is how many units of work have stored some of it.
    """

    check: ForeignParts
    files: ExitStack = field(default_factory=ExitStack)
    contents: Iterator[None] = iter(())
    bringing: Bringing | None = None
    place: int = 0
    steps: Iterator[None] | None = None
    is_stored: bool = False

    def is_checked(self) -> bool:
        """Raises Unreadable."""
        self.check.take()
        return self.check.is_at_end

    def has_contents(self) -> bool:
        """Whether all of them are there; if not, stores some. Raises Unreadable."""
        until = monotonic() + _STORING_S
        while monotonic() < until:
            if next(self.contents, self) is self:
                return True
        return False

    def close(self) -> None:
        self.check.close()
        self.files.close()


class ArchiveRunner:
    def __init__(self, blobs: Blobs, readers: Readers, pace: Pace) -> None:
        self._blobs = blobs
        self._readers = readers
        self._pace = pace
        # By job.
        self._sessions: dict[int, _Session] = {}

    def look(self, db: Unit, job: Job, import_job: ImportJob) -> ArchivePart | Waiting:
        """Raises Unreadable, Conflict or OverQuota."""
        place = int(job.data["place"])
        session = self._sessions.get(job.id)
        if session is None or session.place != place:
            self.leave(job.id)
            if place:
                return ArchivePart(is_lost=True)
            session = self._sessions[job.id] = _Session(check=self._begin_check(db, job, import_job))
        if not session.is_checked():
            return Waiting()
        if session.bringing is None:
            self._open(db, job, import_job, session)
        if not session.has_contents():
            return Waiting()
        if session.is_stored:
            bringing.refuse_contradictions(db, job.user_id)
        return ArchivePart(is_stored=session.is_stored)

    def _begin_check(self, db: Unit, job: Job, import_job: ImportJob) -> ForeignParts:
        question = bringing.ask_check(db, job.user_id)
        with ExitStack() as opened:
            files = open_files(db, self._blobs, job.user_id, import_job, opened)
            return self._readers.begin(_CHECK, question, [one.file for one in files[:1]])

    def _open(self, db: Unit, job: Job, import_job: ImportJob, session: _Session) -> None:
        """Anew, because the process that checked it has moved the place at which the file is read."""
        archive = open_archive(open_files(db, self._blobs, job.user_id, import_job, session.files)[0].file)
        bringing.refuse_too_large(db, job.user_id, archive)
        stored: dict[str, Content] = {}
        session.contents = bringing.store_contents(self._blobs, job.user_id, archive, stored)
        session.bringing = Bringing(job.user_id, archive, stored, _say_nothing)

    def write(self, db: Unit, job: Job, _import_job: ImportJob, part: ArchivePart, now: str) -> ImportStep:
        """Raises Unreadable, Conflict or OverQuota."""
        assert db.author is not None, "a write takes its user first"
        if part.is_lost:
            rest = {REWINDING: True} if take_back_some(db, job) else {"place": 0, "revision": None, REWINDING: False}
            return ImportStep(data={**job.data, **rest}, counts=ImportCounts())
        session = self._sessions[job.id]
        assert session.bringing is not None, "opened when it was looked at"
        revision = int(job.data.get("revision") or db.author.revision)
        if part.is_stored:
            return _finish(job, session.bringing.counts, revision)
        db.author = replace(db.author, revision=revision)
        self._store_some(db, session, session.bringing, now)
        done = session.bringing.counts.get("transactions", 0)
        return ImportStep(
            data={**job.data, "place": session.place, "revision": revision},
            counts=ImportCounts(read=done, new=done),
        )

    def _store_some(self, db: Unit, session: _Session, bringing: Bringing, now: str) -> None:
        bringing.db = db
        session.steps = session.steps or bringing.steps(now)
        until = perf_counter() + self._pace.held_s
        for _ in session.steps:
            if perf_counter() >= until:
                break
        else:
            session.is_stored = True
        session.place += 1

    def leave(self, job_id: int) -> None:
        if session := self._sessions.pop(job_id, None):
            session.close()


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


def take_back_some(db: Unit, job: Job) -> bool:
    """Of a run that failed, or whose worker died: its last transactions, and whether there is more to take back.

    When no transaction is left, the rest is undone. Raises Conflict if somebody has changed it meanwhile.
    """
    revision = int(job.data.get("revision") or 0)
    found = changes.list_of_revision(db, job.user_id, revision) if revision else []
    if not found or found[0].undone_by is not None:
        return False
    if not job.data.get(REWINDING):
        undoing.refuse_touched(db, job.user_id, found[0])
    entry_ids = _last_entries(db, job.user_id, revision)
    if not entry_ids:
        undoing.undo(db, job.user_id, found[0])
        return False
    _rewind(db, job.user_id, revision, entry_ids)
    return True


def _last_entries(db: Unit, user_id: int, revision: int) -> list[int]:
    rows = db.all(
        """
        SELECT object_id FROM changes
        WHERE user_id = :user_id AND revision = :revision AND kind = 'entries' AND action = 'created'
        ORDER BY id DESC LIMIT :most
        """,
        user_id=user_id,
        revision=revision,
        most=_TAKEN_BACK_AT_ONCE,
    )
    return sorted(entry_id for (entry_id,) in rows)


def _rewind(db: Unit, user_id: int, revision: int, entry_ids: list[int]) -> None:
    """Erases them, and leaves the log of the change as if they had never been in it: the rest of it can be undone."""
    assert db.author is not None, "a write takes its user first"
    db.author = replace(db.author, revision=revision)
    last = db.value(
        "SELECT MAX(id) FROM changes WHERE user_id = :user_id AND revision = :revision",
        user_id=user_id,
        revision=revision,
    )
    record.erase(db, user_id, memory.still_there(db, user_id, entry_ids))
    db.run(
        """
        DELETE FROM changes WHERE user_id = :user_id AND revision = :revision
            AND (id > :last OR kind = 'entries' AND object_id IN :ids)
        """,
        user_id=user_id,
        revision=revision,
        last=last,
        ids=entry_ids,
    )


def take_back(db: Unit, user_id: int, job: ImportJob) -> None:
    """All of it was one change, which is undone; refused if something was changed since."""
    revision = (job.report or {}).get("revision")
    found = changes.list_of_revision(db, user_id, int(revision)) if revision else []
    if not found:
        raise Conflict("It can no longer be undone: the log of changes does not reach back so far.")
    undoing.undo(db, user_id, found[0])


def _say_nothing(_step: str) -> None:
    pass
