"""Gives up on bodies that arrive too slowly. One timer serves all requests."""

import asyncio
from typing import Any

from starlette.types import Message, Receive

from farthing.kernel.errors import TooSlow

SLOW_S = 30.0
# The least that has to arrive in that time: a tenth of what the slowest mobile lines manage.
SLOW_BYTES = 4096
LOOK_EVERY_S = 5.0


class BodyPace:
    """Counts the bytes of one body that have arrived since the clock was last restarted."""

    __slots__ = ("bytes", "since")

    def __init__(self) -> None:
        self.since: float | None = None
        self.bytes = 0

    def renew(self, now: float) -> float:
        """Restarts the clock once enough bytes have arrived. Returns when it was started."""
        if self.since is None or self.bytes >= SLOW_BYTES:
            self.since, self.bytes = now, 0
        return self.since


class Patience:
    """Waits for the bodies of one event loop."""

    __slots__ = ("_is_looking", "_look_every_s", "_overdue", "_since", "_slow_s")

    def __init__(self, *, slow_s: float = SLOW_S, look_every_s: float = LOOK_EVERY_S) -> None:
        self._slow_s = slow_s
        self._look_every_s = look_every_s
        self._since: dict[asyncio.Task[Any], float] = {}
        self._overdue: set[asyncio.Task[Any]] = set()
        self._is_looking = False

    async def until(self, receive: Receive, pace: BodyPace) -> Message:
        """Waits for the next message, up to the limit. A message that is already there costs almost nothing."""
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None, "requests are answered in tasks"
        self._since[task] = pace.renew(loop.time())
        if not self._is_looking:
            self._look_later(loop)
        try:
            message = await receive()
        except asyncio.CancelledError:
            # If the server stops at the same time, that takes precedence.
            if task not in self._overdue or task.uncancel():
                raise
            raise TooSlow(f"Less than {SLOW_BYTES} bytes of the body arrived in {self._slow_s:.0f} seconds.") from None
        finally:
            del self._since[task]
            self._overdue.discard(task)
        pace.bytes += len(message.get("body", b""))
        return message

    def _look_later(self, loop: asyncio.AbstractEventLoop) -> None:
        self._is_looking = True
        loop.call_later(self._look_every_s, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Cancels the tasks that have waited too long, and looks again as long as any task waits."""
        since_max = loop.time() - self._slow_s
        for task, since in self._since.items():
            if since <= since_max and task not in self._overdue:
                self._overdue.add(task)
                task.cancel()
        self._is_looking = False
        if self._since:
            self._look_later(loop)
