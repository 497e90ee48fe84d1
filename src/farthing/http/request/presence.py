"""Notices when the client of a request has hung up, so that nobody goes on working for it."""

import asyncio

from starlette.types import Receive


class Presence:
    """Watches the connection from the first question on, because watching costs a task."""

    __slots__ = ("_gone", "_receive")

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._gone: asyncio.Task[None] | None = None

    def gone(self) -> "asyncio.Task[None]":
        """Returns a task that ends when the client hangs up. Ask only after the whole body has been received, because
        the task reads whatever comes next."""
        if self._gone is None:
            self._gone = asyncio.create_task(self._wait())
        return self._gone

    async def _wait(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass

    def end(self) -> None:
        """Stops watching. Call it when the work is done."""
        if self._gone:
            self._gone.cancel()
            self._gone = None
