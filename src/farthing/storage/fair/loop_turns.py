"""Spreads short work over the turns of the event loop."""

import asyncio
from collections.abc import Hashable
from time import monotonic

from .line import Asker, Line

# Work runs at once for this long in each turn.
_AT_ONCE_S = 0.005


class LoopTurns:
    """Lets users take turns, so that nobody waits for all that another user has sent at once.

    For a few milliseconds work runs as it comes, which costs nothing. What is left then waits in line, and each turn of
    the loop takes one piece. In between the loop receives new requests, whose users have their turn next.
    """

    def __init__(self) -> None:
        self._line = Line()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._until = 0.0

    async def wait(self, asker: Asker) -> None:
        loop, now = asyncio.get_running_loop(), monotonic()
        if self._loop is not loop:
            self._loop, self._line, self._until = loop, Line(), now + _AT_ONCE_S
            loop.call_soon(self._take_turns)
        elif self._line or now > self._until:
            ticket = self._line.add(asker.user)
            try:
                await ticket
            except BaseException:
                self._line.drop(asker.user, ticket)
                raise

    def _take_turns(self) -> None:
        """Ends one turn, and begins the next if anybody waits."""
        if self._loop and self._line.pop_next(_anybody) is not None:
            self._until = 0.0
            self._loop.call_soon(self._take_turns)
        else:
            self._loop = None


def _anybody(_user: Hashable) -> bool:
    return True
