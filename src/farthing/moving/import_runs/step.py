"""What every kind of import shares with the frame that runs it: its pace, and what each of its parts leaves behind."""

from typing import Any

from msgspec import Struct

from ..findings import Finding
from ..rows.options import ImportCounts

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
