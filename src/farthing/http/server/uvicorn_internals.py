"""Wraps the undocumented parts of uvicorn that we use, so that no other module depends on them.

`tests/http/test_uvicorn_internals.py` has one test for each name used here. Run it before you raise the upper bound of
uvicorn in `pyproject.toml`.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import httptools
from uvicorn.config import STARTUP_FAILURE, Config
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import Server, ServerState
from uvicorn.supervisors import Multiprocess

from .signals import block_signals

__all__ = ["STARTUP_FAILURE", "Config", "LoneServer", "ServerState", "UvicornConnection", "Workers", "status_line"]


def status_line(status: int) -> bytes:
    return STATUS_LINE[status]


class _Flow(FlowControl):
    """Does not resume reading while `is_held` is true."""

    is_held = False

    def resume_reading(self) -> None:
        if not self.is_held:
            super().resume_reading()


class _AnswerWriter:
    """Replaces the transport while an answer is written, so that our own `hang_up` closes the connection."""

    __slots__ = ("close", "is_closing", "write")

    def __init__(self, connection: "UvicornConnection") -> None:
        self.write = connection.transport.write
        self.is_closing = connection.transport.is_closing
        self.close = connection.hang_up


class UvicornConnection(HttpToolsProtocol):
    """Gives names to the parts of uvicorn's connection that a subclass needs.

    A subclass implements `hang_up` and `on_answer_sent`, and may extend the callbacks of asyncio and of the parser.
    """

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> None:
        super().__init__(config, server_state, app_state)
        self._flow: _Flow
        self._writer: _AnswerWriter

    def hang_up(self) -> None:
        """Closes the connection after an answer."""
        raise NotImplementedError

    def on_answer_sent(self) -> None:
        """Runs after an answer has been written."""
        raise NotImplementedError

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = self._flow = _Flow(transport)
        self._writer = _AnswerWriter(self)

    # The connection

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    @property
    def unread_bytes(self) -> int:
        """Counts the bytes that we have written, but the client has not received yet."""
        return self.transport.get_write_buffer_size()

    @property
    def is_closing(self) -> bool:
        return self.transport.is_closing()

    def write(self, data: bytes) -> None:
        self.transport.write(data)

    def write_eof(self) -> None:
        self.transport.write_eof()

    def close(self) -> None:
        self.transport.close()

    def abort(self) -> None:
        self.transport.abort()

    def call_soon(self, callback: Any) -> None:
        self.loop.call_soon(callback)

    def hold_reading(self) -> None:
        self.flow.pause_reading()
        self._flow.is_held = True

    def release_reading(self) -> None:
        """Ends a hold. Call `resume_reading` to continue reading."""
        self._flow.is_held = False

    def resume_reading(self) -> None:
        self.flow.resume_reading()

    # The request that is being read

    def parse(self, data: bytes) -> None:
        """Passes data to the parser. An error in a callback becomes the context of the error that httptools raises."""
        self.parser.feed_data(data)

    @property
    def http_version(self) -> str:
        return self.parser.get_http_version()

    @property
    def method(self) -> str:
        return self.parser.get_method().decode()

    @property
    def target(self) -> bytes:
        return self.url

    @property
    def target_host(self) -> bytes | None:
        """Reads the host and port from the target of a request to a proxy: `GET http://host/path`."""
        target = httptools.parse_url(self.url)
        if not target.host:
            return None
        host = b"[%b]" % target.host if b":" in target.host else target.host
        return host if target.port is None else b"%b:%d" % (host, target.port)

    @property
    def head(self) -> list[tuple[bytes, bytes]]:
        """Returns the headers that have been read so far."""
        return self.headers or []

    def replace_head(self, headers: list[tuple[bytes, bytes]]) -> None:
        """Replaces the headers. Changes the list in place, because the scope of the request refers to the same list."""
        self.headers[:] = headers

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self.headers = []  # trailers, which follow the body, are not headers of the request
        self.cycle.transport = self._writer  # type: ignore[assignment]  # the cycle uses nothing else of a transport

    def extend_scope(self, name: str, value: object) -> None:
        """Adds something to the scope of the request whose headers are complete. Its app runs later."""
        extensions: Any = self.scope.setdefault("extensions", {})
        extensions[name] = value

    # The request that is being answered

    @property
    def is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def has_answered(self) -> bool:
        return self.cycle.response_complete

    @property
    def has_begun_answer(self) -> bool:
        return self.cycle.response_started

    @property
    def answered_head(self) -> list[tuple[bytes, bytes]]:
        """Returns the headers of the request that is being answered."""
        return list(self.cycle.scope["headers"])

    def close_after_answer(self) -> None:
        self.cycle.keep_alive = False

    def abandon_body(self) -> None:
        """Makes the app believe that the client has hung up, so that it no longer waits for the body."""
        self.cycle.disconnected = True
        self.cycle.message_event.set()

    def on_response_complete(self) -> None:
        """Replaces the method of uvicorn, which would continue reading before answering the requests already read."""
        self.server_state.total_requests += 1
        self.on_answer_sent()

    def start_next(self) -> bool:
        """Starts to answer a request that was read ahead, if there is one."""
        if not self.pipeline:
            return False
        self._start_asgi_task(*self.pipeline.pop())
        return True

    @property
    def default_headers(self) -> list[tuple[bytes, bytes]]:
        return self.server_state.default_headers


class LoneServer(Server):
    """Runs the server in this process, and calls `on_stop` as soon as it begins to stop."""

    def __init__(self, config: Config, on_stop: Callable[[], object]) -> None:
        super().__init__(config)
        self._on_stop = on_stop

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._on_stop()
        await super().shutdown(sockets)


class Workers(Multiprocess):
    """Runs several server processes, and stops them cleanly even while they start.

    Ctrl-C and systemd send the signal to all processes at once. A worker that ended in the middle of its imports would
    leave a traceback, and uvicorn would wait for it forever. So no signal reaches a worker before it can handle one.
    """

    def __init__(self, config: Config, sockets: list[socket.socket], on_stop: Callable[[], object]) -> None:
        super().__init__(config, sockets)
        self._on_stop = on_stop

    def terminate_all(self) -> None:
        self._on_stop()
        super().terminate_all()

    def init_processes(self) -> None:
        with block_signals():
            super().init_processes()

    def keep_subprocess_alive(self) -> None:
        """Replaces workers that have ended, unless they ended because the whole server is stopping."""
        if all(process.is_alive(self.config.timeout_worker_healthcheck) for process in self.processes):
            return
        self.handle_signals()
        with block_signals():
            super().keep_subprocess_alive()
