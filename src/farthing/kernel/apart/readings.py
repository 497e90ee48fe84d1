"""Lets files of strangers be read while somebody waits: in processes of their own, one for each user and a few in all.

Users take turns. What nobody waits for any more is ended, or never begun.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from ..errors import Malformed, TooMany
from .reader import Reader, ReadingLimits

T = TypeVar("T")
_LIMITS = ReadingLimits(cpu_s=20, memory_bytes=2**30, silent_s=20)
_AT_ONCE_MAX = 2
# Of one user, besides the one that is read.
_WAITING_MAX = 4
_RETRY_S = 5
_REMEMBERED_MAX = 50
_GONE = "The client has gone before its file was read."


class Turns:
    """Of users who wait: each has one at a time, and those who wait longest come next."""

    def __init__(self, at_once_max: int = _AT_ONCE_MAX, waiting_max: int = _WAITING_MAX) -> None:
        self._at_once_max = at_once_max
        self._waiting_max = waiting_max
        self._running: set[int] = set()
        # In the order in which their turns come.
        self._waiting: dict[int, deque[asyncio.Future[None]]] = {}

    @asynccontextmanager
    async def take(self, user_id: int) -> AsyncIterator[None]:
        waiting = self._waiting.setdefault(user_id, deque())
        if len(waiting) >= self._waiting_max:
            raise TooMany("Other files of yours are still being read; try again when they are.", _RETRY_S)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        self._begin()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._running.discard(user_id)
            self._begin()
            raise
        try:
            yield
        finally:
            self._end(user_id)

    def _end(self, user_id: int) -> None:
        self._running.discard(user_id)
        if turns := self._waiting.pop(user_id, None):
            self._waiting[user_id] = turns  # behind the others
        self._begin()

    def _begin(self) -> None:
        for user_id in list(self._waiting):
            if len(self._running) >= self._at_once_max:
                return
            turns = deque(turn for turn in self._waiting.pop(user_id) if not turn.done())
            if turns and user_id not in self._running:
                self._running.add(user_id)
                turns.popleft().set_result(None)
            if turns:
                self._waiting[user_id] = turns


class Readings:
    def __init__(self, limits: ReadingLimits = _LIMITS) -> None:
        self._limits = limits
        self._turns = Turns()
        self._threads = ThreadPoolExecutor(_AT_ONCE_MAX, thread_name_prefix="farthing-reading")
        # Their processes end by themselves after a minute.
        self._idle: list[Reader] = []
        self._remembered: dict[bytes, object] = {}

    async def run(
        self, user_id: int, gone: "asyncio.Future[None]", work: Callable[[Reader], object], key: bytes | None = None
    ) -> object:
        """Calls `work` in a thread, with a reader; what has been done under the same key lately is not done again.

        Raises TooMany; the client has gone when it raises Malformed.
        """
        if key is not None and key in self._remembered:
            return self._remembered[key]
        result = await self._run_while_wanted(user_id, gone, work)
        if key is not None:
            self._remembered[key] = result
            while len(self._remembered) > _REMEMBERED_MAX:
                self._remembered.pop(next(iter(self._remembered)))
        return result

    async def _run_while_wanted(self, user_id: int, gone: "asyncio.Future[None]", work: Callable[[Reader], T]) -> T:
        done = asyncio.ensure_future(self._run(user_id, work))
        try:
            either: set[asyncio.Future[Any]] = {done, gone}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not done.done():
                raise Malformed(_GONE)
            return done.result()
        finally:
            done.cancel()
            await asyncio.wait({done})

    async def _run(self, user_id: int, work: Callable[[Reader], T]) -> T:
        async with self._turns.take(user_id):
            reader = self._idle.pop() if self._idle else Reader(self._limits)
            working = asyncio.get_running_loop().run_in_executor(self._threads, work, reader)
            try:
                result = await asyncio.shield(working)
            except BaseException:
                reader.end()
                await asyncio.wait({working})
                reader.close()
                raise
            self._idle.append(reader)
            return result

    def close(self) -> None:
        for reader in self._idle:
            reader.close()
        self._threads.shutdown()
