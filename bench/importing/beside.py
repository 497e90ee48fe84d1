"""What others notice while the job process of a real server imports a file: how long they wait, and its memory."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from ..books import Facts
from ..driver import Endpoint, ask, body_of
from ..lines import NAMED
from ..measure import Served
from ..processes import family, farthing, status_bytes
from ..results import Target, target

LIST_MAX, CREATE_MAX, PEAK_MB_MAX = 3.0, 5.0, 150
_LIMITS = {"accounts": LIST_MAX, "create": CREATE_MAX}
_END_S_MAX = 600


def measure(url: str, folder: Path, facts: Facts, content: bytes, rounds: int, seconds: float) -> Iterator[Target]:
    """First nothing else runs, then the import does."""
    database = url.partition(":")[0]
    with farthing(url, folder, token=facts.token) as server:
        served = Served("beside", server, facts)
        idle = _wait_times(served, rounds, seconds)
        job = _start(server.endpoint, facts, content)
        busy = _wait_times(served, rounds, seconds, lambda: _state(server.endpoint, job) == "running")
        for key, limit in _LIMITS.items():
            name = f"{NAMED[key].name}: p95 during an import against idle, {database}"
            yield target(name, busy[key] / idle[key], limit)
        _wait_for_end(server.endpoint, job)
        yield target(f"importing process, peak memory, MB, {database}", _peak(server.process.pid) / 1e6, PEAK_MB_MAX)


def _wait_times(
    served: Served, rounds: int, seconds: float, is_on: Callable[[], bool] = lambda: True
) -> dict[str, float]:
    """The median of the rounds' p95, in milliseconds. The first round warms up, and one that outlasts it does not count."""
    found: list[dict[str, float]] = []
    for number in range(rounds + 1):
        p95 = {key: served.burst(NAMED[key], seconds).p95_ms for key in _LIMITS}
        if found and not is_on():
            break
        found += [p95] if number else []
    return {key: median(one[key] for one in found) for key in _LIMITS}


def _start(endpoint: Endpoint, facts: Facts, content: bytes) -> str:
    job = _ask(endpoint, "POST", "", msgspec.json.encode({"account_id": facts.asset_ids[0]}))
    path = f"/{job['id']}/upload?filename=statement.csv"
    head = endpoint.request("POST", f"/api/v1/import_jobs{path}", length=len(content))
    assert ask(endpoint, head + content).startswith(b"HTTP/1.1 200")
    _ask(endpoint, "POST", f"/{job['id']}/run", b"{}")
    return str(job["id"])


def _wait_for_end(endpoint: Endpoint, job_id: str) -> None:
    until = time.monotonic() + _END_S_MAX
    while (state := _state(endpoint, job_id)) == "running":
        assert time.monotonic() < until, "the import did not end"
        time.sleep(0.1)
    assert state == "done", state


def _state(endpoint: Endpoint, job_id: str) -> str:
    return str(_ask(endpoint, "GET", f"/{job_id}")["attributes"]["state"])


def _ask(endpoint: Endpoint, method: str, path: str, body: bytes = b"") -> dict[str, Any]:
    answer = ask(endpoint, endpoint.request(method, f"/api/v1/import_jobs{path}", body))
    assert answer.startswith(b"HTTP/1.1 200"), answer.decode(errors="replace")[:2000]
    return dict(msgspec.json.decode(body_of(answer))["data"])


def _peak(pid: int) -> int:
    """Of the job process, which is a child of the server."""
    jobs = [one for one in family(pid) if b"farthing.jobs" in Path(f"/proc/{one}/cmdline").read_bytes()]
    return max(status_bytes(one, "VmHWM:") for one in jobs)
