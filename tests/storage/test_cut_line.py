"""PostgreSQL at the other end of a line that breaks: in the middle of everything, and again and again."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ..cli.conftest import Server, Terminal
from ..postgres import PostgresServer
from ..proof.test_full_disk import workers_of
from ..proof.test_killed import until
from .line import Line
from .test_busy_postgres import note, people

CUTS = 10
WRITERS = 6


@pytest.fixture
def line(postgres_server: PostgresServer | None, tmp_path: Path) -> Iterator[tuple[Line, Terminal]]:
    if postgres_server is None:
        pytest.skip("!!! PostgreSQL is not installed: nobody knows what happens when its line breaks")
    line = Line(postgres_server.new_books())
    yield line, Terminal(tmp_path, line.url)
    line.end()


@pytest.mark.long
def test_a_line_that_breaks_costs_a_request_at_most(line: tuple[Line, Terminal]):
    cable, terminal = line
    [ann] = people(terminal, "ann@example.org")
    kept: list[str] = []
    stopped = threading.Event()
    with terminal.serving("--workers", "2", FARTHING_LOG_FORMAT="text") as server:
        before = workers_of(server)
        with ThreadPoolExecutor(WRITERS) as pool:
            writing = [pool.submit(write, server, ann, f"w{one}", kept, stopped) for one in range(WRITERS)]
            until(lambda: bool(kept), "nobody could write")
            for number in range(CUTS):
                time.sleep(0.05 + number % 5 * 0.05)  # whatever they are doing by then
                cable.cut()
            stopped.set()
            put_off = sum(one.result(timeout=120) for one in writing)

        until(lambda: note(server, ann, "after all").status_code == 200, "it did not come back")
        names = set(names_of(server, ann))
        assert names >= set(kept), "something was acknowledged and is not there"
        assert workers_of(server) == before != set(), server.log.read_text()
        assert server.stop() == 0
        assert "Traceback" not in server.log.read_text(), server.log.read_text()
    assert put_off


def names_of(server: Server, headers: dict[str, str]) -> Iterator[str]:
    """Page by page; the other worker may have looked for the database just before it was there again."""
    page, pages = 1, 1
    while page <= pages:
        answer = server.ask("GET", f"/api/v1/categories?page={page}", headers=headers)
        if answer.status_code == 503:
            time.sleep(0.2)
            continue
        found = answer.json()
        page, pages = page + 1, found["meta"]["pagination"]["total_pages"]
        yield from (one["attributes"]["name"] for one in found["data"])


def write(server: Server, headers: dict[str, str], who: str, kept: list[str], stopped: threading.Event) -> int:
    """How often it was put off; what was acknowledged is kept."""
    put_off, number = 0, 0
    while not stopped.is_set():
        name, number = f"{who} {number}", number + 1
        status = note(server, headers, name).status_code
        assert status in (200, 503)
        if status == 200:
            kept.append(name)
        put_off += status == 503
    return put_off
