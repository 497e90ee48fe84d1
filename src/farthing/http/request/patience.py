"""Gives up on bodies that make no progress. One timer serves all that wait."""

import asyncio
from typing import Any

from starlette.types import Message, Receive

from farthing.kernel.errors import TooSlow

SILENT_S = 30.0
LOOK_EVERY_S = 5.0


class Patience:
    """Of one event loop."""

    __slots__ = ("_is_looking", "_look_every_s", "_over", "_silent_s", "_since")

    def __init__(self, *, silent_s: float = SILENT_S, look_every_s: float = LOOK_EVERY_S) -> None:
        self._silent_s = silent_s
        self._look_every_s = look_every_s
        # New ones are added at the end, so the longest waiting come first.
        self._since: dict[asyncio.Task[Any], float] = {}
        self._over: set[asyncio.Task[Any]] = set()
        self._is_looking = False

    async def until(self, receive: Receive) -> Message:
        """Waits for what comes next, up to the limit. What has arrived already is returned at once, almost for free."""
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None, "requests are answered in tasks"
        self._since[task] = loop.time()
        if not self._is_looking:
            self._look_later(loop)
        try:
            return await receive()
        except asyncio.CancelledError:
            # If the server stops at the same time, that takes precedence.
            if task not in self._over or task.uncancel():
                raise
            raise TooSlow(f"Nothing of the body came for {self._silent_s:.0f} seconds.") from None
        finally:
            del self._since[task]
            self._over.discard(task)

    def _look_later(self, loop: asyncio.AbstractEventLoop) -> None:
        self._is_looking = True
        loop.call_later(self._look_every_s, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Repeats as long as anything waits."""
        began_max = loop.time() - self._silent_s
        for task, began in self._since.items():
            if began > began_max:
                break
            if task not in self._over:
                self._over.add(task)
                task.cancel()
        self._is_looking = False
        if self._since:
            self._look_later(loop)
