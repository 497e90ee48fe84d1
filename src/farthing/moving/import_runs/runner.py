"""What every kind of import shares with the frame that runs it: the protocol of runners, and what each is given."""

from contextlib import ExitStack
from typing import Any, Protocol

from msgspec import Struct

from farthing.books.attachments import store as attachments
from farthing.storage.blobs import Blobs
from farthing.storage.queue import Job, Waiting
from farthing.storage.unit import Unit

from ..findings import Finding, Unreadable
from ..import_jobs.model import ImportJob
from ..import_jobs.reading import NamedFile, RunQuestion
from ..rows.options import ImportCounts
from .foreign import ForeignParts, Readers

# So long a unit of work may hold the lock.
HELD_S = 0.02
_ROWS_FIRST, _ROWS_MIN, _ROWS_MAX = 40, 20, 1000


class Pace(Struct, kw_only=True):
    """How many rows a unit of work takes: as many as fit into `held_s`, going by the one before."""

    held_s: float = HELD_S
    rows: int = _ROWS_FIRST

    def adapt(self, rows: int, took_s: float) -> None:
        if rows:
            fitting = int(rows * self.held_s / max(took_s, 0.0001))
            self.rows = max(_ROWS_MIN, min(_ROWS_MAX, fitting, self.rows * 2))


class ImportStep(Struct, frozen=True, kw_only=True):
    """What one unit of work leaves behind: the data of the queued job, and what the import job says from now on.

    `findings` come on top of those it has; `counts` are None if they stay. `booked` rows set the pace. With
    `is_refused` all of it is taken back.
    """

    data: dict[str, Any]
    counts: ImportCounts | None = None
    findings: tuple[Finding, ...] = ()
    total: int | None = None
    booked: int = 0
    is_refused: bool = False
    is_done: bool = False
    report: dict[str, Any] | None = None


class Runner(Protocol):
    """Runs one import job part by part and keeps its files open in between. A new one goes on where another stopped."""

    def look(self, db: Unit, job: Job, import_job: ImportJob) -> Any | Waiting:
        """Reads the next part. Raises Unreadable, Conflict or OverQuota."""

    def write(self, db: Unit, job: Job, import_job: ImportJob, part: Any, now: str) -> ImportStep:
        """Stores the part. Raises Unreadable, Invalid, Conflict or OverQuota."""

    def close(self) -> None:
        """Closes what is open."""


class Tools(Struct, frozen=True, kw_only=True):
    """What runners use. `read_statements` names the function that reads files of banks, in a process of its own."""

    blobs: Blobs
    readers: Readers
    pace: Pace
    read_statements: str

    def begin_reading(
        self,
        db: Unit,
        user_id: int,
        import_job: ImportJob,
        function: str,
        *,
        currency: str = "",
        question: object = None,
    ) -> ForeignParts:
        """By default it asks for what a run reads. Raises Unreadable if a file was deleted."""
        with ExitStack() as opened:
            files = open_files(db, self.blobs, user_id, import_job, opened)
            names = tuple(named.name for named in files)
            asked = question or RunQuestion(job=import_job, names=names, currency=currency)
            return self.readers.begin(function, asked, [named.file for named in files])


def open_files(db: Unit, blobs: Blobs, user_id: int, import_job: ImportJob, opened: ExitStack) -> list[NamedFile]:
    """Raises Unreadable if one was deleted."""
    files = []
    for file_id in import_job.file_ids:
        attachment = attachments.get(db, user_id, file_id)
        if attachment is None or attachment.upload is None:
            raise Unreadable("The file of this import was deleted. Upload it again.")
        file = opened.enter_context(blobs.open(user_id, attachment.upload.sha256))
        files.append(NamedFile(name=attachment.filename, file=file))
    return files


def list_hashes(db: Unit, user_id: int, import_job: ImportJob) -> list[dict[str, str]]:
    """What the report says about the files that it is of."""
    files = [attachments.get(db, user_id, file_id) for file_id in import_job.file_ids]
    return [{"filename": file.filename, "sha256": file.upload.sha256} for file in files if file and file.upload]
