"""Wakes the job process as soon as there is work, by writing a byte to a pipe in the folder of its server.

If a byte is lost, the job process finds the work a few seconds later. Servers on other machines have their own job
process.
"""

import os
import select
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from msgspec import Struct

from . import presence

_PIPE = "wake"
_READ_AT_ONCE = 4096
_LOOK_EVERY_S = 0.1


class StopFlag:
    """Remembers that the process shall stop. A signal handler may set it.

    Unlike `threading.Event`, it takes no lock. The interrupted code could hold that lock, and the signal handler would
    wait for it forever.
    """

    def __init__(self) -> None:
        self._is_set = False

    def set(self) -> None:
        self._is_set = True

    def is_set(self) -> bool:
        return self._is_set

    def wait(self, seconds: float) -> bool:
        """Waits until the flag is set, or for this time. Returns whether it is set."""
        until = monotonic() + seconds
        while not self._is_set and (left := until - monotonic()) > 0:
            sleep(min(left, _LOOK_EVERY_S))
        return self._is_set


class Sleeper(Struct):
    """Waits until a process writes to the pipe, until `wake` is called, or for a given time."""

    _stopped: StopFlag
    _handle: int | None

    def wait(self, seconds: float) -> None:
        if self._handle is None:
            self._stopped.wait(seconds)
        elif not self._stopped.is_set() and select.select([self._handle], [], [], seconds)[0]:
            os.read(self._handle, _READ_AT_ONCE)

    def wake(self) -> None:
        """Ends the wait. May be called by a signal handler."""
        if self._handle is not None:
            with suppress(OSError):
                os.write(self._handle, b"s")


@contextmanager
def sleeping(stopped: StopFlag) -> Iterator[Sleeper]:
    """Opens the pipe. On systems without such pipes, only `stopped` ends a wait early."""
    folder = presence.own_folder()
    handle = _open(folder / _PIPE) if folder else None
    try:
        yield Sleeper(stopped, handle)
    finally:
        if handle is not None:
            os.close(handle)


def _open(pipe: Path) -> int | None:
    """Opens the pipe for both reading and writing, so that it stays open when a writer closes it."""
    try:
        with suppress(FileExistsError):
            os.mkfifo(pipe, mode=0o600)
        return os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    except (OSError, AttributeError):
        return None


def make_waker(data: Path) -> Callable[[], None]:
    """Returns a function that wakes the job process of this server.

    In a command, it wakes the job processes of all servers on the data folder.
    """
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
