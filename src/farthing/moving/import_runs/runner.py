"""Defines the protocol of import runners, and what the frame that runs them gives to each."""

from typing import Any, Protocol

from msgspec import Struct

from farthing.storage.blobs import Blobs
from farthing.storage.queue import Job, Waiting
from farthing.storage.unit import Unit

from ..findings import Finding
from ..import_jobs.model import ImportJob
from ..rows.options import ImportCounts
from .foreign import Readers

# How long a unit of work may hold the lock.
HELD_S = 0.02
_ROWS_FIRST, _ROWS_MIN, _ROWS_MAX = 40, 20, 1000


class ImportPace(Struct, kw_only=True):
    """Decides how many rows a unit of work takes: as many as fit into `held_s`, judging by the previous one."""

    held_s: float = HELD_S
    rows: int = _ROWS_FIRST

    def adapt(self, rows: int, took_s: float) -> None:
        if rows:
            fitting = int(rows * self.held_s / max(took_s, 0.0001))
            self.rows = max(_ROWS_MIN, min(_ROWS_MAX, fitting, self.rows * 2))


class ImportStep(Struct, frozen=True, kw_only=True):
    """Describes the result of one unit of work: the data of the queued job, and the new progress of the import.

    `findings` are added to those it has; `counts` are None if they stay. `booked` rows set the pace. `is_refused` takes
    back the whole import.
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
    """Holds what runners share. `read_statements` names the function that reads bank files in a separate process."""

    blobs: Blobs
    readers: Readers
    pace: ImportPace
    read_statements: str
