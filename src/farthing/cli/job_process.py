"""Starts the job process of the server, and restarts it when it dies."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from farthing.care.watch import presence

_LOG = logging.getLogger("farthing.serve")
# The pause before a restart doubles each time that the process has lived for less than `_LIVED_S`.
_PAUSE_MIN_S, _PAUSE_MAX_S = 0.5, 60.0
_LIVED_S = 60.0
# The first start waits until the server listens, but at most `_STARTING_S_MAX`, and then leaves it time for its first
# answers.
_STARTING_S_MAX, _LOOK_EVERY_S, FIRST_ANSWERS_S = 30.0, 0.1, 1.0
# If the job process ends because the server is also stopping, the server ends within the grace period plus this time.
_LEAVING_S = 5.0
# Exit codes after a request to stop. A process that has only just started is killed by the signal itself.
_STOP_CODES = (0, -signal.SIGINT, -signal.SIGTERM)


@contextmanager
def run_jobs(
    grace_s: float, is_listening: Callable[[], bool], first_answers_s: float = FIRST_ANSWERS_S
) -> Iterator[None]:
    """Runs the job process until the context ends. It also ends by itself if the server is killed."""
    keeper = _Keeper(grace_s, is_listening, first_answers_s)
    keeper.start()
    try:
        yield
    finally:
        keeper.stop()


class _Keeper:
    def __init__(self, grace_s: float, is_listening: Callable[[], bool], first_answers_s: float) -> None:
        self._grace_s = grace_s
        self._is_listening = is_listening
        self._first_answers_s = first_answers_s
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, name="farthing-keeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _keep(self) -> None:
        pause = _PAUSE_MIN_S
        self._let_server_start()
        while process := self._start():
            begun = time.monotonic()
            code = process.wait()
            if time.monotonic() - begun > _LIVED_S:
                pause = _PAUSE_MIN_S
            if self._is_over(code, pause):
                return
            pause = min(2 * pause, _PAUSE_MAX_S)

    def _let_server_start(self) -> None:
        """Delays the first start, because starting both at once would take the server twice as long."""
        until = time.monotonic() + _STARTING_S_MAX
        while not self._is_listening() and time.monotonic() < until:
            if self._stopping.wait(_LOOK_EVERY_S):
                return
        self._stopping.wait(self._first_answers_s)

    def _start(self) -> "subprocess.Popen[bytes] | None":
        with self._lock:
            if not self._stopping.is_set():
                self._process = _start()
                return self._process
        return None

    def _is_over(self, code: int, pause: float) -> bool:
        """Tells whether the server is also stopping, so that no restart is needed.

        Ctrl-C and systemd stop all processes, and the job process may end before the server.
        """
        if self._stopping.is_set():
            return True
        if code not in _STOP_CODES:
            presence.note_lost_jobs()
            how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
            _LOG.error("the job process ended (%s); restarting it in %g seconds", how, pause)
        elif self._stopping.wait(self._grace_s + _LEAVING_S):
            return True
        else:
            _LOG.warning("the job process was stopped, but the server is still running; restarting the job process")
        return self._stopping.wait(pause)

    def stop(self) -> None:
        with self._lock:
            self._stopping.set()
            process = self._process
        if process is None:
            return
        process.terminate()
        try:
            process.wait(self._grace_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _start() -> "subprocess.Popen[bytes]":
    """Starts the process with Ctrl-C blocked. The process unblocks it once it can end without a traceback."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    return subprocess.Popen([sys.executable, "-m", "farthing.jobs", str(os.getpid())])  # noqa: S603 -- the arguments are our own
