"""Receives a body piece by piece, up to its limit."""

from collections.abc import Mapping

from starlette.types import Receive

from farthing.kernel.errors import Malformed, TooLarge

from .patience import BodyPace, Patience

# A body with a longer Content-Length may take long to arrive.
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
        # A client that sent `Expect: 100-continue` must not be told to go on when it is refused.
        self._awaits_continue = b"expect" in headers

    async def is_long(self) -> bool:
        """Tells whether the body may take long to arrive. Waits for the first piece unless the headers tell."""
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
