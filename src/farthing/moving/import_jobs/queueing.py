"""Queues import jobs. Separate from the code that runs them, so that the server need not load that code."""

from enum import StrEnum
from typing import Any

RUN, FETCH = "import_jobs.run", "import_jobs.fetch"
# The only format that can be fetched from a running server.
FETCHED_FORMAT = "firefly-iii"


class Phase(StrEnum):
    """Defines the phases of a run, as stored, in order. Bank files have only CHECKING and BOOKING, an archive has only
    CHECKING. A failed run enters TAKING_BACK.
    """

    CHECKING = "checking"
    MAKING = "making"
    BOOKING = "booking"
    PLANNING = "planning"
    SAVING = "saving"
    ATTACHING = "attaching"
    PROVING = "proving"
    TAKING_BACK = "taking back"


def run_data(*, part_of: int, has_full_access: bool) -> dict[str, Any]:
    """Returns the data with which every run begins. `wanted` maps each transaction that the user entered to the number
    of rows that may match it. With full access to the books, a run may create currencies. The changes of the run are
    parts of the revision `part_of`, which started it.
    """
    return {
        "phase": Phase.CHECKING, "place": 0, "total": 0, "rejected": 0, "wanted": {},
        "has_full_access": has_full_access, "part_of": part_of,
    }  # fmt: skip
