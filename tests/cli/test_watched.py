"""A server with several workers is one to whoever watches it: figures are summed, and outlive the worker."""

import os
import re
import signal
from pathlib import Path

import httpx2 as httpx
import pytest

from ..proof.test_killed import alive
from .conftest import Server, Terminal
from .test_beside import until

ABOUT = re.compile(r'farthing_requests_total\{method="GET",route="/api/v1/about",status="4xx"\} (\d+)')


def figures(server: Server) -> str:
    return server.ask("GET", "/metrics").text


def asked(server: Server) -> int:
    found = ABOUT.search(figures(server))
    return int(found[1]) if found else 0


def ask(server: Server, times: int) -> None:
    """Each on a connection of its own, so that all workers get some."""
    for _ in range(times):
        assert server.ask("GET", "/api/v1/about").status_code == 401


@pytest.mark.long
def test_all_workers_are_seen_and_summed_and_nothing_goes_backwards_when_one_dies(owned: Terminal) -> None:
    with owned.serving("--workers", "2") as server:
        until(lambda: "farthing_workers 2\n" in figures(server), "there are not two workers")
        until(lambda: "farthing_job_process_up 1\n" in figures(server), "there is no job process")
        said = owned.says("doctor")
        assert "well   server       1 running, 2 workers" in said
        assert "well   job process  alive" in said
        ask(server, 40)
        until(lambda: asked(server) == 40, "they are not counted")  # which comes after the answer
        assert {asked(server) for _ in range(10)} == {40}, "it matters which worker is asked"

        os.kill(a_worker(server), signal.SIGKILL)

        until(lambda: asked_again(server), "no other worker answers")
        assert asked(server) == 40
        until(lambda: "farthing_workers 2\n" in figures(server), "the worker was not replaced")
        ask(server, 10)
        until(lambda: asked(server) == 50, "they are not counted")
        assert {asked(server) for _ in range(10)} == {50}
        assert server.stop() == 0
    assert list((owned.folder / "data" / "run").iterdir()) == []
    assert "look   server       none is running" in owned.run("doctor").stdout


def a_worker(server: Server) -> int:
    """One of those that were spawned to serve; the job process is another."""
    for pid in alive(server.process.pid) - {server.process.pid}:
        if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text():
            return pid
    raise AssertionError("there is no worker")


def asked_again(server: Server) -> bool:
    try:
        return asked(server) >= 40
    except httpx.TransportError:
        return False
