"""Who looks after the job process? It lives as long as the server, and is started again when it dies."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_LOG = logging.getLogger("farthing.serve")
# A job process that dies at once is started again more and more slowly; one that lived for a while, quickly.
_PAUSE_MIN_S, _PAUSE_MAX_S = 0.5, 60.0
_LIVED_S = 60.0
# When both are told to stop, the server may take its grace, and a moment for leaving.
_LEAVING_S = 5.0
# How it ends when somebody tells it to; by the signal itself if it had only just begun.
_TOLD = (0, -signal.SIGINT, -signal.SIGTERM)


@contextmanager
def jobs(grace_s: float) -> Iterator[None]:
    """When the server is gone without a word, the job process leaves by itself."""
    keeper = _Keeper(grace_s)
    keeper.start()
    try:
        yield
    finally:
        keeper.stop()


class _Keeper:
    def __init__(self, grace_s: float) -> None:
        self._grace_s = grace_s
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._process = _begun()
        self._thread = threading.Thread(target=self._keep, name="farthing-keeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _keep(self) -> None:
        pause = _PAUSE_MIN_S
        while not self._stopping.is_set():
            begun = time.monotonic()
            code = self._process.wait()
            if time.monotonic() - begun > _LIVED_S:
                pause = _PAUSE_MIN_S
            if self._is_over(code, pause):
                return
            pause = min(2 * pause, _PAUSE_MAX_S)
            with self._lock:
                if not self._stopping.is_set():
                    self._process = _begun()

    def _is_over(self, code: int, pause: float) -> bool:
        """Ctrl-C and systemd tell all processes at once, and it may be the first to go."""
        if self._stopping.is_set():
            return True
        if code not in _TOLD:
            _LOG.error("the job process ended (%s); it is started again in %g seconds", _ending(code), pause)
        elif self._stopping.wait(self._grace_s + _LEAVING_S):
            return True
        else:
            _LOG.warning("the job process was told to stop, and the server was not; it is started again")
        return self._stopping.wait(pause)

    def stop(self) -> None:
        with self._lock:
            self._stopping.set()
            process = self._process
        process.terminate()
        try:
            process.wait(self._grace_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _begun() -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", "farthing.jobs", str(os.getpid())])  # noqa: S603 -- our own words


def _ending(code: int) -> str:
    return f"killed by signal {-code}" if code < 0 else f"exit code {code}"
