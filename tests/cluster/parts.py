"""The programs that a cluster is made of: where they are, and one of them running."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

PATIENCE_S = 120
# Patroni has an environment of its own: as root it runs as a user who may not read ours.
_FOLDERS = [
    str(Path(__file__).parents[2] / ".patroni" / "bin"),
    str(Path(sys.executable).parent),
    "/usr/sbin",
    "/usr/bin",
]
_PATH = os.pathsep.join([*_FOLDERS, os.environ.get("PATH", "")])


def find_program(name: str) -> str:
    found = shutil.which(name, path=_PATH)
    if found is None:
        pytest.fail(f"{name} is missing: `make cluster-parts` installs what a cluster needs (as root, with apt).")
    return found


def until(is_true: Callable[[], bool], otherwise: str, *parts: "Part", patience_s: float = PATIENCE_S) -> None:
    """What the parts have logged says why not."""
    deadline = time.monotonic() + patience_s
    while not is_true():
        assert time.monotonic() < deadline, f"{otherwise}: {' '.join(part.told[-2000:] for part in parts)}"
        time.sleep(0.05)


@dataclass
class Part:
    """A program with all its processes, which die, freeze and stop together, as a machine would."""

    name: str
    words: Sequence[str]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    user: str | None = None
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"

    @property
    def told(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        assert not self.is_running, f"{self.name} is running"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.words,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={**_environment(), "HOME": str(self.folder), **self.environment},
                start_new_session=True,
                user=self.user,
                group=self.user,
                extra_groups=[] if self.user else None,
            )

    def kill(self) -> None:
        """All of it at once, without a word, as when the power fails."""
        self._signal(signal.SIGKILL)
        self._wait()

    def stop(self) -> int:
        """Asked politely; its exit code."""
        assert self.process is not None
        self.process.terminate()
        return self._wait()

    def freeze(self) -> None:
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def pids(self) -> list[int]:
        """Who looks after the others comes first."""
        return _session(self.process.pid) if self.process else []

    def _signal(self, number: int) -> None:
        for pid in self.pids():
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _wait(self) -> int:
        assert self.process is not None
        code = self.process.wait(PATIENCE_S)
        until(lambda: not self.pids(), f"something of {self.name} did not end")
        return code


@dataclass
class DatabaseNode(Part):
    """Patroni and the PostgreSQL that it started, in a session of its own."""

    data: Path = Path()

    def pids(self) -> list[int]:
        return super().pids() + self.postgres_pids()

    def postgres_pids(self) -> list[int]:
        with suppress(OSError, ValueError, psutil.NoSuchProcess):
            first = psutil.Process(int((self.data / "postmaster.pid").read_text().split()[0]))
            if first.name().startswith("postgres") and first.status() != psutil.STATUS_ZOMBIE:
                return [first.pid, *(one.pid for one in first.children(recursive=True))]
        return []


def _session(number: int) -> list[int]:
    listed = subprocess.run(["ps", "-eo", "pid=,sid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = (line.split() for line in listed.splitlines())
    return sorted(int(pid) for pid, of, state in rows if int(of) == number and not state.startswith("Z"))


def _environment() -> dict[str, str]:
    return {name: text for name, text in os.environ.items() if not name.startswith(("FARTHING_", "PG", "PATRONI_"))}
