"""A client that runs the app in this process, with one change of threads for each request."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import unquote

import httpx2
from anyio.from_thread import BlockingPortal
from starlette.testclient import TestClient


class AppClient(TestClient):
    """Starlette's, which looks after the app's start and end. Its own transport changes threads eight times for each
    request, which takes as long as the app itself."""

    def __init__(
        self, app: Any, base_url: str = "http://farthing.example", client: tuple[str, int] = ("testclient", 50000)
    ) -> None:
        super().__init__(app, base_url=base_url)
        self._transport = _Transport(app, self.app_state, self._portal_factory, client)


class _Transport(httpx2.BaseTransport):
    def __init__(
        self,
        app: Any,
        app_state: dict[str, Any],
        portal_factory: Callable[[], AbstractContextManager[BlockingPortal]],
        client: tuple[str, int],
    ) -> None:
        self._app = app
        self._app_state = app_state
        self._portal_factory = portal_factory
        self._client = client

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        request.read()
        with self._portal_factory() as portal:
            return portal.call(self._answer, request)

    async def _answer(self, request: httpx2.Request) -> httpx2.Response:
        exchange = _Exchange(request.content)
        await self._app(self._scope(request), exchange.receive, exchange.send)
        return httpx2.Response(
            exchange.status,
            headers=exchange.headers,
            content=b"" if request.method == "HEAD" else b"".join(exchange.sent),
            request=request,
        )

    def _scope(self, request: httpx2.Request) -> dict[str, Any]:
        url = request.url
        return {
            "type": "http",
            "http_version": "1.1",
            "method": request.method,
            "path": unquote(url.path),
            "raw_path": url.raw_path.partition(b"?")[0],
            "root_path": "",
            "scheme": url.scheme,
            "query_string": url.query,
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "client": self._client,
            "server": (url.host, url.port or {"http": 80, "https": 443}[url.scheme]),
            "extensions": {},
            "state": self._app_state.copy(),
        }


class _Exchange:
    """One request's body, and the answer to it. Who asks stays connected until the answer is complete."""

    def __init__(self, body: bytes) -> None:
        self._left: list[bytes] = [body]
        self._is_complete = asyncio.Event()
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.sent: list[bytes] = []

    async def receive(self) -> dict[str, Any]:
        if self._left:
            return {"type": "http.request", "body": self._left.pop(), "more_body": False}
        await self._is_complete.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            assert not self.status, "the answer began twice"
            self.status, self.headers = message["status"], list(message["headers"])
            return
        assert message["type"] == "http.response.body", message["type"]
        assert self.status, "a body before the answer began"
        assert not self._is_complete.is_set() or not message.get("body"), "a body after the answer's end"
        self.sent.append(bytes(message.get("body", b"")))
        if (b"content-type", b"text/event-stream") in self.headers:
            self._is_complete.set()  # whoever wants more than the first events has to listen (changes/listening.py)
        if not message.get("more_body", False):
            self._is_complete.set()
