"""Keeps those who wait for their turn, by user."""

import asyncio
from collections import deque
from collections.abc import Callable, Hashable

from msgspec import Struct


class Asker(Struct, frozen=True):
    """Represents those who wait for the result of some work. `gone` is done when nobody does any more.

    `is_bounded`: when too much of this user waits already, the work is refused.
    """

    user: Hashable = 0
    gone: "asyncio.Future[None] | None" = None
    is_bounded: bool = False


ANYBODY = Asker()


class WaitingLine(dict[Hashable, deque["asyncio.Future[None]"]]):
    """Holds those who wait, by user; the user whose turn is next comes first."""

    def add(self, user: Hashable) -> "asyncio.Future[None]":
        ticket: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.setdefault(user, deque()).append(ticket)
        return ticket

    def drop(self, user: Hashable, ticket: "asyncio.Future[None]") -> None:
        """Does nothing if it is not waiting any more."""
        if ticket in self.get(user, ()):
            self[user].remove(ticket)
            if not self[user]:
                del self[user]

    def pop_next(self, is_admitted: Callable[[Hashable], bool]) -> Hashable | None:
        """Calls the first who may come, and puts their user behind the others. Returns the user, or None."""
        user = next(filter(is_admitted, self), None)
        if user is None:
            return None
        tickets = self.pop(user)
        ticket = tickets.popleft()
        if tickets:
            self[user] = tickets
        if ticket.done():  # its client has hung up, or its task was cancelled, in this moment
            return self.pop_next(is_admitted)
        ticket.set_result(None)
        return user


def was_called(ticket: "asyncio.Future[None]") -> bool:
    return ticket.done() and not ticket.cancelled() and ticket.exception() is None
