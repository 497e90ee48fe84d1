"""Handles signals that reach a process while it starts."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from types import FrameType

_STOPS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def block_signals() -> Iterator[None]:
    """Blocks the signals to stop. Processes that are started meanwhile block them until they call `unblock_signals`."""
    resource_tracker.ensure_running()  # starting it unblocks signals, so this has to come first
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def unblock_signals() -> None:
    """Ends the block. Call it when the handlers are installed; a signal that arrived meanwhile is handled now."""
    if hasattr(signal, "pthread_sigmask"):  # not on Windows, which has no such signals
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)


@contextmanager
def noticing_stops() -> Iterator[Callable[[], bool]]:
    """Yields a function that returns whether this process has received a signal to stop inside this `with` block.

    While uvicorn loads the app, it only remembers a signal, so an app that waits has to check for itself. The handlers
    that were installed before are still called.
    """
    noticed: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        noticed.append(number)
        handler = handlers[number]
        if callable(handler):
            handler(number, frame)

    handlers = {number: signal.getsignal(number) for number in map(int, _STOPS)}
    for number in handlers:
        signal.signal(number, note)
    try:
        yield lambda: bool(noticed)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
