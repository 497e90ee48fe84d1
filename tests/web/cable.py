"""The way between a browser and a server: it can be cut, answer for the server, or lose what the server says."""

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class Way(Enum):
    OPEN = "open"
    # No answer, and nothing arrives.
    CUT = "cut"
    # A proxy answers for a server that is not there.
    UNAVAILABLE = "unavailable"
    # The server carries out what it is asked, and nobody hears of it, as if it had been killed after the commit.
    DEAF = "deaf"


@dataclass
class Cable:
    way: Way = Way.OPEN
    port: int = 0
    # What was written on the way, by method and path.
    written: list[str] = field(default_factory=list)


class _Handler(BaseHTTPRequestHandler):
    cable: Cable
    server_port: int
    protocol_version = "HTTP/1.1"

    def _pass_on(self) -> None:
        way, body = self.cable.way, self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.endswith("/events"):  # a stream, without which the app works as well
            return self._answer(503, [], b"")
        if way is Way.CUT:
            return self._hang_up()
        if way is Way.UNAVAILABLE:
            return self._answer(503, [], b"")
        asking = http.client.HTTPConnection("127.0.0.1", self.server_port, timeout=120)
        asking.request(self.command, self.path, body, dict(self.headers.items()))
        answer = asking.getresponse()
        content = answer.read()
        asking.close()
        if self.command != "GET":
            self.cable.written.append(f"{self.command} {self.path}")
            if way is Way.DEAF:
                return self._hang_up()
        return self._answer(answer.status, answer.getheaders(), content)

    do_GET = do_POST = do_PUT = do_DELETE = _pass_on  # noqa: N815 -- the names of the library

    def _hang_up(self) -> None:
        self.close_connection = True

    def _answer(self, status: int, headers: list[tuple[str, str]], content: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """The test says what it wants to know."""


class _Proxy(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """A browser that is killed says no goodbye."""


@contextmanager
def laid_to(server_port: int) -> Iterator[Cable]:
    cable = Cable()
    handler = type("Handler", (_Handler,), {"cable": cable, "server_port": server_port})
    with _Proxy(("127.0.0.1", 0), handler) as proxy:
        cable.port = proxy.server_address[1]
        thread = Thread(target=proxy.serve_forever, daemon=True)
        thread.start()
        try:
            yield cable
        finally:
            proxy.shutdown()
            thread.join()
