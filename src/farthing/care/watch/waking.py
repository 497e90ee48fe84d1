"""Wakes the job process as soon as there is something for it to do: a byte in a pipe beside the marks of its server.

A lost byte costs nothing but the seconds until it looks by itself. Servers on other machines wake their own.
"""

import os
import select
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event

from . import presence

_PIPE = "wake"
_READ_AT_ONCE = 4096


class Sleeper:
    """Waits, until somebody writes into the pipe, or until it is told to stop."""

    def __init__(self, stopped: Event, handle: int | None) -> None:
        self._stopped = stopped
        self._handle = handle

    def wait(self, seconds: float) -> None:
        if self._handle is None:
            self._stopped.wait(seconds)
        elif not self._stopped.is_set() and select.select([self._handle], [], [], seconds)[0]:
            os.read(self._handle, _READ_AT_ONCE)

    def wake(self) -> None:
        """Also from the handler of a signal."""
        if self._handle is not None:
            with suppress(OSError):
                os.write(self._handle, b"s")


@contextmanager
def sleeping(stopped: Event) -> Iterator[Sleeper]:
    """Without a folder of the server, or where the system has no such pipes, nobody can wake it."""
    folder = presence.own_folder()
    handle = _open(folder / _PIPE) if folder else None
    try:
        yield Sleeper(stopped, handle)
    finally:
        if handle is not None:
            os.close(handle)


def _open(pipe: Path) -> int | None:
    """For reading and writing, so that it never ends."""
    try:
        with suppress(FileExistsError):
            os.mkfifo(pipe, mode=0o600)
        return os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    except (OSError, AttributeError):
        return None


def make_waker(data: Path) -> Callable[[], None]:
    """For the processes of servers and for commands: wakes those who work on this data folder."""
    own = presence.own_folder()

    def wake() -> None:
        for pipe in [own / _PIPE] if own else data.glob(f"{presence.FOLDER}/*/{_PIPE}"):
            _write(pipe)

    return wake


def _write(pipe: Path) -> None:
    with suppress(OSError):  # nobody sleeps there, or it has been woken often enough
        handle = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(handle, b"j")
        finally:
            os.close(handle)
