"""Limits how many files are being produced at once: each needs a process, a temporary file and a snapshot."""

from collections.abc import Iterator
from contextlib import contextmanager

from farthing.kernel.errors import TooMany

_AT_ONCE_MAX = 4
_RETRY_S = 5


class Productions:
    """The files that one server process is making: one for each user at most, and a few in all."""

    def __init__(self, at_once_max: int = _AT_ONCE_MAX) -> None:
        self._at_once_max = at_once_max
        self._user_ids: set[int | None] = set()

    @contextmanager
    def admit(self, user_id: int | None) -> Iterator[None]:
        if user_id in self._user_ids:
            raise TooMany("A file is being made for you already; try again when you have it.", _RETRY_S)
        if len(self._user_ids) >= self._at_once_max:
            raise TooMany("Too many files are being made at the moment; try again in a few seconds.", _RETRY_S)
        self._user_ids.add(user_id)
        try:
            yield
        finally:
            self._user_ids.discard(user_id)
