"""Extends Python's event loop with a longer queue of connections that wait to be accepted."""

import asyncio
import os
import socket
from typing import Any

_QUEUE_MAX = 1024


class ServerLoop(asyncio.SelectorEventLoop):
    """Separates two limits for which asyncio has one number, `backlog`: the length of the kernel's queue, and the
    number of connections accepted in one turn.

    The second limit must not exceed the free file descriptors. If the queue were as short as that, clients would wait
    for a second or more, because the kernel drops connections for which the queue has no room.

    Connections inherit TCP_NODELAY from the socket that listens. asyncio does not set it on a socket that comes from
    another process, as with several workers; the body of an answer would then wait 40 ms for the client's delayed ACK.

    The loop also knows whether it still listens. When uvicorn stops, it informs its open connections, but not a
    connection that is accepted at that very moment.
    """

    def __init__(self) -> None:
        super().__init__()
        self._servers: list[asyncio.Server] = []

    @property
    def has_stopped_listening(self) -> bool:
        return any(not server.is_serving() for server in self._servers)

    async def create_server(self, *arguments: Any, **options: Any) -> asyncio.Server:
        server = await super().create_server(*arguments, **options)
        self._servers.append(server)
        for listening in server.sockets:
            with socket.socket(fileno=os.dup(listening.fileno())) as duplicate:
                duplicate.listen(_QUEUE_MAX)
                if duplicate.family != socket.AF_UNIX:
                    duplicate.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return server
