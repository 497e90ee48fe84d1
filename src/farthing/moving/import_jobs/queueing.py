"""Queues import jobs; separate from what runs them, which the server does not need to load."""

from enum import StrEnum
from typing import Any

RUN, FETCH = "import_jobs.run", "import_jobs.fetch"
# What can be fetched from a running server.
FETCHED_FORMAT = "firefly-iii"


class Phase(StrEnum):
    """Names the phases of a run in their order. Files of banks are checked and booked; an archive has only the first
    phase.

    A failed run is taken back. The words are stored with the job.
    """

    CHECKING = "checking"
    MAKING = "making"
    BOOKING = "booking"
    PLANNING = "planning"
    SAVING = "saving"
    ATTACHING = "attaching"
    PROVING = "proving"
    TAKING_BACK = "taking back"


def run_data(*, has_full_access: bool) -> dict[str, Any]:
    """Returns the data with which every run begins. `wanted` counts for each typed transaction the rows that may match
    it.

    Full access to the books allows a run to make currencies.
    """
    return {
        "phase": Phase.CHECKING, "place": 0, "total": 0, "rejected": 0, "wanted": {},
        "has_full_access": has_full_access,
    }  # fmt: skip
