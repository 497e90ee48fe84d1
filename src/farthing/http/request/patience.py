"""Gives up on bodies that arrive too slowly. One timer serves all that wait."""

import asyncio
from typing import Any

from starlette.types import Message, Receive

from farthing.kernel.errors import TooSlow

SLOW_S = 30.0
# In that time. A tenth of what the slowest mobile lines manage.
SLOW_BYTES = 4096
LOOK_EVERY_S = 5.0


class Pace:
    """How many bytes of one body have arrived, and since when it has been waiting for enough of them."""

    __slots__ = ("bytes", "since")

    def __init__(self) -> None:
        self.since: float | None = None
        self.bytes = 0

    def renew(self, now: float) -> float:
        """Begins again once enough has come. Returns since when."""
        if self.since is None or self.bytes >= SLOW_BYTES:
            self.since, self.bytes = now, 0
        return self.since


class Patience:
    """Waits for the bodies of one event loop."""

    __slots__ = ("_is_looking", "_look_every_s", "_over", "_since", "_slow_s")

    def __init__(self, *, slow_s: float = SLOW_S, look_every_s: float = LOOK_EVERY_S) -> None:
        self._slow_s = slow_s
        self._look_every_s = look_every_s
        self._since: dict[asyncio.Task[Any], float] = {}
        self._over: set[asyncio.Task[Any]] = set()
        self._is_looking = False

    async def until(self, receive: Receive, pace: Pace) -> Message:
        """Waits for what comes next, up to the limit. What has arrived already is returned at once, almost for free."""
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None, "requests are answered in tasks"
        self._since[task] = pace.renew(loop.time())
        if not self._is_looking:
            self._look_later(loop)
        try:
            message = await receive()
        except asyncio.CancelledError:
            # If the server stops at the same time, that takes precedence.
            if task not in self._over or task.uncancel():
                raise
            raise TooSlow(f"Less than {SLOW_BYTES} bytes of the body came in {self._slow_s:.0f} seconds.") from None
        finally:
            del self._since[task]
            self._over.discard(task)
        pace.bytes += len(message.get("body", b""))
        return message

    def _look_later(self, loop: asyncio.AbstractEventLoop) -> None:
        self._is_looking = True
        loop.call_later(self._look_every_s, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Repeats as long as anything waits."""
        since_max = loop.time() - self._slow_s
        for task, since in self._since.items():
            if since <= since_max and task not in self._over:
                self._over.add(task)
                task.cancel()
        self._is_looking = False
        if self._since:
            self._look_later(loop)
