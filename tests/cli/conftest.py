"""A terminal for the tests of the command line: commands and servers in a folder of their own."""

import http.client
import io
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import pytest

from farthing.cli import main

EMAIL, PASSWORD = "ann@example.org", "correct horse battery"
PATIENCE_SECONDS = 120


@dataclass(frozen=True)
class Terminal:
    """A working folder with a data folder in it; `run` is what a person would type."""

    folder: Path
    database_url: str = ""
    # The most files and connections that a server may have open; None means as many as the tests themselves.
    descriptors: int | None = None

    @property
    def environment(self) -> dict[str, str]:
        ours = {name: text for name, text in os.environ.items() if not name.startswith("FARTHING_")}
        data = str(self.folder / "data")
        return ours | {"FARTHING_DATA": data, "FARTHING_DATABASE_URL": self.database_url, "NO_COLOR": "1"}

    def run(self, *words: str, typed: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
        """In this process, because starting Python takes longer than most commands."""
        stdin, stdout, stderr = io.TextIOWrapper(io.BytesIO(typed.encode())), io.StringIO(), io.StringIO()
        with (
            chdir(self.folder),
            mock.patch.dict(os.environ, self.environment | settings, clear=True),
            mock.patch.object(sys, "stdin", stdin),
            redirect_stdout(stdout),
            redirect_stderr(stderr),
        ):
            code = main.run(list(words))
        return subprocess.CompletedProcess(words, code, stdout.getvalue(), stderr.getvalue())

    def start(self, *words: str, typed: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
        """In a process of its own, as a person would type it."""
        return subprocess.run(
            [sys.executable, "-m", "farthing", *words],
            input=typed,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env=self.environment | settings,
            timeout=PATIENCE_SECONDS,
            check=False,
        )

    def says(self, *words: str, typed: str = "") -> str:
        done = self.run(*words, typed=typed)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    def fails(self, *words: str, code: int = 1, typed: str = "", **settings: str) -> str:
        """Every expected failure is one line on stderr, and nothing else."""
        is_server = words[:1] == ("serve",)  # one that starts after all would never end in this process
        done = (self.start if is_server else self.run)(*words, typed=typed, **settings)
        assert (done.returncode, done.stdout) == (code, "")
        assert re.fullmatch(r"farthing: [^\n]+\n", done.stderr)
        return done.stderr.strip()

    @contextmanager
    def serving(self, *words: str, **settings: str) -> Iterator["Server"]:
        server = self.begun(*words, **settings)
        try:
            yield server.ready()
        finally:
            server.kill_all()

    def begun(self, *words: str, **settings: str) -> "Server":
        """A server that is on its way; whoever asks for it sees to it that it ends."""
        log = self.folder / "server.log"  # a file, because a pipe that nobody empties would stop the server
        with log.open("w") as stderr, log.with_suffix(".out").open("w") as stdout, kept_port() as keeper:
            port = keeper.getsockname()[1]
            process = subprocess.Popen(
                [*self._limiting(), sys.executable, "-m", "farthing", "serve", "--port", str(port), *words],
                stdout=stdout,
                stderr=stderr,
                cwd=self.folder,
                env=self.environment | settings,
                start_new_session=True,  # a group of their own: workers and the job process end with the server
                pass_fds=[keeper.fileno()],
            )
        return Server(process, port, log)

    def _limiting(self) -> list[str]:
        return ["sh", "-c", f'ulimit -n {self.descriptors} && exec "$@"', "sh"] if self.descriptors else []


@dataclass(frozen=True)
class Server:
    process: subprocess.Popen[bytes]
    port: int
    log: Path

    @property
    def printed(self) -> str:
        return self.log.with_suffix(".out").read_text()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method: str, path: str, **options: Any) -> Any:
        """On a connection of its own, with more patience than the client has by itself.

        Without TLS: to read all the certificates of the machine would take longer than most requests.
        """
        import httpx2

        address = f"{self.address}{path}"
        return httpx2.request(method, address, timeout=PATIENCE_SECONDS, trust_env=False, verify=False, **options)

    def ready(self) -> "Server":
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            if self._is_healthy():
                return self
            time.sleep(0.02)
        raise AssertionError(f"the server did not start: {self.log.read_text()}")

    def _is_healthy(self) -> bool:
        """With the plainest client there is: one that is dear to set up would slow the start it waits for."""
        asking = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        try:
            asking.request("GET", "/health")
            return asking.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            asking.close()

    def kill_all(self) -> None:
        """The whole group at once, also what outlived the server itself.

        Unless it has been waited for: then it ended by itself, and the number of its group may be another's by now.
        """
        if self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def stop(self) -> int:
        self.process.terminate()
        return self.stopped()

    def stopped(self) -> int:
        return self.process.wait(timeout=PATIENCE_SECONDS)


def kept_port() -> socket.socket:
    """A port that is free, and stays so for whoever holds this socket until they listen on it themselves.

    Between choosing one and listening a second goes by, or several, in which another server could be given the same.
    """
    keeper = socket.socket()
    keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # beside it the server may bind, as it does
    keeper.bind(("127.0.0.1", 0))
    return keeper


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


@pytest.fixture
def anywhere(tmp_path: Path, empty_database_url: str) -> Terminal:
    """A terminal on an empty database of either kind."""
    return Terminal(tmp_path, empty_database_url)


def settle(terminal: Terminal) -> Terminal:
    """Somebody is there then, whose password everybody in the tests knows."""
    shutil.copytree(_owned().name, terminal.folder, dirs_exist_ok=True)
    return terminal


@cache
def _owned() -> TemporaryDirectory[str]:
    """Made once and then copied: the command alone takes longer than most of what is tested."""
    folder = TemporaryDirectory(prefix="farthing-owned-")
    Terminal(Path(folder.name)).says("user", "create", EMAIL, "--password-stdin", typed=f"{PASSWORD}\n")
    return folder


@pytest.fixture
def owned(terminal: Terminal) -> Terminal:
    return settle(terminal)
