"""Signals that the job process waits for disk space. Uses a lock, because a full disk may not accept a new file."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from msgspec import Struct

from . import presence

_ROOM = "room"


class RoomSign(Struct):
    """Shows and hides the signal. The system hides it automatically when the process ends."""

    _file: IO[bytes] | None
    _is_shown: bool = False

    def show(self) -> None:
        if self._file and not self._is_shown:
            presence.lock(self._file)
            self._is_shown = True

    def hide(self) -> None:
        if self._file and self._is_shown:
            presence.unlock(self._file)
            self._is_shown = False


@contextmanager
def making_sign() -> Iterator[RoomSign]:
    """Creates the sign. Other processes cannot see it if the server has no folder, or no space for a file."""
    folder = presence.own_folder()
    file: IO[bytes] | None = None
    with suppress(OSError):
        file = (folder / _ROOM).open("a+b") if folder else None
    try:
        yield RoomSign(file)
    finally:
        if file:
            file.close()


def is_waited_for(data: Path) -> bool:
    """Tells whether a job process on this data folder waits for disk space."""
    return any(presence.is_held(path) for path in (data / presence.FOLDER).glob(f"*/{_ROOM}"))
