"""Lets a command clean up after itself when it is told to stop."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stop_as_by_ctrl_c() -> Iterator[None]:
    """Makes SIGTERM raise KeyboardInterrupt; by default it would end the process at once."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
