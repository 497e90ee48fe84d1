"""Threads for work that takes long, in which users take turns."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from .line import Asker
from .queue import WAITING_MAX, FairQueue

T = TypeVar("T")


class FairThreads:
    def __init__(self, name: str, at_once_max: int, of_user_max: int) -> None:
        self._queue = FairQueue(at_once_max, of_user_max)
        self._threads = ThreadPoolExecutor(at_once_max, name)

    async def run(
        self, asker: Asker, work: Callable[..., T], *given: object, waiting_max: int | None = WAITING_MAX
    ) -> T:
        loop = asyncio.get_running_loop()
        start = partial(loop.run_in_executor, self._threads, work, *given)
        return await self._queue.run(asker, start, waiting_max=waiting_max)

    def shutdown(self) -> None:
        self._threads.shutdown()
