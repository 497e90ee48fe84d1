"""One connection of a client: uvicorn's, with limits on what is read before a request is known.

The parser appends what it reads of a header to what it has, without a limit, so an endless header would take time that
grows with its square. So it gets a head only up to its limit. A connection also reads no further than the request that
it is answering, so that nobody can fill the memory with requests that wait.
"""

import asyncio
import logging
from contextlib import suppress
from typing import Any

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import ServerState

from farthing.kernel.errors import FarthingError, HeadTooLarge, Malformed, Overloaded, UnknownTransfer, UnknownVersion

from ..answer import problems
from ..answer.headers import ALWAYS, UNLESS_SAID
from ..answer.reply import make_reply
from ..request.proxies import Proxies
from .health import METHODS, PROBES
from .limits import Limits
from .lobby import Lobby
from .request_id import choose_request_id

_LOG = logging.getLogger("farthing.request")
_VERSIONS = ("1.1", "1.0")
_HEAD_END = b"\r\n\r\n"
# How much of a body the parser gets at once. Whatever follows the body in it is parsed as well.
_PIECE_BYTES = 16 * 1024
# What a client may still send after it was answered: if we hung up at once, it might never read the answer.
_DISCARDED_BYTES_MAX = 2**27


_NO_PROXIES = Proxies(())


class Doorway:
    """Makes the connections of a server process. Each worker gets a copy, before the first connection."""

    def __init__(self, limits: Limits, proxies: Proxies = _NO_PROXIES) -> None:
        self._limits = limits
        self._proxies = proxies
        self._lobby: Lobby | None = None

    def __call__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> "Connection":
        if self._lobby is None:
            self._lobby = Lobby(self._limits, _loop or asyncio.get_running_loop())
        return Connection(config, server_state, app_state, self._limits, self._lobby, self._proxies)


class _Flow(FlowControl):
    """Reads nothing more while a request waits for the answer to the one before it."""

    is_held = False

    def resume_reading(self) -> None:
        if not self.is_held:
            super().resume_reading()


class _Line:
    """What an answer is written to while the body is still arriving: it is not closed before the client can read it."""

    __slots__ = ("close", "is_closing", "write")

    def __init__(self, connection: "Connection") -> None:
        self.write = connection.transport.write
        self.is_closing = connection.transport.is_closing
        self.close = connection.hang_up


