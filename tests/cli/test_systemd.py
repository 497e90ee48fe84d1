"""systemd hears from the server when it answers, while it works, and when it stops."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from farthing.care.watch import presence
from farthing.cli.systemd import Notifier, TurnWatch, make_notifier

from .conftest import PATIENCE_SECONDS, Terminal
from .test_beside import until


@contextmanager
def listening(address: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"\0{address[1:]}" if address.startswith("@") else address)
        systemd.settimeout(PATIENCE_SECONDS)
        yield systemd


def list_turns(terminal: Terminal) -> list[int]:
    return [path.stat().st_mtime_ns for path in (terminal.folder / "data" / "run").glob("*/jobs")]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_systemd_hears_of_the_first_answer_of_each_sign_of_life_and_of_the_end(owned: Terminal, workers: str) -> None:
    address = f"@farthing-test-{os.getpid()}-{workers}" if workers == "1" else str(owned.folder / "notify")
    with listening(address) as systemd:
        server = owned.begun("--workers", workers, NOTIFY_SOCKET=address, WATCHDOG_USEC="300000")
        try:
            assert systemd.recv(100) == b"READY=1"
            assert server.ask("GET", "/livez").status_code == 200
            assert [systemd.recv(100) for _ in range(3)] == [b"WATCHDOG=1"] * 3
            turns: set[int] = set()
            until(lambda: turns.update(list_turns(owned)) or len(turns) > 1, "the job process makes no turns")

            server.process.terminate()

            while (said := systemd.recv(100)) == b"WATCHDOG=1":
                pass
            assert said == b"STOPPING=1"
            assert server.stopped() == 0
        finally:
            server.kill_all()


def test_without_an_answer_there_is_no_sign_of_life(tmp_path: Path) -> None:
    works = True
    with listening(str(tmp_path / "notify")) as systemd:
        notifier = Notifier(str(tmp_path / "notify"), 60, lambda: True, lambda: works)
        notifier.look()
        works = False
        notifier.look()
        notifier.stop()
        notifier.stop()

        assert [systemd.recv(100), systemd.recv(100)] == [b"WATCHDOG=1", b"STOPPING=1"]
        systemd.setblocking(False)
        with pytest.raises(BlockingIOError):
            systemd.recv(100)


def test_a_job_process_that_hangs_is_noticed_and_one_that_turns_or_does_not_run_is_not(tmp_path: Path) -> None:
    turns = TurnWatch()
    with presence.mark_server(tmp_path):
        assert turns.advances(0)
        with presence.mark_process(presence.JOBS):
            assert turns.advances(10)
            assert turns.advances(3600)
            assert not turns.advances(3700)
            os.utime(presence.own_folder() / presence.JOBS, (1, 1))  # a clock that was set back is progress, too
            assert turns.advances(3701)
            assert not turns.advances(7400)
        assert turns.advances(7401)


def test_elsewhere_nobody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.setenv("WATCHDOG_USEC", "5")

    assert make_notifier("127.0.0.1", 1) is None
    assert "WATCHDOG_USEC" not in os.environ
