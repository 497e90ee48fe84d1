"""How do several servers run on one database, and die at any moment? Each as it would on a machine of its own."""

import os
import random
import signal
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

from ..cli.conftest import Server, Terminal
from .clients import ask
from .requests import Request
from .test_killed import alive, until

WAYS = ("everything", "the server", "the job process")


class Fleet:
    def __init__(self, folder: Path, url: str, count: int) -> None:
        self._clock = folder / "clock"
        self._terminals = [Terminal(folder / f"server{number}", url) for number in range(count)]
        for terminal in self._terminals:
            terminal.folder.mkdir()
        self._living: dict[int, tuple[ExitStack, Server]] = {}
        self._starting: dict[int, Future[None]] = {}
        self._pool = ThreadPoolExecutor(count)

    @property
    def settings(self) -> dict[str, str]:
        return {
            "FARTHING_TESTING": "1",
            "FARTHING_TEST_CLOCK": str(self._clock),
            "FARTHING_LOG_LEVEL": "warning",
        }

    def set_clock(self, now: datetime) -> None:
        """At once and whole, whoever reads it meanwhile."""
        new = self._clock.with_suffix(".new")
        new.write_text(now.isoformat())
        new.replace(self._clock)

    def start(self, *, wait: bool) -> None:
        """Everyone who is not there."""
        for number in range(len(self._terminals)):
            if number not in {*self.ready, *self._starting}:
                self._starting[number] = self._pool.submit(self._start, number)
        if wait:
            for future in list(self._starting.values()):
                future.result()

    def _note_started(self) -> None:
        for number, future in list(self._starting.items()):
            if future.done():
                future.result()
                del self._starting[number]

    def _start(self, number: int) -> None:
        stack = ExitStack()
        server = stack.enter_context(self._terminals[number].serving(**self.settings))
        self._living[number] = stack, server

    @property
    def ready(self) -> list[int]:
        self._note_started()
        return sorted(set(self._living) - set(self._starting))

    def ask(self, number: int, token: str, method: str, path: str, **more: Any) -> tuple[int, Any]:
        return ask(self._living[number][1].port, token, Request("", method, path, **more))

    def kill(self, number: int, way: str) -> None:
        """Whoever is left of a server leaves by himself; a job process comes back while its server lives."""
        stack, server = self._living[number]
        group = server.process.pid
        if way == "the job process":
            for process in alive(group) - {group}:
                os.kill(process, signal.SIGKILL)
            return
        if way == "the server":
            os.kill(group, signal.SIGKILL)
        else:
            os.killpg(group, signal.SIGKILL)
        del self._living[number]
        until(lambda: not alive(group), "somebody outlived his server")
        stack.close()

    def kill_some(self, chance: random.Random, numbers: Sequence[int]) -> int:
        for number in numbers:
            self.kill(number, chance.choice(WAYS))
        return len(numbers)

    def cron(self, number: int) -> None:
        done = self._terminals[number].run("cron", **self.settings)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr

    def doctor(self) -> str:
        return self._terminals[0].says("doctor")

    def stop(self) -> None:
        self.start(wait=True)
        for number in self.ready:
            stack, server = self._living.pop(number)
            with stack:
                assert server.stop() == 0, server.log.read_text()
        self._pool.shutdown()

    def abandon(self) -> None:
        """After a failure: nobody is left behind."""
        for future in self._starting.values():
            future.exception()
        for stack, _ in self._living.values():
            stack.close()
