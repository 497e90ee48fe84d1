"""Reads untrusted files during a request, in separate processes: at most one per user, and few in total."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from farthing.kernel.apart.reader import Reader, ReadingLimits
from farthing.kernel.errors import Departed

from .leash import HUNG_UP
from .line import Asker
from .queue import FairQueue

T = TypeVar("T")
_LIMITS = ReadingLimits(cpu_s=20, memory_bytes=2**30, silent_s=20)
_AT_ONCE_MAX = 2
_REMEMBERED_MAX = 50


class FileReaders:
    """Lends reader processes to requests. Users take turns, and work of a client that has hung up is stopped."""

    def __init__(self, limits: ReadingLimits = _LIMITS) -> None:
        self._limits = limits
        self._queue = FairQueue(_AT_ONCE_MAX, of_user_max=1)
        self._threads = ThreadPoolExecutor(_AT_ONCE_MAX, thread_name_prefix="farthing-reading")
        # The processes of idle readers end by themselves after a minute.
        self._idle: list[Reader] = []
        self._remembered: dict[bytes, object] = {}

    async def run(self, asker: Asker, work: Callable[[Reader], object], key: bytes | None = None) -> object:
        """Calls `work` with a reader, in a thread. If the same `key` was read recently, returns that result instead."""
        if key is not None and key in self._remembered:
            return self._remembered[key]
        result = await self._queue.run(asker, partial(self._read, asker, work))
        if key is not None:
            self._remembered[key] = result
            while len(self._remembered) > _REMEMBERED_MAX:
                self._remembered.pop(next(iter(self._remembered)))
        return result

    async def _read(self, asker: Asker, work: Callable[[Reader], T]) -> T:
        reader = self._idle.pop() if self._idle else Reader(self._limits)
        reading = asyncio.get_running_loop().run_in_executor(self._threads, work, reader)
        either: set[asyncio.Future[Any]] = {reading, *([asker.gone] if asker.gone else [])}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                raise Departed(HUNG_UP)
            result = reading.result()
        except BaseException:
            reader.end()
            await asyncio.gather(reading, return_exceptions=True)
            reader.close()
            raise
        self._idle.append(reader)
        return result

    def close(self) -> None:
        for reader in self._idle:
            reader.close()
        self._threads.shutdown()
