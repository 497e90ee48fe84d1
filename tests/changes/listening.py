"""Somebody who listens for events, in this process: no connection, but the app as it is."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from farthing.http.request.public_address import API

from ..conftest import Client

PATIENCE_S = 60


class Connection:
    """Plays the part of `http/server`, which tells a listener that it hung up or that the server stops."""

    def __init__(self) -> None:
        self.end = lambda _stopping: None

    def listen(self, end: Any) -> bool:
        self.end = end
        return True


class Listening:
    """What a client hears: pieces as they were sent, and events with their ids."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[bytes, bytes] = {}
        self.connection = Connection()
        self.is_over = False
        self._pieces: asyncio.Queue[str] = asyncio.Queue()
        self._events: list[tuple[str, dict[str, Any]]] = []

    async def receive(self) -> Any:
        await asyncio.Event().wait()

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
            return
        self.is_over = not message.get("more_body")
        self._pieces.put_nowait(message.get("body", b"").decode())

    async def piece(self, part: str) -> str:
        """Waits for a piece that contains a text, and passes over all others."""
        async with asyncio.timeout(PATIENCE_S):
            while part not in (piece := await self._pieces.get()):
                pass
        return piece

    async def event(self) -> tuple[str, dict[str, Any]]:
        return parse(await self.piece("data: "))

    async def until_over(self) -> str:
        """Waits for the end, and returns the last piece."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                piece = await self._pieces.get()
                if self.is_over and self._pieces.empty():
                    return piece


def parse(piece: str) -> tuple[str, dict[str, Any]]:
    fields = dict(line.split(": ", 1) for line in piece.splitlines() if line)
    return fields["id"], json.loads(fields["data"])


class Ear:
    """The same from a thread that does not run the app's loop."""

    def __init__(self, portal: Any, listening: Listening) -> None:
        self._portal, self._listening = portal, listening

    @property
    def status(self) -> int:
        return self._listening.status

    @property
    def headers(self) -> dict[bytes, bytes]:
        return self._listening.headers

    def event(self) -> tuple[str, dict[str, Any]]:
        return self._portal.call(self._listening.event)

    def piece(self, part: str) -> str:
        return self._portal.call(self._listening.piece, part)

    def until_over(self) -> str:
        return self._portal.call(self._listening.until_over)

    def stop_server(self) -> None:
        self._portal.call(self._listening.connection.end, True)


@contextmanager
def listening(client: Client, *, last: str | None = None, **query: str) -> Iterator[Ear]:
    """Opens the stream, and hangs up in the end."""
    heard = Listening()
    headers = {"authorization": f"Bearer {client.token}", "host": "farthing.example", **client.headers}
    headers |= {"last-event-id": last} if last else {}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "path": f"{API}/events",
        "raw_path": f"{API}/events".encode(),
        "root_path": "",
        "scheme": "http",
        "query_string": "&".join(f"{name}={value}" for name, value in query.items()).encode(),
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        "client": ("testclient", 50000),
        "server": ("farthing.example", 80),
        "extensions": {"farthing.connection": heard.connection},
        "state": {},
    }
    with client.http._portal_factory() as portal:
        running = portal.start_task_soon(client.http.app, scope, heard.receive, heard.send)
        try:
            yield Ear(portal, heard)
        finally:
            portal.call(heard.connection.end, False)
            with suppress(Exception):
                running.result(PATIENCE_S)
