"""Spreads short work over the turns of the event loop."""

import asyncio
from collections.abc import Hashable
from time import monotonic

from .line import Asker, WaitingLine

# Work of a user who is alone runs at once for this long in each turn.
_AT_ONCE_S = 0.005
# A user who sent something counts as present for this long.
_PRESENT_S = 1.0
# After work that took so long, the loop turns so often before the next, because a new connection takes six turns to be
# accepted, read and parsed. With three turns, and only after a millisecond, others waited five times as long.
_LONG_S, _TURNS_BETWEEN = 0.0003, 6


class LoopTurns:
    """Lets users take turns, so that nobody waits for all that another user has sent at once.

    While one user is alone, work runs as it comes for a few milliseconds, which costs nothing. What is left then waits
    in line, and so does everything while several users are present. The loop takes one piece at a time, and receives
    new requests in between; whoever was not the last one comes next.
    """

    def __init__(self) -> None:
        self._line = WaitingLine()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._until = 0.0
        self._last_user: Hashable | None = None
        self._called_at, self._turned = 0.0, 0
        self._latest_asker: Hashable | None = None
        self._shared_until = 0.0

    async def wait(self, asker: Asker) -> None:
        loop, now = asyncio.get_running_loop(), monotonic()
        if asker.user != self._latest_asker:
            self._latest_asker, self._shared_until = asker.user, now + _PRESENT_S
        if self._loop is not loop:
            self._loop, self._line = loop, WaitingLine()
            self._until = now if now < self._shared_until else now + _AT_ONCE_S
            self._turned = _TURNS_BETWEEN
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
        loop = self._loop
        if loop is None:
            return
        now = monotonic()
        if self._turned < _TURNS_BETWEEN and now < self._shared_until and now - self._called_at > _LONG_S:
            self._turned += 1
        elif not self._call_next():
            self._loop = None
            return
        loop.call_soon(self._take_turns)

    def _call_next(self) -> bool:
        user = self._line.pop_next(self._was_not_last)
        if user is None:
            user = self._line.pop_next(_anybody)
        self._last_user, self._until = user, 0.0
        self._called_at, self._turned = monotonic(), 0
        return user is not None

    def _was_not_last(self, user: Hashable) -> bool:
        return user != self._last_user


def _anybody(_user: Hashable) -> bool:
    return True
