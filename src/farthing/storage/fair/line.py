"""Queues requests that wait for their turn, by user."""

import asyncio
from collections import deque
from collections.abc import Callable, Hashable

from msgspec import Struct


class Asker(Struct, frozen=True):
    """Represents the client that waits for the result of some work. `gone` is done once the client has hung up.

    With `is_bounded`, the work is refused if too much work of the same user is waiting already.
    """

    user: Hashable = 0
    gone: "asyncio.Future[None] | None" = None
    is_bounded: bool = False


ANYBODY = Asker()


class WaitingLine(dict[Hashable, deque["asyncio.Future[None]"]]):
    """Maps users to the tickets of their waiting requests. The user whose turn is next is the first key."""

    def add(self, user: Hashable) -> "asyncio.Future[None]":
        ticket: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.setdefault(user, deque()).append(ticket)
        return ticket

    def drop(self, user: Hashable, ticket: "asyncio.Future[None]") -> None:
        """Removes a ticket. Does nothing if the ticket is no longer waiting."""
        if ticket in self.get(user, ()):
            self[user].remove(ticket)
            if not self[user]:
                del self[user]

    def pop_next(self, is_admitted: Callable[[Hashable], bool]) -> Hashable | None:
        """Calls the next ticket of the first admitted user, who then goes to the end. Returns the user, or None."""
        user = next(filter(is_admitted, self), None)
        if user is None:
            return None
        tickets = self.pop(user)
        ticket = tickets.popleft()
        if tickets:
            self[user] = tickets
        if ticket.done():  # its client has just hung up, or its task was just cancelled
            return self.pop_next(is_admitted)
        ticket.set_result(None)
        return user


def was_called(ticket: "asyncio.Future[None]") -> bool:
    return ticket.done() and not ticket.cancelled() and ticket.exception() is None
