"""Where is the service asked? In a house that has used everything once, from the bodies that furnished it on."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..answers import checker
from ..cli.conftest import Server, Terminal
from ..conftest import running
from ..upgrade.household import moved_in
from ..versions import ALL

# By operation, such as `POST /api/v1/bills`: bodies that were accepted.
Seeds = dict[str, list[dict[str, Any]]]
# After all that the household did, before what its recurrence still plans.
_TODAY = "2024-06-20T12:00:00+00:00"


@dataclass(frozen=True)
class House:
    server: Server
    token: str
    token_id: str
    seeds: Seeds
    terminal: Terminal


class _Recorded:
    """An HTTP client that keeps what was accepted."""

    def __init__(self, http: Any) -> None:
        self._http = http
        self.seeds: Seeds = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._http, name)

    def request(self, method: str, address: str, **options: Any) -> Any:
        response = self._http.request(method, address, **options)
        body = options.get("json")
        if response.status_code == 200 and isinstance(body, dict):
            self.seeds.setdefault(_operation(method, address), []).append(body)
        return response


def _operation(method: str, address: str) -> str:
    paths = sorted((path for path, _ in ALL), key=lambda path: path.count("{"))
    path = next(path for path in paths if re.fullmatch(re.sub(r"{\w+}", "[^/]+", path), address))
    return f"{method} {path}"


@contextmanager
def furnished(folder: Path, url: str) -> Iterator[House]:
    """The server is a process of its own, as people run it; only its clock stands still."""
    terminal = Terminal(folder, url)
    seeds = _moved_in(url or f"sqlite:///{folder / 'data' / 'farthing.sqlite3'}", folder / "data")
    token = terminal.says("token", "create", "ann@example.org").strip()
    clock = folder / "clock"
    clock.write_text(_TODAY)
    settings = {"FARTHING_TESTING": "1", "FARTHING_TEST_CLOCK": str(clock), "FARTHING_LOG_LEVEL": "warning"}
    with terminal.serving(**settings) as server:
        yield House(server, token, _newest(terminal), seeds, terminal)


def _newest(terminal: Terminal) -> str:
    """The id of the token that was made last."""
    return max((line.split("\t")[0] for line in terminal.says("token", "list").splitlines()), key=int)


def _moved_in(url: str, folder: Path) -> Seeds:
    for world in running(url, folder, checker()):
        recorded = _Recorded(world.http)
        world.http = recorded  # type: ignore[assignment]
        moved_in(world)
    return recorded.seeds
