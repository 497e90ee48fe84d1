"""Which server dies again and again? Two workers and a job process on one database; any of them, or all at once."""

import os
import random
import signal
import subprocess
import time
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from ..builders import AT
from ..cli.conftest import Server, Terminal
from .clients import PATIENCE_SECONDS
from .test_killed import alive, until

WAYS = (
    "everything",
    "everything",
    "everything",
    "the server",
    "a worker",
    "a worker",
    "the job process",
    "at the start",
)
# Longer than a dead worker holds its job: with each kill that long goes by.
_MEANWHILE = timedelta(seconds=61)
# By these words of its command line each process is known.
_KNOWN = {"a worker": "spawn_main", "the job process": "farthing.jobs"}


class Victim:
    def __init__(self, folder: Path, url: str) -> None:
        self._terminal = Terminal(folder, url)
        self._clock = folder / "clock"
        self._now = datetime.fromisoformat(AT)
        self._server: Server | None = None
        self._let_time_pass()

    @property
    def port(self) -> int:
        assert self._server is not None
        return self._server.port

    def start(self) -> None:
        """If it is not there."""
        if self._server is None:
            self._server = self._begun().ready()

    def kill(self, way: str, chance: random.Random) -> None:
        """Whoever is left of a server leaves by himself; a worker and a job process come back while it lives."""
        assert self._server is not None
        self._let_time_pass()
        if way in _KNOWN:
            self._kill_one_of(_KNOWN[way], chance)
            return
        os.kill(self._server.process.pid, signal.SIGKILL) if way == "the server" else self._kill_all()
        self._gone()
        if way == "at the start":
            self._server = self._begun()
            time.sleep(chance.uniform(0.1, 2.5))
            self._kill_all()
            self._gone()

    def stop(self) -> None:
        assert self._server is not None
        assert self._server.stop() == 0, self._server.log.read_text()
        self._server = None

    def abandon(self) -> None:
        """After a failure: nobody is left behind."""
        if self._server:
            self._server.kill_all()

    def doctor(self) -> str:
        return self._terminal.says("doctor")

    def _begun(self) -> Server:
        settings = {"FARTHING_TESTING": "1", "FARTHING_TEST_CLOCK": str(self._clock), "FARTHING_LOG_LEVEL": "warning"}
        return self._terminal.begun("--workers", "2", **settings)

    def _kill_all(self) -> None:
        assert self._server is not None
        os.killpg(self._server.process.pid, signal.SIGKILL)

    def _kill_one_of(self, words: str, chance: random.Random) -> None:
        assert self._server is not None
        group = self._server.process.pid
        there: list[int] = []

        def is_there() -> bool:
            there[:] = sorted(one for one in alive(group) if words in command_of(one))
            return bool(there)

        until(is_there, "it did not come back from the last time")
        os.kill(chance.choice(there), signal.SIGKILL)

    def _gone(self) -> None:
        assert self._server is not None
        group = self._server.process.pid
        until(lambda: not alive(group), "somebody outlived his server")
        self._server.process.wait(PATIENCE_SECONDS)
        told = self._server.log.read_text()
        assert "unexpected error" not in told, told
        self._server = None

    def _let_time_pass(self) -> None:
        self._now += _MEANWHILE
        new = self._clock.with_suffix(".new")
        new.write_text(self._now.isoformat())
        new.replace(self._clock)


def command_of(pid: int) -> str:
    with suppress(OSError):  # it has ended meanwhile, or this is not Linux
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    whole = ["ps", "-ww", "-o", "args=", "-p", str(pid)]  # else a narrow terminal cuts it short
    return subprocess.run(whole, capture_output=True, text=True, check=False).stdout
