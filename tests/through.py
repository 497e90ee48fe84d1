"""Lets the tests of the API ask a running cluster over HTTP, instead of an app in this process (see tests/cluster)."""

import os
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
from msgspec import Struct

# Whoever starts the tests says here where the cluster is.
VARIABLE = "FARTHING_TEST_THROUGH"


class Through(Struct, frozen=True):
    port: int
    database_url: str
    data: str
    clock: str
    settings: dict[str, str]
    # By the name of a test or of a file, why it is left out.
    left_out: dict[str, str]

    def client(self) -> httpx2.Client:
        return httpx2.Client(base_url="http://farthing.example", transport=_Detour(self.port), follow_redirects=True)

    def set_clock(self, now: datetime) -> None:
        """At once and whole, whoever reads it meanwhile."""
        new = Path(self.clock).with_suffix(".new")
        new.write_text(now.isoformat())
        new.replace(self.clock)


def find() -> Through | None:
    found = os.environ.get(VARIABLE)
    return msgspec.json.decode(found, type=Through) if found else None


class _Detour(httpx2.BaseTransport):
    """Connects to the proxy on this machine, whatever host the address names."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._http = httpx2.HTTPTransport()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url.copy_with(scheme="http", host="127.0.0.1", port=self._port)
        detour = httpx2.Request(request.method, url, headers=request.headers, stream=request.stream)
        detour.extensions = {**request.extensions, "timeout": {"read": 120.0, "connect": 10.0, "pool": 10.0}}
        return self._http.handle_request(detour)

    def close(self) -> None:
        self._http.close()


def choose(config: pytest.Config, items: list[pytest.Item], through: Through) -> None:
    """Only tests that ask the shared app; the others are counted by the reason why they do not."""
    reasons = {item: _reason(item, through) for item in items}
    dropped = [item for item in items if reasons[item]]
    config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if not reasons[item]]
    counted: Counter[str] = Counter(reason for reason in reasons.values() if reason)
    config.stash[_REPORT] = [f"through the cluster: {len(items)} tests"]
    config.stash[_REPORT] += [f"left out: {count} tests: {reason}" for reason, count in counted.most_common()]


_REPORT: pytest.StashKey[list[str]] = pytest.StashKey()


def report(config: pytest.Config) -> list[str]:
    return config.stash.get(_REPORT, [])


def _reason(item: pytest.Item, through: Through) -> str:
    fixtures: set[str] = set(getattr(item, "fixturenames", ()))
    if "shared_world" not in fixtures:
        return "ask no shared app: pure rules, or an app, a server or a database of their own"
    by_fixture = (why for name, why in _IN_PROCESS.items() if name in fixtures)
    by_name = (why for name, why in through.left_out.items() if _is_named(item, name))
    return next(by_fixture, "") or next(by_name, "")


_IN_PROCESS = {
    "monkeypatch": "change a limit or a function of the app, in their own process",
    "caplog": "read the log of the app, in their own process",
    "shared_database_url": "start an app of their own beside the shared one, with other settings",
}


def _is_named(item: Any, name: str) -> bool:
    return name in (item.nodeid, item.nodeid.partition("[")[0], item.nodeid.partition("::")[0])
