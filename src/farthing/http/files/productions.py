"""Limits how many files are produced at once: each needs a process, a temporary file and a snapshot."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from farthing.kernel.errors import TooMany

_AT_ONCE_MAX = 4
_RETRY_S = 5
# A client that has all of a file asks for the next one at once, while the process that made it is still ending.
_WAIT_S = 10.0


class ProductionLimit:
    """Allows one file per user, and a few in all, to be produced by a server process at a time.

    One more request per user waits for a while; any further request is refused.
    """

    def __init__(self, at_once_max: int = _AT_ONCE_MAX, *, wait_s: float = _WAIT_S) -> None:
        self._at_once_max, self._wait_s = at_once_max, wait_s
        self._user_ids: set[int | None] = set()
        self._waiting: dict[int | None, asyncio.Event] = {}

    @asynccontextmanager
    async def admit(self, user_id: int | None) -> AsyncIterator[None]:
        await self._wait(user_id)
        if user_id in self._user_ids:
            raise TooMany("Another file is already being made for you. Try again when you have it.", _RETRY_S)
        if len(self._user_ids) >= self._at_once_max:
            raise TooMany("Too many files are being made at the moment. Try again in a few seconds.", _RETRY_S)
        self._user_ids.add(user_id)
        try:
            yield
        finally:
            self._user_ids.discard(user_id)
            for ended in self._waiting.values():
                ended.set()

    async def _wait(self, user_id: int | None) -> None:
        """Waits until there is room, or until the time is over."""
        if user_id in self._waiting:
            return
        deadline = asyncio.get_running_loop().time() + self._wait_s
        try:
            while user_id in self._user_ids or len(self._user_ids) >= self._at_once_max:
                ended = self._waiting[user_id] = asyncio.Event()
                async with asyncio.timeout_at(deadline):
                    await ended.wait()
        except TimeoutError:
            pass
        finally:
            self._waiting.pop(user_id, None)
