"""Measures how late another user's recurrence is booked during an attack.

The server runs with a clock of the test's own, so that a day begins when we say so.
"""

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from ..crowd import Member
from ..driver import Endpoint, ask, body_of, head_of

_LOOK_EVERY_S = 0.05
_PATIENCE_S = 120.0


class DayClock:
    """The clock of a server, in a file."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self._now = datetime.now(UTC)
        self._write()

    @property
    def settings(self) -> dict[str, str]:
        return {"FARTHING_TESTING": "1", "FARTHING_TEST_CLOCK": str(self._file)}

    @property
    def today(self) -> str:
        return str(self._now.date())

    def begin_next_day(self) -> None:
        self._now += timedelta(days=1)
        self._write()

    def _write(self) -> None:
        fresh = self._file.with_suffix(".new")
        fresh.write_text(self._now.isoformat())
        fresh.rename(self._file)


def create_daily(endpoint: Endpoint, member: Member, clock: DayClock) -> str:
    """Creates a recurrence that is due on each day after today, and returns its id."""
    first = datetime.fromisoformat(clock.today) + timedelta(days=1)
    body = {
        "type": "withdrawal",
        "title": "Bread",
        "first_date": str(first.date()),
        "active": True,
        "apply_rules": False,
        "repetitions": [{"type": "daily", "moment": "", "skip": 0, "weekend": 1}],
        "transactions": [
            {
                "description": "Bread",
                "amount": "2.50",
                "currency_code": "EUR",
                "source_id": member.account_id,
                "destination_id": member.payee_id,
            }
        ],
    }
    answer = ask(endpoint, endpoint.request("POST", "/api/v1/recurrences", msgspec.json.encode(body)))
    assert head_of(answer).startswith(b"HTTP/1.1 200"), answer.decode(errors="replace")[:1000]
    return str(msgspec.json.decode(body_of(answer))["data"]["id"])


def measure_lateness_s(endpoint: Endpoint, recurrence_id: str, clock: DayClock, days: int) -> float:
    """Lets days begin, one after another, and returns the longest time until one's transaction was there."""
    return max(_wait_for_next_s(endpoint, recurrence_id, clock) for _ in range(days))


def _wait_for_next_s(endpoint: Endpoint, recurrence_id: str, clock: DayClock) -> float:
    before = _count(endpoint, recurrence_id)
    clock.begin_next_day()
    began = time.monotonic()
    while _count(endpoint, recurrence_id) == before and time.monotonic() - began < _PATIENCE_S:
        time.sleep(_LOOK_EVERY_S)
    return time.monotonic() - began


def _count(endpoint: Endpoint, recurrence_id: str) -> int:
    path = f"/api/v1/recurrences/{recurrence_id}/transactions?limit=1"
    answer = ask(endpoint, endpoint.request("GET", path))
    assert head_of(answer).startswith(b"HTTP/1.1 200"), answer.decode(errors="replace")[:1000]
    total: int = msgspec.json.decode(body_of(answer))["meta"]["pagination"]["total"]
    return total
