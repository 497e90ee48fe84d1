"""Keeps signals from processes that cannot handle them yet."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

_STOPS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def block_signals() -> Iterator[None]:
    """Lets processes that are started meanwhile inherit the block, until they call `unblock_signals`."""
    resource_tracker.ensure_running()  # its start unblocks signals, so it has to come before
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def unblock_signals() -> None:
    """Ends the block, once the handlers are installed. A signal that came meanwhile is handled now."""
    if hasattr(signal, "pthread_sigmask"):  # not on Windows, which has no such signals
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
