"""Wakes the job process as soon as it has work, by a byte in a pipe in its server's folder.

If a byte is lost, the job process finds the work seconds later. Servers on other machines wake their own.
"""

import os
import select
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event

from msgspec import Struct

from . import presence

_PIPE = "wake"
_READ_AT_ONCE = 4096


class Sleeper(Struct):
    """Waits until a process writes into the pipe, or until `stopped` is set."""

    _stopped: Event
    _handle: int | None

    def wait(self, seconds: float) -> None:
        if self._handle is None:
            self._stopped.wait(seconds)
        elif not self._stopped.is_set() and select.select([self._handle], [], [], seconds)[0]:
            os.read(self._handle, _READ_AT_ONCE)

    def wake(self) -> None:
        """Wakes the sleeper; a signal handler may call it."""
        if self._handle is not None:
            with suppress(OSError):
                os.write(self._handle, b"s")


@contextmanager
def sleeping(stopped: Event) -> Iterator[Sleeper]:
    """Opens the pipe. Nobody can wake the sleeper without a server's folder, or on a system without such pipes."""
    folder = presence.own_folder()
    handle = _open(folder / _PIPE) if folder else None
    try:
        yield Sleeper(stopped, handle)
    finally:
        if handle is not None:
            os.close(handle)


def _open(pipe: Path) -> int | None:
    """Opens the pipe for reading and writing, so that it never ends."""
    try:
        with suppress(FileExistsError):
            os.mkfifo(pipe, mode=0o600)
        return os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    except (OSError, AttributeError):
        return None


def make_waker(data: Path) -> Callable[[], None]:
    """Makes a function that wakes the job processes of this server; in a command, of all servers on the data folder."""
    own = presence.own_folder()

    def wake() -> None:
        for pipe in [own / _PIPE] if own else data.glob(f"{presence.FOLDER}/*/{_PIPE}"):
            _write(pipe)

    return wake


def _write(pipe: Path) -> None:
    with suppress(OSError):  # no process sleeps there, or the pipe is full
        handle = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(handle, b"j")
        finally:
            os.close(handle)
