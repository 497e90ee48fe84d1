"""Receives a body piece by piece, up to its limit."""

from collections.abc import Mapping

from starlette.types import Receive

from farthing.kernel.errors import Malformed, TooLarge

from .answer.reply import Reply
from .request.patience import Pace, Patience

_CLOSE = (b"connection", b"close")
# A body that is declared longer than this is long.
_SHORT_BYTES_MAX = 64 * 1024


class Body:
    __slots__ = ("_asks_leave", "_begun", "_more", "_pace", "_patience", "_receive", "declared")

    def __init__(self, headers: Mapping[bytes, bytes], receive: Receive, patience: Patience) -> None:
        self._receive = receive
        self._patience = patience
        self._pace = Pace()
        self._more = True
        # The first piece, until it is asked for.
        self._begun: bytes | None = None
        declared = headers.get(b"content-length", b"")
        self.declared = int(declared) if declared.isdigit() else None
        # A client that sent `Expect: 100-continue` must not be told to go on when it is refused.
        self._asks_leave = b"expect" in headers

    async def is_long(self) -> bool:
        """Whether it may take long to arrive. Waits for the first piece, unless the headers tell."""
        if self._asks_leave or (self.declared or 0) > _SHORT_BYTES_MAX:
            return True
        self._begun = await self._received()
        return self._more

    async def next(self) -> bytes | None:
        """None at the end of the body."""
        if self._begun is not None:
            begun, self._begun = self._begun, None
            return begun
        return await self._received() if self._more else None

    async def _received(self) -> bytes:
        message = await self._patience.until(self._receive, self._pace)
        if message["type"] == "http.disconnect":
            self._more = False
            raise Malformed("The body ended before all of it had arrived.")
        self._more = message.get("more_body", False)
        return bytes(message.get("body", b""))

    async def whole(self, bytes_max: int) -> bytes:
        """The whole body; raises as soon as it exceeds the limit."""
        if self.declared is not None and self.declared > bytes_max:
            raise too_large(bytes_max)
        parts: list[bytes] = []
        left = bytes_max
        while (part := await self.next()) is not None:
            left -= len(part)
            if left < 0:
                raise too_large(bytes_max)
            parts.append(part)
        return b"".join(parts)

    def finish(self, reply: Reply) -> Reply:
        """If the answer is ready before the body has come, the connection is closed: nobody waits for the rest."""
        if self._more:
            reply.headers.append(_CLOSE)
        return reply


def too_large(bytes_max: int) -> TooLarge:
    return TooLarge(f"The body may not be larger than {bytes_max} bytes.")
