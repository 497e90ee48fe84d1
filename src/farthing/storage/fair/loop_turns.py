"""Spreads short work over the iterations (turns) of the event loop."""

import asyncio
from collections.abc import Hashable
from time import monotonic

from .line import Asker, WaitingLine

# If only one user is active, work runs immediately for this long in each turn.
_AT_ONCE_S = 0.005
# After a request of another user than before, several users are considered active for this long.
_PRESENT_S = 1.0
# After work that took at least this long, the loop makes this many turns before the next work begins, because a new
# connection needs six turns to be accepted, read and parsed. With three turns, and only after work that took a
# millisecond, other users waited five times as long.
_LONG_S, _TURNS_BETWEEN = 0.0003, 6


class LoopTurns:
    """Lets users take turns, so that nobody has to wait for everything that another user has sent at once.

    While only one user is active, work runs as it arrives for a few milliseconds per turn, without overhead. Further
    work waits in line, and so does all work while several users are active. The loop runs one piece of work at a time,
    receives new requests in between, and then prefers any user but the last one.
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
        """Calls the next waiting work in this turn of the loop, and schedules another turn if any was called."""
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
