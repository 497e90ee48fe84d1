"""Keeps track of the connections of a server process: closes those that are too slow, or idle when room is needed."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING

from .limits import Limits
from .loop import ServerLoop
from .overload import Overload

if TYPE_CHECKING:
    from .connection import Connection


class Lobby:
    """The connections of one event loop. One timer serves all of them."""

    def __init__(self, limits: Limits, loop: asyncio.AbstractEventLoop) -> None:
        self._limits = limits
        self._loop = loop
        self._present: set[Connection] = set()
        self._of_address: Counter[str] = Counter()
        self._busy: set[Connection] = set()
        # Those of the busy ones that are still sending their body; the longest silent come first.
        self._sending: dict[Connection, None] = {}
        # Since when; new ones are added at the end, so the longest waiting come first.
        self._asking: dict[Connection, float] = {}  # have not sent complete headers yet
        self._idle: dict[Connection, float] = {}  # wait for their next request
        self._refused: dict[Connection, float] = {}  # were refused, and may still be sending
        # Do not read their answer: since when, and how many bytes are left.
        self._unread: dict[Connection, tuple[float, int]] = {}
        self._is_looking = False
        self._overload = Overload()

    @property
    def is_closing(self) -> bool:
        """The server stops: no connection may be kept for another request."""
        return isinstance(self._loop, ServerLoop) and self._loop.has_stopped_listening

    def enter(self, connection: "Connection") -> None:
        if self.is_closing:  # too late for uvicorn to tell it
            self._loop.call_later(self._limits.last_request_s, connection.shutdown)
        self._present.add(connection)
        self._of_address[connection.address] += 1
        self._asking[connection] = self._loop.time()
        if len(self._present) > self._limits.connections_max:
            self._make_room(connection)
        if not self._is_looking:
            self._look_later()

    def leave(self, connection: "Connection") -> None:
        self._present.discard(connection)
        self._forget(connection)
        self._of_address[connection.address] -= 1
        if not self._of_address[connection.address]:
            del self._of_address[connection.address]

    def begin(self, connection: "Connection") -> bool:
        """The headers are complete. Returns whether there is room to answer; health checks are answered anyway."""
        if self._idle.pop(connection, None) is None:
            self._asking.pop(connection, None)
        self._busy.add(connection)
        return len(self._busy) <= self._limits.connections_max - self._limits.spare_connections

    def make_way(self) -> bool:
        """Refuses whoever is still sending a body, so that somebody who is not can be answered, if there is one.

        Otherwise a byte now and then on each connection would shut everybody out.
        """
        self._overload.note(self._loop.time(), len(self._present), *self._find_crowd())
        slowest = self._choose_of_crowd(self._sending) or next(iter(self._sending), None)
        if slowest is None:
            return False
        slowest.give_way()
        return True

    def expect_body(self, connection: "Connection") -> None:
        """A part of the body has arrived."""
        if connection in self._busy:
            self._sending.pop(connection, None)
            self._sending[connection] = None

    def end_body(self, connection: "Connection") -> None:
        self._sending.pop(connection, None)

    def end(self, connection: "Connection") -> None:
        """The answer has been written."""
        self._busy.discard(connection)
        self._sending.pop(connection, None)
        self._idle[connection] = self._loop.time()

    def expect_head(self, connection: "Connection") -> None:
        """The first bytes of another request have arrived."""
        if self._idle.pop(connection, None) is not None:
            self._asking[connection] = self._loop.time()

    def refuse(self, connection: "Connection") -> None:
        """It may go on sending for a moment: after an immediate close it might never read the refusal."""
        self._forget(connection)
        self._refused[connection] = self._loop.time()

    def watch_unread(self, connection: "Connection") -> None:
        self._unread.setdefault(connection, (self._loop.time(), connection.unread_bytes))

    def _forget(self, connection: "Connection") -> None:
        self._busy.discard(connection)
        self._sending.pop(connection, None)
        for group in (self._asking, self._idle, self._refused, self._unread):
            group.pop(connection, None)

    def _cut(self, connections: Iterable["Connection"]) -> None:
        for connection in connections:
            self._forget(connection)
            connection.transport.abort()

    def _make_room(self, newcomer: "Connection") -> None:
        """Closes a connection that nobody is being answered on, the newest if there is none.

        First those that were refused, then those of the address that has the most; of these, first those that never
        asked for anything, then the idle, then those that are still sending a body; the longest waiting of each.
        """
        del self._asking[newcomer]
        groups = (self._asking, self._idle, self._sending)
        of_crowd = (one for group in groups if (one := self._choose_of_crowd(group)))
        of_all = (one for group in groups for one in group)
        longest = next(chain(self._refused, of_crowd, of_all), newcomer)
        self._asking[newcomer] = self._loop.time()
        self._cut([longest])

    def _find_crowd(self) -> tuple[str, int]:
        """The address that has the most connections, and how many."""
        return max(self._of_address.items(), key=itemgetter(1))

    def _choose_of_crowd(self, group: "Iterable[Connection]") -> "Connection | None":
        address, _ = self._find_crowd()
        return next((one for one in group if one.address == address), None)

    def _look_later(self) -> None:
        self._is_looking = True
        self._loop.call_later(self._limits.look_every_s, self._look)

    def _look(self) -> None:
        """Repeats as long as there are connections, or there is an end to be logged."""
        now, limits = self._loop.time(), self._limits
        self._cut(_since_before(now - limits.head_s, self._asking))
        self._cut_refused(now)
        self._cut_idle(now)
        self._cut_unread(now)
        self._overload.look(now)
        self._is_looking = False
        if self._present or self._overload.is_on:
            self._look_later()

    def _cut_refused(self, now: float) -> None:
        for connection in _since_before(now - self._limits.linger_s, self._refused):
            if connection.is_sending_on():  # some clients read no answer before they have sent all
                del self._refused[connection]
                self._refused[connection] = now
            else:
                self._cut([connection])

    def _cut_idle(self, now: float) -> None:
        for connection in _since_before(now - self._limits.keep_alive_s, self._idle):
            if connection.unread_bytes:  # a large answer on a slow line is still on its way
                self.watch_unread(connection)
                del self._idle[connection]
                self._idle[connection] = now
            else:
                self._cut([connection])

    def _cut_unread(self, now: float) -> None:
        for connection, (since, before) in list(self._unread.items()):
            left = connection.unread_bytes
            if not left:
                del self._unread[connection]
            elif left != before:
                self._unread[connection] = now, left
            elif since <= now - self._limits.unread_s:
                self._cut([connection])


def _since_before(moment: float, group: "dict[Connection, float]") -> "list[Connection]":
    found = []
    for connection, since in group.items():
        if since > moment:
            break
        found.append(connection)
    return found
