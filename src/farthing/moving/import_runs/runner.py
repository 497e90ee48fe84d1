"""Defines the protocol of import runners, and what the frame in `run.py` exchanges with each."""

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
    """Decides how many rows a unit of work takes: as many as fit into `held_s`, judging by the previous one."""

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
    """Describes the result of one turn. `position` is where the phase goes on; None ends it.

    `data` changes the data of the queued job. `counts` replace those of the import, `findings` are added. `booked` rows
    set the pace. Unless the import is partial, `rejected` rows take it back; `is_refused` does so in any case.
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
    """Runs one import, turn by turn, and keeps its files open in between. A new one goes on where another stopped."""

    @property
    def phases(self) -> tuple[Phase, ...]: ...

    def look(self, turn: ImportTurn) -> Any | Waiting:
        """Reads the next part. Raises Unreadable, Conflict or OverQuota."""

    def write(self, turn: ImportTurn, part: Any) -> ImportStep:
        """Stores the part. Raises Unreadable, Invalid, Conflict or OverQuota."""

    def close(self) -> None:
        """Closes what is open."""
