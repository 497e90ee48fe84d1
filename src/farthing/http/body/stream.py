"""Receives a request body piece by piece, up to a size limit. Gives up on a body that arrives too slowly."""

import asyncio
from collections.abc import Mapping
from typing import Any

from starlette.types import Message, Receive

from farthing.kernel.errors import Malformed, TooLarge, TooSlow

SLOW_S = 30.0
# How many bytes have to arrive in that time. This is a tenth of what the slowest mobile connections achieve.
SLOW_BYTES = 4096
LOOK_EVERY_S = 5.0


class BodyPace:
    """Counts the bytes of one body that have arrived since the clock was last restarted."""

    __slots__ = ("bytes", "since")

    def __init__(self) -> None:
        self.since: float | None = None
        self.bytes = 0

    def renew(self, now: float) -> float:
        """Restarts the clock if enough bytes have arrived since its last start. Returns the time of the last start."""
        if self.since is None or self.bytes >= SLOW_BYTES:
            self.since, self.bytes = now, 0
        return self.since


class Patience:
    """Waits for the request bodies of one event loop, with a time limit."""

    __slots__ = ("_is_looking", "_look_every_s", "_overdue", "_since", "_slow_s")

    def __init__(self, *, slow_s: float = SLOW_S, look_every_s: float = LOOK_EVERY_S) -> None:
        self._slow_s = slow_s
        self._look_every_s = look_every_s
        self._since: dict[asyncio.Task[Any], float] = {}
        self._overdue: set[asyncio.Task[Any]] = set()
        self._is_looking = False

    async def until(self, receive: Receive, pace: BodyPace) -> Message:
        """Waits for the next message, and raises TooSlow after the time limit. Waiting for a message that has already
        arrived costs almost nothing."""
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None, "requests are answered in tasks"
        self._since[task] = pace.renew(loop.time())
        if not self._is_looking:
            self._look_later(loop)
        try:
            message = await receive()
        except asyncio.CancelledError:
            # If the server is stopping at the same time, its cancellation takes precedence.
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
        """Cancels the tasks that have waited too long. Repeats this later, as long as any task waits."""
        since_max = loop.time() - self._slow_s
        for task, since in self._since.items():
            if since <= since_max and task not in self._overdue:
                self._overdue.add(task)
                task.cancel()
        self._is_looking = False
        if self._since:
            self._look_later(loop)


# A body with a larger Content-Length may take long to arrive.
_SHORT_BYTES_MAX = 64 * 1024


class BodyStream:
    """Reads the body of one request while it arrives."""

    __slots__ = ("_awaits_continue", "_first", "_pace", "_patience", "_receive", "declared", "has_more")

    def __init__(self, headers: Mapping[bytes, bytes], receive: Receive, patience: Patience) -> None:
        self._receive = receive
        self._patience = patience
        self._pace = BodyPace()
        self.has_more = True
        # The first piece, if `is_long` has read it ahead.
        self._first: bytes | None = None
        declared = headers.get(b"content-length", b"")
        self.declared = int(declared) if declared.isdigit() else None
        # A client that sent `Expect: 100-continue` may have to be refused before it sends its body.
        self._awaits_continue = b"expect" in headers

    async def is_long(self) -> bool:
        """Returns whether the body may take long to arrive. Unless the headers already show this, waits for the first
        piece."""
        if self._awaits_continue or (self.declared or 0) > _SHORT_BYTES_MAX:
            return True
        self._first = await self._read()
        return self.has_more

    async def next(self) -> bytes | None:
        """Returns the next piece, or None at the end of the body."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        return await self._read() if self.has_more else None

    async def _read(self) -> bytes:
        message = await self._patience.until(self._receive, self._pace)
        if message["type"] == "http.disconnect":
            self.has_more = False
            raise Malformed("The body ended before all of it had arrived.")
        self.has_more = message.get("more_body", False)
        return bytes(message.get("body", b""))

    async def read_all(self, bytes_max: int) -> bytes:
        """Reads the whole body. Raises TooLarge as soon as it exceeds the limit."""
        if self.declared is not None and self.declared > bytes_max:
            raise too_large(bytes_max)
        pieces: list[bytes] = []
        left = bytes_max
        while (piece := await self.next()) is not None:
            left -= len(piece)
            if left < 0:
                raise too_large(bytes_max)
            pieces.append(piece)
        return b"".join(pieces)


def too_large(bytes_max: int) -> TooLarge:
    return TooLarge(f"The body may not be larger than {bytes_max} bytes.")
