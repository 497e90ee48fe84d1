"""Defines the protocol of import runners, and the data that `run.py` exchanges with them."""

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct

from farthing.storage.blobs import Blobs
from farthing.storage.queue import Waiting

from ..findings import Finding
from ..import_jobs.queueing import Phase
from ..rows.options import ImportCounts
from .reader_processes import Readers
from .turn import ImportTurn

# How long a unit of work may hold the lock.
HELD_S = 0.02
_ROWS_FIRST, _ROWS_MIN, _ROWS_MAX = 40, 20, 1000


class ImportPace(Struct, kw_only=True):
    """Decides how many rows to book per unit of work: as many as fit into `held_s`, judging by the previous unit."""

    held_s: float = HELD_S
    rows: int = _ROWS_FIRST

    def adapt(self, rows: int, took_s: float) -> None:
        if rows:
            fitting = int(rows * self.held_s / max(took_s, 0.0001))
            self.rows = max(_ROWS_MIN, min(_ROWS_MAX, fitting, self.rows * 2))


class Tools(Struct, frozen=True, kw_only=True):
    """Holds what runners share. `read_statements` names the function that reads bank files in a separate process."""

    blobs: Blobs
    readers: Readers
    pace: ImportPace
    read_statements: str


class ImportStep(Struct, frozen=True, kw_only=True):
    """Describes the result of one turn. The phase continues at `position`, or ends if that is None. `data` changes the
    data of the queued job. `counts` replaces the counts of the import, `findings` are added to its findings. `booked`
    is the number of rows booked, which adjusts the pace. The import is undone if there are `rejected` rows, unless it
    is partial, and always if `is_refused`.
    """

    position: int | None = None
    data: Mapping[str, Any] = {}
    counts: ImportCounts | None = None
    findings: tuple[Finding, ...] = ()
    total: int | None = None
    booked: int = 0
    rejected: int = 0
    is_refused: bool = False
    report: dict[str, Any] | None = None


class Runner(Protocol):
    """Runs one import turn by turn, and keeps its files open. A new runner continues where the last one stopped."""

    @property
    def phases(self) -> tuple[Phase, ...]: ...

    def look(self, turn: ImportTurn) -> Any | Waiting:
        """Reads the next part. Raises Unreadable, Conflict or OverQuota."""

    def write(self, turn: ImportTurn, part: Any) -> ImportStep:
        """Stores the part. Raises Unreadable, Invalid, Conflict or OverQuota."""

    def close(self) -> None:
        """Closes all open files and processes."""
