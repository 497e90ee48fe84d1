"""How import jobs wait in the queue; apart from what runs them, which the server does not need to load."""

from typing import Any

RUN, FETCH = "import_jobs.run", "import_jobs.fetch"
CHECKING, BOOKING, TAKING_BACK = "checking", "booking", "taking back"
# What can be fetched from a running server.
FETCHED_FORMAT = "firefly-iii"


def run_data() -> dict[str, Any]:
    """Where every run begins. `wanted`: by how many rows each transaction that somebody typed is wanted."""
    return {"phase": CHECKING, "place": 0, "total": 0, "rejected": 0, "wanted": {}}


def fetch_data(url: str, token: str) -> dict[str, Any]:
    return {"url": url, "token": token}
