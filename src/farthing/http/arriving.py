"""Receives a body piece by piece, up to its limit."""

from collections.abc import Mapping
from contextlib import suppress

from starlette.types import Receive

from farthing.kernel.errors import Malformed, TooLarge, TooSlow, Unauthenticated

from .answer.problems import STATUSES
from .answer.reply import Reply
from .request.patience import Patience

# A sender whose body is not read may never read the answer, so an unwanted body is read and discarded, up to a limit.
# For unknown senders the limit is that of an upload, because a session may end while one is on its way.
_THROWN_AWAY_MAX, _OF_STRANGERS_MAX = 2**30, 2**26
_UNKNOWN = STATUSES[Unauthenticated]
_CLOSE = (b"connection", b"close")


class Body:
    __slots__ = ("_asks_leave", "_more", "_patience", "_receive", "_silent", "declared")

    def __init__(self, headers: Mapping[bytes, bytes], receive: Receive, patience: Patience) -> None:
        self._receive = receive
        self._patience = patience
        self._more = True
        self._silent = False
        declared = headers.get(b"content-length", b"")
        self.declared = int(declared) if declared.isdigit() else None
        # A client that sent `Expect: 100-continue` must not be told to go on when it is refused.
        self._asks_leave = b"expect" in headers

    async def next(self) -> bytes | None:
        """None at the end of the body."""
        return await self._received() if self._more else None

    async def _received(self) -> bytes:
        try:
            message = await self._patience.until(self._receive)
        except TooSlow:
            self._silent, self._asks_leave = True, False  # it was told to continue, and sent nothing
            raise
        self._asks_leave = False
        if message["type"] == "http.disconnect":
            self._more = False
            raise Malformed("The body ended before all of it had arrived.")
        self._more = message.get("more_body", False)
        return bytes(message.get("body", b""))

    async def whole(self, bytes_max: int) -> bytes:
        """The whole body; raises as soon as it exceeds the limit."""
        if self._asks_leave and self.declared is not None and self.declared > bytes_max:
            raise too_large(bytes_max)
        parts: list[bytes] = []
        left = bytes_max
        while self._more:
            part = await self._received()
            left -= len(part)
            if left < 0:
                raise too_large(bytes_max)
            parts.append(part)
        return b"".join(parts)

    async def finish(self, reply: Reply, *, anybody: bool = False) -> Reply:
        """Discards what still arrives when the answer is ready; closes the connection if it is too much or too slow.

        `anybody`: the sender need not be known.
        """
        if not self._more or self._asks_leave:
            return reply
        left = _OF_STRANGERS_MAX if anybody or reply.status == _UNKNOWN else _THROWN_AWAY_MAX
        with suppress(Malformed, TooSlow):
            while left > 0 and not self._silent and (part := await self.next()) is not None:
                left -= len(part)
        if self._more:
            reply.headers.append(_CLOSE)
        return reply


def too_large(bytes_max: int) -> TooLarge:
    return TooLarge(f"The body may not be larger than {bytes_max} bytes.")
