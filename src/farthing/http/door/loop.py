"""The event loop of a server process: Python's own, with a long queue of connections that wait to be accepted."""

import asyncio
import os
import socket
from typing import Any

_QUEUE_MAX = 1024


class ServerLoop(asyncio.SelectorEventLoop):
    """asyncio has one number, `backlog`, for the kernel's queue and for how many it accepts in one turn.

    The second must fit into the free file descriptors. In a queue as short as that, clients would wait for a second or
    more, because the kernel drops whatever does not fit.
    """

    async def create_server(self, *arguments: Any, **options: Any) -> asyncio.Server:
        server = await super().create_server(*arguments, **options)
        for listening in server.sockets:
            with socket.socket(fileno=os.dup(listening.fileno())) as same:
                same.listen(_QUEUE_MAX)
        return server
