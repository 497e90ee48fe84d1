"""Runs several server processes, and stops them cleanly even while they start."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

from uvicorn.supervisors import Multiprocess

_STOPS = (signal.SIGINT, signal.SIGTERM)


class Workers(Multiprocess):
    """uvicorn's, but no signal reaches a worker before it can handle it.

    Ctrl-C and systemd send the signal to all processes at once. A worker that ended in the middle of its imports would
    leave a traceback, and uvicorn would wait for it in vain.
    """

    def init_processes(self) -> None:
        with _block_signals():
            super().init_processes()

    def keep_subprocess_alive(self) -> None:
        """A worker that has ended because all were told to stop is not replaced."""
        if all(one.is_alive(self.config.timeout_worker_healthcheck) for one in self.processes):
            return
        self.handle_signals()
        with _block_signals():
            super().keep_subprocess_alive()


@contextmanager
def _block_signals() -> Iterator[None]:
    """Processes that are started meanwhile inherit the block, until they call `unblock_signals`."""
    resource_tracker.ensure_running()  # its start unblocks signals, so it has to come before
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def unblock_signals() -> None:
    """Call this when the handlers are installed: a signal that came meanwhile is handled now."""
    if hasattr(signal, "pthread_sigmask"):  # not on Windows, which has no such signals
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
