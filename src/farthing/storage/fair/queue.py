"""Lets users take turns at scarce resources, and drops work whose client has hung up."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable
from time import monotonic
from typing import TypeVar

from farthing.kernel.errors import Departed, TooMany

from .leash import HUNG_UP
from .line import Asker, WaitingLine, was_called
from .rests import Rests

T = TypeVar("T")
# How many large requests of one user may wait while others run. A page of the web app needs a handful of reports.
WAITING_MAX = 16
_RETRY_S = 2
# How often a waiting request checks whether its user still has to rest.
_LOOK_EVERY_S = 0.05
_TOO_MANY = f"You have {WAITING_MAX} large requests waiting already; try again when some of them are answered."


class FairQueue:
    """Runs at most `at_once_max` pieces of work at a time, `of_user_max` for each user, and none of a resting user.

    A queue belongs to one event loop.
    """

    def __init__(self, at_once_max: int, of_user_max: int, rests: Rests | None = None) -> None:
        self._at_once_max = at_once_max
        self._of_user_max = of_user_max
        self._rests = rests
        self._running: Counter[Hashable] = Counter()
        self._line = WaitingLine()

    async def run(self, asker: Asker, work: Callable[[], Awaitable[T]]) -> T:
        """Runs work when it is the user's turn.

        Raises TooMany if too much work of a bounded user is waiting, and Departed if the client has hung up.
        """
        if self._has_room(asker.user) and asker.user not in self._line:
            self._running[asker.user] += 1
        else:
            await self._wait(asker)
        began = monotonic()
        try:
            if asker.gone and asker.gone.done():
                raise Departed(HUNG_UP)
            return await work()
        finally:
            if self._rests:
                self._rests.add(asker.user, monotonic() - began)
            self._leave(asker.user)

    async def _wait(self, asker: Asker) -> None:
        if asker.is_bounded and len(self._line.get(asker.user, ())) >= WAITING_MAX:
            raise TooMany(_TOO_MANY, _RETRY_S)
        ticket = self._line.add(asker.user)

        def depart(_gone: object) -> None:
            if not ticket.done():
                ticket.set_exception(Departed(HUNG_UP))

        if asker.gone:
            asker.gone.add_done_callback(depart)
        try:
            while self._rests and not ticket.done():
                await asyncio.wait({ticket}, timeout=_LOOK_EVERY_S)
                self._call_next()
            await ticket
        except BaseException:
            self._line.drop(asker.user, ticket)
            if was_called(ticket):  # at the same moment as the error, so its place must be freed
                self._leave(asker.user)
            raise
        finally:
            if asker.gone:
                asker.gone.remove_done_callback(depart)

    def _has_room(self, user: Hashable) -> bool:
        if self._running.total() >= self._at_once_max or self._running[user] >= self._of_user_max:
            return False
        return not (self._rests and self._rests.is_resting(user))

    def _leave(self, user: Hashable) -> None:
        self._running[user] -= 1
        if not self._running[user]:
            del self._running[user]
        self._call_next()

    def _call_next(self) -> None:
        while (called := self._line.pop_next(self._has_room)) is not None:
            self._running[called] += 1
