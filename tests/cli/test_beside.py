"""The processes of a server: nobody outlives it, however it ends, and its job process comes back when it dies."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ..bills.making import asset, made, stored
from ..bills.test_claim import count_linked, recorded
from ..conftest import World
from ..proof.test_full_disk import jobs_of
from ..proof.test_killed import alive
from .conftest import PATIENCE_SECONDS, Server, Terminal
from .test_serve import refuses


def until(true: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.05)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_killed_without_a_word_it_leaves_nobody_behind(owned: Terminal, workers: str) -> None:
    with owned.serving("--workers", workers) as server:
        assert server.ask("GET", "/health").status_code == 200
        jobs_of(server)

        os.kill(server.process.pid, signal.SIGKILL)

        until(lambda: not alive(server.process.pid), "somebody outlived the server")
        assert refuses(server.port)


def test_a_server_that_stops_at_once_has_started_no_job_process(owned: Terminal) -> None:
    with owned.serving() as server:
        assert server.stop() == 0
        until(lambda: not alive(server.process.pid), "somebody outlived the server")

    assert "job process" not in server.log.read_text()


def test_a_job_process_starts_when_the_server_has_answered_and_again_when_it_dies(owned: Terminal) -> None:
    with owned.serving() as server:
        assert server.ask("GET", "/health").status_code == 200
        assert alive(server.process.pid) == {server.process.pid}
        [first] = jobs_of(server)

        os.kill(first, signal.SIGKILL)

        until(lambda: len(alive(server.process.pid) - {server.process.pid, first}) == 1, "it did not come back")
        assert server.ask("GET", "/health").status_code == 200
        assert server.stop() == 0
        until(lambda: not alive(server.process.pid), "the job process outlived the server")
        assert "killed by signal 9" in server.log.read_text()


@pytest.mark.parametrize(("told", "workers"), [(signal.SIGINT, "1"), (signal.SIGTERM, "2")])
def test_told_to_stop_together_they_stop_without_a_complaint(
    owned: Terminal, told: signal.Signals, workers: str
) -> None:
    """As Ctrl-C on a terminal and systemd do it; the job process is often the first to go."""
    with owned.serving("--workers", workers) as server:
        jobs_of(server)
        os.killpg(server.process.pid, told)
        assert server.stopped() == 0
        until(lambda: not alive(server.process.pid), "somebody outlived the server")

    log = server.log.read_text()
    assert "job process" not in log
    assert "Traceback" not in log


def test_interrupted_while_they_start_they_stop_without_a_complaint(owned: Terminal) -> None:
    """The workers are in the middle of their imports."""
    server = owned.begun("--workers", "2")
    try:
        until(lambda: len(list_importing(server)) == 2, "there are no workers")
        os.killpg(server.process.pid, signal.SIGINT)
        assert server.stopped() == 0
        until(lambda: not alive(server.process.pid), "somebody outlived the server")
    finally:
        server.kill_all()

    log = server.log.read_text()
    assert "Traceback" not in log
    assert "died" not in log


def test_a_worker_that_stops_before_the_others_is_not_replaced(owned: Terminal) -> None:
    """The first worker is held up, and meanwhile the second starts, is told to stop and does."""
    server = owned.begun("--workers", "2")
    try:
        until(lambda: len(list_importing(server)) == 2, "there are no workers")
        held_up, other = list_importing(server)
        os.kill(held_up, signal.SIGSTOP)
        server.ready()
        os.killpg(server.process.pid, signal.SIGINT)
        until(lambda: other not in alive(server.process.pid), "it did not stop")
        os.kill(held_up, signal.SIGCONT)
        assert server.stopped() == 0
    finally:
        server.kill_all()

    assert "died" not in server.log.read_text()


def list_importing(server: Server) -> list[int]:
    """Processes beside the first that have loaded a library, the oldest first."""
    beside = sorted(alive(server.process.pid) - {server.process.pid})
    return [one for one in beside if "msgspec" in Path(f"/proc/{one}/maps").read_text()]


def test_cron_works_off_the_jobs_that_wait(new_world: World) -> None:
    me = new_world.someone()
    recorded(new_world, me, made(me, asset()), 1500)
    bill = stored(me)
    assert count_linked(new_world, bill) == 0
    terminal = Terminal(new_world.settings.data, new_world.settings.database_url)

    assert terminal.says("cron") == "Nothing was due.\n1 waiting job done.\n"

    assert count_linked(new_world, bill) == 1000
    assert terminal.says("cron") == "Nothing was due.\n"
