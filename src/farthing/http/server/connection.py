"""Serves one connection of a client, and limits what is read before a request is known.

The parser has no limit for headers, and an endless header would take quadratic time. The parser therefore receives the
head of a request only up to our own limit. A connection also reads nothing after the request that it is answering, so
that nobody can fill the memory with waiting requests.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httptools

from farthing.kernel.errors import FarthingError, HeadTooLarge, Malformed, Overloaded, UnknownTransfer, UnknownVersion

from ..answer import problems
from ..answer.headers import ALWAYS, DEFAULTS, choose_request_id
from ..answer.reply import GET_METHODS, make_reply
from ..events.endpoint import CONNECTION
from ..request.proxies import Proxies
from ..service.health import PROBES
from .open_connections import ConnectionLimits, OpenConnections
from .uvicorn_internals import Config, ServerState, UvicornConnection, status_line

_LOG = logging.getLogger("farthing.request")
_VERSIONS = ("1.1", "1.0")
_HEAD_END = b"\r\n\r\n"
# How much of a body the parser receives at once. If the body ends within this piece, the parser also reads what
# follows.
_PIECE_BYTES = 16 * 1024
# How much a client may still send after we have answered. If we hung up at once, it might never read the answer.
_DISCARDED_BYTES_MAX = 2**27


_NO_PROXIES = Proxies(())


class ConnectionFactory:
    """Makes the connections of a server process. Each worker gets its own copy before it accepts its first
    connection.
    """

    def __init__(self, limits: ConnectionLimits, proxies: Proxies = _NO_PROXIES) -> None:
        self._limits = limits
        self._proxies = proxies
        self._open: OpenConnections | None = None

    def __call__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> "ClientConnection":
        if self._open is None:
            self._open = OpenConnections(self._limits, _loop or asyncio.get_running_loop())
        return ClientConnection(config, server_state, app_state, self._limits, self._open, self._proxies)


class ClientConnection(UvicornConnection):
    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        limits: ConnectionLimits,
        open_connections: OpenConnections,
        proxies: Proxies,
    ) -> None:
        super().__init__(config, server_state, app_state)
        self._limits = limits
        self._open = open_connections
        self._proxies = proxies
        self._in_body = False
        # How many bytes the parser has received since the last byte of a body, or since the head of a request began.
        self._head_bytes = 0
        self._has_moved = False
        self._unparsed = b""
        self._refusal: FarthingError | None = None
        self._has_hung_up = False
        self._discarded_bytes = 0
        # How much had been discarded at the last check of `is_sending_on`.
        self._discarded_before = 0
        self._listening_ends: Callable[[bool], None] | None = None

    # Callbacks of asyncio

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._open.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._open.leave(self)
        self._end_listening(stopping=False)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refusal is None and not self._has_hung_up:
            self._read(data)
        else:
            self._discard(data)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._open.watch_unread(self)

    # Reading

    def _read(self, data: bytes) -> None:
        begin, size = 0, len(data)
        while begin < size and self._refusal is None:
            if not self._in_body and self.is_answering:
                self._unparsed = data[begin:]
                self.hold_reading()
                return
            end = self._choose_end(data, begin)
            self._feed(data if end - begin == size else data[begin:end])
            begin = end

    def _choose_end(self, data: bytes, begin: int) -> int:
        """Chooses how far the parser may read: at most to the end of one head."""
        if self._in_body:
            return min(begin + _PIECE_BYTES, len(data))
        limit = begin + self._limits.head_bytes_max - self._head_bytes
        end = data.find(_HEAD_END, begin, limit)
        return min(limit, len(data)) if end < 0 else end + len(_HEAD_END)

    def _feed(self, data: bytes) -> None:
        self._has_moved = False
        try:
            self.parse(data)
        except httptools.HttpParserUpgrade:
            # The client wants to upgrade to another protocol. We answer in HTTP, but the parser reads nothing more.
            self.close_after_answer()
        except httptools.HttpParserError:
            self._refuse(self._refusal or Malformed("This is not a valid HTTP request."))
            return
        if self._in_body:
            self._open.expect_body(self)
        if self._has_moved:
            self._head_bytes = 0
            return
        self._head_bytes += len(data)
        if self._head_bytes >= self._limits.head_bytes_max:
            self._refuse(HeadTooLarge(f"The headers may not be larger than {self._limits.head_bytes_max} bytes."))
        elif not self._in_body:
            self._open.expect_head(self)

    def _read_on(self) -> None:
        if self.is_closing:
            return
        data, self._unparsed = self._unparsed, b""
        self.release_reading()
        self._read(data)
        self.resume_reading()

    # Callbacks of the parser

    def on_headers_complete(self) -> None:
        self._has_moved = True
        if len(self.head) > self._limits.head_fields_max:
            self._stop(HeadTooLarge(f"There may not be more than {self._limits.head_fields_max} headers."))
        self._refuse_other_protocols()
        if not self._open.begin(self) and not self._is_probe() and not self._open.make_way():
            self._stop(self._overload_error())
        if not self.target.startswith(b"/"):
            self._use_host_of_target()
        super().on_headers_complete()
        self.extend_scope(CONNECTION, self)
        self._in_body = True
        if self._open.is_closing:
            self.close_after_answer()

    def on_body(self, body: bytes) -> None:
        self._has_moved = True
        if self.has_answered:
            self._discard(body)
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_body = False
        self._discarded_bytes = self._discarded_before = 0
        self._open.end_body(self)
        super().on_message_complete()

    def _refuse_other_protocols(self) -> None:
        version = self.http_version
        if version not in _VERSIONS:
            self._stop(UnknownVersion(f"This server speaks HTTP/1.1, not HTTP/{version}."))
        for name, value in self.head:
            if name == b"transfer-encoding" and value.strip().lower() != b"chunked":
                self._stop(UnknownTransfer("The only supported Transfer-Encoding is chunked."))

    def _stop(self, error: FarthingError) -> None:
        """Stops the parser by raising the error in one of its callbacks."""
        self._refusal = error
        raise error

    def _is_probe(self) -> bool:
        return self.method in GET_METHODS and self.target.partition(b"?")[0].endswith(PROBES)

    def _use_host_of_target(self) -> None:
        """Answers `GET http://host/path` for that host, whatever the Host header says (RFC 9112, 3.2.2)."""
        host = self.target_host
        if host is None:
            return
        headers = [(name, host if name == b"host" else value) for name, value in self.head]
        if all(name != b"host" for name, _ in headers) and self.http_version == "1.0":
            headers.append((b"host", host))
        self.replace_head(headers)

    # Answering

    def listen(self, end: Callable[[bool], None]) -> bool:
        """Keeps the connection open for events, in addition to those that wait for answers.

        Returns False if too many are listening. Calls `end` when the client hangs up, or with True when the server
        stops.
        """
        if self.is_closing or self._open.is_closing or not self._open.listen(self):
            return False
        self._listening_ends = end
        self.close_after_answer()
        return True

    def _end_listening(self, *, stopping: bool) -> None:
        if self._listening_ends:
            self._listening_ends(stopping)

    def shutdown(self) -> None:
        self._end_listening(stopping=True)
        super().shutdown()

    def on_answer_sent(self) -> None:
        if self._has_hung_up:
            self.resume_reading()
        elif self.is_closing:
            self._open.watch_unread(self)
        elif not self.start_next():
            self._open.end(self)
            if self._unparsed:
                self.call_soon(self._read_on)
            else:
                self.resume_reading()

    def hang_up(self) -> None:
        """Closes the connection. A client may go on sending for a moment, but what it sends is ignored."""
        if not self._in_body:
            self.close()
        elif not self._has_hung_up:
            self._has_hung_up = True
            self._linger()

    def give_way(self) -> None:
        """Refuses this request in favour of another client, which has sent a complete request."""
        self._open.refuse(self)
        self._refuse(self._overload_error())

    def is_sending_on(self) -> bool:
        """Returns whether the client is still sending, that is, whether much was discarded since the last call."""
        before, self._discarded_before = self._discarded_before, self._discarded_bytes
        return self._discarded_bytes - before >= _PIECE_BYTES

    def _overload_error(self) -> Overloaded:
        return Overloaded(f"{self._limits.connections_max} connections are open.")

    def _refuse(self, error: FarthingError) -> None:
        """Answers with the error and hangs up. If another answer is still being sent, hangs up after that answer."""
        self._refusal = error
        if self._in_body and not self.has_begun_answer:
            self.abandon_body()
        elif self._in_body or self.is_answering:
            self.close_after_answer()
            if self.has_answered:
                self.close()
            return
        self.write(self._encode_refusal(error))
        self._linger()

    def _linger(self) -> None:
        with suppress(OSError):  # the client has hung up already
            self.write_eof()
        self._open.refuse(self)

    def _encode_refusal(self, error: FarthingError) -> bytes:
        reply = make_reply(problems.answer_to(error))
        received = dict(self.answered_head if self._in_body else self.head)
        request_id = choose_request_id(received)
        peer = self._proxies.identify({"client": (self.address,), "headers": ()}, received)
        extra = {"request_id": request_id, "status": reply.status, "address": peer.client}
        _LOG.info("refused %d: %s", reply.status, error, extra=extra)
        headers = [*self.default_headers, *reply.headers, *ALWAYS, *DEFAULTS]
        headers += [(b"x-request-id", request_id.encode()), (b"connection", b"close")]
        lines = [b"%b: %b\r\n" % header for header in headers]
        return b"".join([status_line(reply.status), *lines, b"\r\n", reply.body])

    def _discard(self, data: bytes) -> None:
        self._discarded_bytes += len(data)
        if self._discarded_bytes > _DISCARDED_BYTES_MAX:
            self.abort()