class Connection(HttpToolsProtocol):
    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        limits: Limits,
        lobby: Lobby,
        proxies: Proxies,
    ) -> None:
        super().__init__(config, server_state, app_state)
        self._limits = limits
        self._lobby = lobby
        self._proxies = proxies
        self._in_body = False
        # Since the last byte of a body, or since a head began.
        self._head_bytes = 0
        self._has_moved = False
        self._held = b""
        self._refusal: FarthingError | None = None
        self._has_hung_up = False
        self._discarded_bytes = 0
        # As many had been discarded when the lobby asked last.
        self._discarded_before = 0

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    @property
    def unread_bytes(self) -> int:
        """What we have written and the client has not taken."""
        return self.transport.get_write_buffer_size()

    # What asyncio calls

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = self._flow = _Flow(transport)
        self._line = _Line(self)
        self._lobby.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._lobby.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refusal is None and not self._has_hung_up:
            self._read(data)
        else:
            self._discard(data)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._lobby.watch_unread(self)

    # Reading

    def _read(self, data: bytes) -> None:
        begin, size = 0, len(data)
        while begin < size and self._refusal is None:
            if not self._in_body and self._is_answering:
                self._hold(data[begin:])
                return
            end = self._choose_end(data, begin)
            self._feed(data if end - begin == size else data[begin:end])
            begin = end

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _choose_end(self, data: bytes, begin: int) -> int:
        """How far the parser may go: not beyond one head."""
        if self._in_body:
            return min(begin + _PIECE_BYTES, len(data))
        limit = begin + self._limits.head_bytes_max - self._head_bytes
        end = data.find(_HEAD_END, begin, limit)
        return min(limit, len(data)) if end < 0 else end + len(_HEAD_END)

    def _feed(self, data: bytes) -> None:
        self._has_moved = False
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # To a protocol that we do not speak: it is answered like any other, but the parser reads nothing after it.
            self.cycle.keep_alive = False
        except httptools.HttpParserError:
            self._refuse(self._refusal or Malformed("This is not a valid HTTP request."))
            return
        if self._in_body:
            self._lobby.expect_body(self)
        if self._has_moved:
            self._head_bytes = 0
            return
        self._head_bytes += len(data)
        if self._head_bytes >= self._limits.head_bytes_max:
            self._refuse(HeadTooLarge(f"The headers may not be larger than {self._limits.head_bytes_max} bytes."))
        elif not self._in_body:
            self._lobby.expect_head(self)

    def _hold(self, rest: bytes) -> None:
        self._held = rest
        self.flow.pause_reading()
        self._flow.is_held = True

    def _read_held(self) -> None:
        if self.transport.is_closing():
            return
        rest, self._held, self._flow.is_held = self._held, b"", False
        self._read(rest)
        self.flow.resume_reading()

    # What the parser calls

    def on_headers_complete(self) -> None:
        self._has_moved = True
        if len(self.headers) > self._limits.head_fields_max:
            self._stop(HeadTooLarge(f"There may not be more than {self._limits.head_fields_max} headers."))
        self._refuse_other_protocols()
        if not self._lobby.begin(self) and not self._is_probe() and not self._lobby.make_way():
            self._stop(self._overloaded())
        if not self.url.startswith(b"/"):
            self._take_host_of_target()
        super().on_headers_complete()
        self.headers = []  # for trailers: what comes after the body is no header of the request
        self._in_body = True
        if self._lobby.is_closing:
            self.cycle.keep_alive = False
        self.cycle.transport = self._line  # type: ignore[assignment]  # the cycle needs no more of a transport

    def on_body(self, body: bytes) -> None:
        self._has_moved = True
        if self.cycle.response_complete:
            self._discard(body)
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_body = False
        self._discarded_bytes = self._discarded_before = 0
        self._lobby.end_body(self)
        super().on_message_complete()

    def _refuse_other_protocols(self) -> None:
        version = self.parser.get_http_version()
        if version not in _VERSIONS:
            self._stop(UnknownVersion(f"This server speaks HTTP/1.1, not HTTP/{version}."))
        for name, value in self.headers:
            if name == b"transfer-encoding" and value.strip().lower() != b"chunked":
                self._stop(UnknownTransfer("The only Transfer-Encoding here is chunked: send the body uncompressed."))

    def _stop(self, error: FarthingError) -> None:
        """The parser stops at an exception."""
        self._refusal = error
        raise error

    def _is_probe(self) -> bool:
        path = self.url.partition(b"?")[0]
        return self.parser.get_method().decode() in METHODS and path.endswith(PROBES)

    def _take_host_of_target(self) -> None:
        """`GET http://host/path` asks that host, whatever the header says (RFC 9112, 3.2.2)."""
        target = httptools.parse_url(self.url)
        if not target.host:
            return
        host = b"[%b]" % target.host if b":" in target.host else target.host
        asked = (b"host", host if target.port is None else b"%b:%d" % (host, target.port))
        if all(name != b"host" for name, _ in self.headers) and self.parser.get_http_version() == "1.0":
            self.headers.append(asked)
        self.headers[:] = [asked if one[0] == b"host" else one for one in self.headers]

    # Answering

    def on_response_complete(self) -> None:
        """Replaces uvicorn's, which reads on before the requests that it has read are answered."""
        self.server_state.total_requests += 1
        if self._has_hung_up:
            self.flow.resume_reading()
        elif self.transport.is_closing():
            self._lobby.watch_unread(self)
        elif self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
        else:
            self._lobby.end(self)
            if self._held:
                self.loop.call_soon(self._read_held)
            else:
                self.flow.resume_reading()

    def hang_up(self) -> None:
        """After an answer. Whoever is still sending may go on for a moment, unread."""
        if not self._in_body:
            self.transport.close()
        elif not self._has_hung_up:
            self._has_hung_up = True
            self._linger()

    def give_way(self) -> None:
        """To somebody who has sent a whole request."""
        self._lobby.refuse(self)
        self._refuse(self._overloaded())

    def is_sending_on(self) -> bool:
        """Whether much of what is discarded has come since this was asked last."""
        before, self._discarded_before = self._discarded_before, self._discarded_bytes
        return self._discarded_bytes - before >= _PIECE_BYTES

    def _overloaded(self) -> Overloaded:
        return Overloaded(f"{self._limits.connections_max} connections are open.")

    def _refuse(self, error: FarthingError) -> None:
        """Answers once the requests before have been answered; if that is not possible, hangs up."""
        self._refusal = error
        cycle = self.cycle
        if self._in_body and not cycle.response_started:
            cycle.disconnected = True
            cycle.message_event.set()
        elif self._in_body or self._is_answering:
            cycle.keep_alive = False
            if cycle.response_complete:
                self.transport.close()
            return
        self.transport.write(self._write_refusal(error))
        self._linger()

    def _linger(self) -> None:
        with suppress(OSError):  # the client has hung up already
            self.transport.write_eof()
        self._lobby.refuse(self)

    def _write_refusal(self, error: FarthingError) -> bytes:
        reply = make_reply(problems.answer_to(error))
        received = dict(self.cycle.scope["headers"] if self._in_body else self.headers or ())
        request_id = choose_request_id(received)
        address = self._proxies.client({"client": self.client}, received)
        facts = {"request_id": request_id, "status": reply.status, "address": address}
        _LOG.info("refused %d: %s", reply.status, error, extra=facts)
        headers = [*self.server_state.default_headers, *reply.headers, *ALWAYS, *UNLESS_SAID]
        headers += [(b"x-request-id", request_id.encode()), (b"connection", b"close")]
        lines = [b"%b: %b\r\n" % header for header in headers]
        return b"".join([STATUS_LINE[reply.status], *lines, b"\r\n", reply.body])

    def _discard(self, data: bytes) -> None:
        self._discarded_bytes += len(data)
        if self._discarded_bytes > _DISCARDED_BYTES_MAX:
            self.transport.abort()
