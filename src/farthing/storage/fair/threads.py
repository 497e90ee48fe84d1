"""Runs long work in threads, in which users take turns."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from .line import Asker
from .queue import FairQueue
from .rests import Rests

T = TypeVar("T")


class FairThreads:
    def __init__(self, name: str, at_once_max: int, of_user_max: int, rests: Rests | None = None) -> None:
        self._queue = FairQueue(at_once_max, of_user_max, rests)
        self._threads = ThreadPoolExecutor(at_once_max, name)

    async def run(self, asker: Asker, work: Callable[..., T], *arguments: object) -> T:
        loop = asyncio.get_running_loop()
        return await self._queue.run(asker, partial(loop.run_in_executor, self._threads, work, *arguments))

    def shutdown(self) -> None:
        self._threads.shutdown()
