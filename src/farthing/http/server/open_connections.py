"""Keeps track of the open connections of a server process. Closes slow connections, and idle ones to make room."""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from operator import itemgetter
from typing import Protocol

from msgspec import Struct, structs

from .event_loop import ServerLoop

# Kept free for everything else that a server process opens: database, log, files.
RESERVED_DESCRIPTORS = 64
# Enough for every connection that we allow; no more is requested.
WANTED_DESCRIPTORS = 8192


class ConnectionLimits(Struct, frozen=True, kw_only=True):
    """Limits one server process. The last `spare_connections` answer health checks only; other requests get 503."""

    head_bytes_max: int = 64 * 1024
    head_fields_max: int = 100
    head_s: float = 10.0
    # Longer than proxies usually keep unused connections (nginx: 60 s), so that the proxy closes them first.
    keep_alive_s: float = 150.0
    unread_s: float = 60.0
    # How long a refused client that makes no progress may linger.
    linger_s: float = 5.0
    look_every_s: float = 1.0
    # How long a client that connects while the server is stopping may take to send its request.
    last_request_s: float = 1.0
    connections_max: int = 1000
    spare_connections: int = 16
    # Connections that are kept open for events, in addition to all others.
    listeners_max: int = 2500
    # How many connections are accepted in one turn of the event loop.
    accepts_max: int = 64


