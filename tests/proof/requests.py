"""What may a client ask? A request as it is sent, with the name under which the plain books know it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

WRITES = (
    "record", "record many", "change", "remove", "open account", "change account", "close account", "reconcile",
)  # fmt: skip
READS = ("list", "show", "search", "list accounts", "show account", "list of account")


@dataclass(frozen=True)
class Request:
    """`target` is the split or the account that the path names."""

    what: str
    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    target: int = 0

    @property
    def address(self) -> str:
        return f"/api/v1{self.path}" + (f"?{urlencode(self.query)}" if self.query else "")


@dataclass(frozen=True)
class Answered:
    """A request with its answer, and when it was sent and answered, on one clock for all clients."""

    client: int
    request: Request
    began: float
    ended: float
    status: int
    answer: Any

    @property
    def committed(self) -> bool:
        """Has it left a mark in the books? Reads, refusals, trials and empty successes have not."""
        if self.request.method == "GET" or self.status >= 400 or "dry_run" in self.request.query:
            return False
        if self.request.what == "record many":
            return bool(self.answer["meta"]["recorded"])
        if self.request.what == "reconcile":
            return bool(self.answer["data"]["booked"] or self.answer["data"]["marked"])
        return True

    def __str__(self) -> str:
        request = self.request
        return f"client {self.client}: {request.method} {request.address} {request.body} -> {self.status} {self.answer}"
