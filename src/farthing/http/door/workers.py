"""Several server processes: one that is told to stop while it starts does so in order, too."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

from uvicorn.supervisors import Multiprocess

_STOPS = (signal.SIGINT, signal.SIGTERM)


class Workers(Multiprocess):
    """uvicorn's, but no signal reaches a worker before it can handle it.

    Ctrl-C and systemd tell all processes at once. A worker that ended in the middle of its imports would leave a
    traceback, and uvicorn would wait in vain for its sign of life.
    """

    def init_processes(self) -> None:
        with _holding_signals():
            super().init_processes()

    def keep_subprocess_alive(self) -> None:
        """A worker that has ended because all were told to stop is not replaced."""
        if all(one.is_alive(self.config.timeout_worker_healthcheck) for one in self.processes):
            return
        self.handle_signals()
        with _holding_signals():
            super().keep_subprocess_alive()


@contextmanager
def _holding_signals() -> Iterator[None]:
    """What is started meanwhile holds them, too, until it calls `hear_signals`."""
    resource_tracker.ensure_running()  # started later, it would let them through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def hear_signals() -> None:
    """The handlers are there: a signal that came meanwhile is handled now."""
    if hasattr(signal, "pthread_sigmask"):  # not on Windows, which has no such signals
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