def fit_limits(descriptors: int, reserved: int, limits: ConnectionLimits) -> ConnectionLimits:
    """Reduces the limits to what this many file descriptors allow, so that accepting a connection never fails.

    Each connection needs a second descriptor for a file that it may have open, unless it listens for events. If a
    connection has to make room for others, it is closed within three turns of the event loop, and each of these turns
    accepts new connections.
    """
    free = max(descriptors - reserved, 64)
    accepts = min(limits.accepts_max, free // 8)
    listeners = min(limits.listeners_max, free // 3)
    connections = min(limits.connections_max, (free - 3 * accepts - listeners) // 2)
    spare = min(limits.spare_connections, connections // 4)
    return structs.replace(
        limits,
        accepts_max=accepts,
        connections_max=connections,
        spare_connections=spare,
        listeners_max=listeners,
    )


_LOG = logging.getLogger("farthing.connections")
# The overload is over when nobody has been refused for this long. A shorter time would log it many times a second.
_CALM_S = 30.0


class OverloadLog:
    """Counts the requests that were refused during an overload, and logs when the overload begins and ends."""

    def __init__(self) -> None:
        self._refused = 0
        self._last_at = 0.0

    @property
    def is_on(self) -> bool:
        return self._refused > 0

    def note(self, now: float, connections: int, address: str, connections_of_address: int) -> None:
        """Counts a request that was refused, for lack of connections or in favour of another request."""
        self._refused += 1
        self._last_at = now
        if self._refused == 1:
            _LOG.warning(
                "all %d connections are in use, %d of them by %s; some requests get 503 until this has passed",
                connections,
                connections_of_address,
                address or "an unknown address",
            )

    def look(self, now: float) -> None:
        """Logs the end of the overload, if it has ended."""
        if self._refused and now - self._last_at >= _CALM_S:
            _LOG.warning("there are free connections again; %d requests were refused", self._refused)
            self._refused = 0


class Connection(Protocol):
    """Declares what this module needs of a `ClientConnection`, which in turn reports its progress to this module."""

    @property
    def address(self) -> str: ...
    @property
    def unread_bytes(self) -> int: ...
    def abort(self) -> None: ...
    def shutdown(self) -> None: ...
    def give_way(self) -> None: ...
    def is_sending_on(self) -> bool: ...


class OpenConnections:
    """Holds the connections of one event loop. One timer serves all of them."""

    def __init__(self, limits: ConnectionLimits, loop: asyncio.AbstractEventLoop) -> None:
        self._limits = limits
        self._loop = loop
        self._all: set[Connection] = set()
        self._by_address: Counter[str] = Counter()
        self._busy: set[Connection] = set()
        # Connections of listeners are in no other group except that of unread answers.
        self._listening: set[Connection] = set()
        # Busy connections that are still sending a body. Those that have been silent longest come first.
        self._sending: dict[Connection, None] = {}
        # The time since which each connection waits. New ones are added at the end, so those waiting longest are first.
        self._awaiting_head: dict[Connection, float] = {}  # have not sent complete headers yet
        self._idle: dict[Connection, float] = {}  # wait for their next request
        self._refused: dict[Connection, float] = {}  # were refused and may still be sending
        # Connections that do not read their answer: since when, and how many bytes are left.
        self._unread: dict[Connection, tuple[float, int]] = {}
        self._is_looking = False
        self._overload = OverloadLog()

    @property
    def is_closing(self) -> bool:
        """Returns whether the server is stopping, so that no connection may be kept for another request."""
        return isinstance(self._loop, ServerLoop) and self._loop.has_stopped_listening

    def enter(self, connection: Connection) -> None:
        if self.is_closing:  # uvicorn had informed the connections before this one was accepted
            self._loop.call_later(self._limits.last_request_s, connection.shutdown)
        self._all.add(connection)
        self._by_address[connection.address] += 1
        self._awaiting_head[connection] = self._loop.time()
        if len(self._all) > self._limits.connections_max:
            self._make_room(connection)
        if not self._is_looking:
            self._look_later()

    def listen(self, connection: Connection) -> bool:
        """Moves a busy connection to those that listen for events. Returns whether there is room for it."""
        if connection not in self._busy or len(self._listening) >= self._limits.listeners_max:
            return False
        self.leave(connection)
        self._listening.add(connection)
        return True

    def leave(self, connection: Connection) -> None:
        self._forget(connection)
        if connection in self._listening:
            self._listening.discard(connection)
            return
        self._all.discard(connection)
        self._by_address[connection.address] -= 1
        if not self._by_address[connection.address]:
            del self._by_address[connection.address]

    def begin(self, connection: Connection) -> bool:
        """Notes that the headers are complete. Returns whether there is room for an ordinary request.

        Health checks are answered even if there is none.
        """
        if self._idle.pop(connection, None) is None:
            self._awaiting_head.pop(connection, None)
        self._busy.add(connection)
        return len(self._busy) <= self._limits.connections_max - self._limits.spare_connections

    def make_way(self) -> bool:
        """Refuses one client that is still sending a body, so that a complete request can be answered.

        Otherwise, a few clients that send a byte now and then could use up all connections. Returns whether there was
        such a client.
        """
        self._overload.note(self._loop.time(), len(self._all), *self._find_crowd())
        slowest = self._choose_of_crowd(self._sending) or next(iter(self._sending), None)
        if slowest is None:
            return False
        slowest.give_way()
        return True

    def expect_body(self, connection: Connection) -> None:
        """Notes that a part of the body has arrived."""
        if connection in self._busy:
            self._sending.pop(connection, None)
            self._sending[connection] = None

    def end_body(self, connection: Connection) -> None:
        self._sending.pop(connection, None)

    def end(self, connection: Connection) -> None:
        """Notes that the answer has been written."""
        self._busy.discard(connection)
        self._sending.pop(connection, None)
        self._idle[connection] = self._loop.time()

    def expect_head(self, connection: Connection) -> None:
        """Notes that the first bytes of another request have arrived."""
        if self._idle.pop(connection, None) is not None:
            self._awaiting_head[connection] = self._loop.time()

    def refuse(self, connection: Connection) -> None:
        """Lets a refused client continue to send for a moment. If we closed the connection at once, the client might
        never read the refusal."""
        self._forget(connection)
        self._refused[connection] = self._loop.time()

    def watch_unread(self, connection: Connection) -> None:
        self._unread.setdefault(connection, (self._loop.time(), connection.unread_bytes))

    def _forget(self, connection: Connection) -> None:
        self._busy.discard(connection)
        self._sending.pop(connection, None)
        for group in (self._awaiting_head, self._idle, self._refused, self._unread):
            group.pop(connection, None)

    def _cut(self, connections: Iterable[Connection]) -> None:
        for connection in connections:
            self._forget(connection)
            connection.abort()

    def _make_room(self, newcomer: Connection) -> None:
        """Closes one connection on which no answer is being prepared, or the newest connection if there is no other.

        Refused connections are closed first. Next are connections of the address that has the most, in this order:
        those that have not sent a request, idle ones, and those that are still sending a body. Of each kind, the one
        that has waited longest is closed.
        """
        del self._awaiting_head[newcomer]
        groups = (self._awaiting_head, self._idle, self._sending)
        of_crowd = (connection for group in groups if (connection := self._choose_of_crowd(group)))
        of_all = (connection for group in groups for connection in group)
        longest = next(chain(self._refused, of_crowd, of_all), newcomer)
        self._awaiting_head[newcomer] = self._loop.time()
        self._cut([longest])

    def _find_crowd(self) -> tuple[str, int]:
        """Returns the address that has the most connections, and how many."""
        return max(self._by_address.items(), key=itemgetter(1))

    def _choose_of_crowd(self, group: Iterable[Connection]) -> Connection | None:
        address, _ = self._find_crowd()
        return next((connection for connection in group if connection.address == address), None)

    def _look_later(self) -> None:
        self._is_looking = True
        self._loop.call_later(self._limits.look_every_s, self._look)

    def _look(self) -> None:
        """Closes connections that have waited too long. Repeats while there are connections or an overload to log."""
        now, limits = self._loop.time(), self._limits
        self._cut(_find_older(now - limits.head_s, self._awaiting_head))
        self._cut_refused(now)
        self._cut_idle(now)
        self._cut_unread(now)
        self._overload.look(now)
        self._is_looking = False
        if self._all or self._listening or self._overload.is_on:
            self._look_later()

    def _cut_refused(self, now: float) -> None:
        for connection in _find_older(now - self._limits.linger_s, self._refused):
            if connection.is_sending_on():  # some clients read no answer before they have sent everything
                del self._refused[connection]
                self._refused[connection] = now
            else:
                self._cut([connection])

    def _cut_idle(self, now: float) -> None:
        for connection in _find_older(now - self._limits.keep_alive_s, self._idle):
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


def _find_older(moment: float, group: dict[Connection, float]) -> list[Connection]:
    connections = []
    for connection, since in group.items():
        if since > moment:
            break
        connections.append(connection)
    return connections
