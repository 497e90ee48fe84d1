"""Starts, watches and stops processes: CPU time, memory, and time to the first answer."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .driver import Endpoint, is_answering

ROOT = Path(__file__).parent.parent
_START_S_MAX = 60


def cpu_ns(pid: int) -> int:
    """All threads of a process, in nanoseconds, from Linux's per-process clock, whose id is computed like this."""
    return time.clock_gettime_ns((~pid << 3) | 2)


def family(pid: int) -> list[int]:
    """The process and all its descendants."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        children.setdefault(int(after_name[1]), []).append(int(stat.parent.name))
    found = [pid]
    for one in found:
        found += children.get(one, ())
    return found


def family_cpu_ns(pid: int) -> int:
    return sum(map(_cpu_ns_while_running, family(pid)))


def _cpu_ns_while_running(pid: int) -> int:
    try:
        return cpu_ns(pid)
    except OSError:  # it has ended since it was listed
        return 0


def proportional_bytes(pid: int) -> int:
    """The proportional set size: memory shared with other processes counts in part."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def grown_bytes(pid: int, work: Callable[[], object]) -> int:
    """How far the memory of the processes rose at its peak during the work."""
    processes = family(pid)
    for one in processes:
        Path(f"/proc/{one}/clear_refs").write_text("5")  # resets the peak to the current size
    before = sum(status_bytes(one, "VmRSS:") for one in processes)
    work()
    return sum(status_bytes(one, "VmHWM:") for one in processes) - before


def status_bytes(pid: int, name: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(name)), 0)


@dataclass
class Server:
    process: subprocess.Popen[bytes]
    endpoint: Endpoint
    start_s: float

    def cpu_ns(self) -> int:
        return family_cpu_ns(self.process.pid)

    def proportional_bytes(self) -> int:
        """Including its workers and the job process."""
        return sum(proportional_bytes(pid) for pid in family(self.process.pid))


@contextmanager
def farthing(url: str, folder: Path, *, token: str, workers: int = 1, **others: str) -> Iterator[Server]:
    """The server with default settings but for `others`; the log goes to a file."""
    settings = {"FARTHING_DATA": str(folder), "FARTHING_DATABASE_URL": url, **others}
    with _kept_port() as port:
        words = ["-m", "farthing", "serve", "--port", str(port), "--workers", str(workers)]
        with _running(words, settings, folder, Endpoint("127.0.0.1", port, token)) as server:
            yield server


@contextmanager
def bare(answers: Path, folder: Path, token: str, *, workers: int = 1) -> Iterator[Server]:
    with served_by(["-m", "bench.bare", str(answers), str(workers)], folder, token) as server:
        yield server


@contextmanager
def bare_files(folder: Path, token: str) -> Iterator[Server]:
    with served_by(["-m", "bench.files", str(folder)], folder, token) as server:
        yield server


@contextmanager
def served_by(words: list[str], folder: Path, token: str) -> Iterator[Server]:
    """A server of the benchmark's own; its last argument is the port."""
    with _kept_port() as port, _running([*words, str(port)], {}, folder, Endpoint("127.0.0.1", port, token)) as server:
        yield server


@contextmanager
def _running(words: list[str], settings: Mapping[str, str], folder: Path, endpoint: Endpoint) -> Iterator[Server]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "log").open("ab") as log:
        began = time.perf_counter()
        process = subprocess.Popen([sys.executable, *words], cwd=folder, env=environment(settings), stderr=log)
        try:
            _wait(process, endpoint)
            yield Server(process, endpoint, time.perf_counter() - began)
        finally:
            _stop(process)


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Without the user's settings; `bench` is importable from other working directories, and bytecode is cached."""
    ours = ("FARTHING_", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return kept | {"PYTHONPATH": path} | settings


def _wait(process: subprocess.Popen[bytes], endpoint: Endpoint) -> None:
    until = time.monotonic() + _START_S_MAX
    while time.monotonic() < until and process.poll() is None:
        if is_answering(endpoint):
            return
        time.sleep(0.005)
    raise RuntimeError(f"a server did not start: {process.args!r}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=40)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def _kept_port() -> Iterator[int]:
    """A free port, reserved while the server starts; SO_REUSEADDR lets the server bind it beside us."""
    with socket.socket() as keeper:
        keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        keeper.bind(("127.0.0.1", 0))
        yield int(keeper.getsockname()[1])
