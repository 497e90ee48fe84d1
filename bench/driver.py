"""Loads a server through a few keep-alive connections on loopback; each sends its next request once answered."""

import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

CONNECTIONS = 8
_LENGTH = b"\r\ncontent-length: "
_ANSWER_BYTES_MAX = 1 << 20


@dataclass(frozen=True)
class Endpoint:
    host: str
    port: int
    token: str

    def request(self, method: str, path: str, body: bytes = b"", *, length: int = 0) -> bytes:
        """`length` announces that many bytes, which are sent afterwards."""
        head = f"{method} {path} HTTP/1.1\r\nhost: {self.host}:{self.port}\r\nauthorization: Bearer {self.token}\r\n"
        if body or length:
            type_ = "application/json" if body else "application/octet-stream"
            head += f"content-type: {type_}\r\ncontent-length: {len(body) or length}\r\n"
        return head.encode() + b"accept: application/json\r\n\r\n" + body

    def connect(self) -> socket.socket:
        connection = socket.create_connection((self.host, self.port), timeout=30)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection


@dataclass
class Load:
    """The result of a burst of requests."""

    seconds: float
    latencies_ns: list[int]


class Unexpected(Exception):
    """An unsuccessful answer, whose figures would mean nothing."""


def is_answering(endpoint: Endpoint) -> bool:
    """Whether the server answers at all; used while it starts."""
    try:
        ask(endpoint, endpoint.request("GET", "/api/v1/preferences"))
    except OSError:
        return False
    return True


def ask(endpoint: Endpoint, request: bytes) -> bytes:
    """One request on its own connection; returns the whole answer with its head."""
    with endpoint.connect() as connection:
        connection.sendall(request)
        received = b""
        while not _is_whole(received):
            piece = connection.recv(_ANSWER_BYTES_MAX)
            if not piece:
                raise ConnectionError("the server hung up")
            received += piece
        return received


def head_of(received: bytes) -> bytes:
    return received.partition(b"\r\n\r\n")[0]


def body_of(received: bytes) -> bytes:
    return received.partition(b"\r\n\r\n")[2]


def _is_whole(received: bytes) -> bool:
    end = received.find(b"\r\n\r\n")
    return end >= 0 and len(received) >= end + 4 + _body_bytes(received)


def _body_bytes(received: bytes) -> int:
    begin = received.find(_LENGTH) + len(_LENGTH)
    return int(received[begin : received.index(b"\r\n", begin)])


class Lane:
    """One connection, and its request in progress."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.connection = endpoint.connect()
        self._began = 0
        self._received = b""
        self._missing = -1

    def send(self, request: bytes) -> None:
        self._received, self._missing = b"", -1
        self._began = time.perf_counter_ns()
        self.connection.sendall(request)

    def receive(self) -> int:
        """The latency in nanoseconds once the answer is complete; zero before."""
        piece = self.connection.recv(_ANSWER_BYTES_MAX)
        if not piece:
            raise Unexpected("the server hung up")
        if self._missing < 0:
            self._begin(self._received + piece)
        else:
            self._missing -= len(piece)
        return time.perf_counter_ns() - self._began if self._missing == 0 else 0

    def _begin(self, received: bytes) -> None:
        end = received.find(b"\r\n\r\n")
        if end < 0:
            self._received = received
        elif not received.startswith(b"HTTP/1.1 200"):
            raise Unexpected(received.decode(errors="replace")[:2000])
        else:
            self._missing = end + 4 + _body_bytes(received) - len(received)


def burst(endpoint: Endpoint, requests: Iterator[bytes], seconds: float) -> Load:
    """Ends when all answers have arrived, so that nothing is charged to the next burst."""
    with ExitStack() as stack:
        lanes = [Lane(endpoint) for _ in range(CONNECTIONS)]
        for lane in lanes:
            stack.callback(lane.connection.close)
        began = time.perf_counter_ns()
        latencies = _drive({lane.connection.fileno(): lane for lane in lanes}, requests, began + int(seconds * 1e9))
        return Load((time.perf_counter_ns() - began) / 1e9, latencies)


def _drive(lanes: dict[int, Lane], requests: Iterator[bytes], until: int) -> list[int]:
    latencies: list[int] = []
    under_way = len(lanes)
    with select.epoll() as poll:
        for number, lane in lanes.items():
            poll.register(number, select.EPOLLIN)
            lane.send(next(requests))
        while under_way:
            for number, _ in poll.poll():
                if latency := lanes[number].receive():
                    latencies.append(latency)
                    if time.perf_counter_ns() < until:
                        lanes[number].send(next(requests))
                    else:
                        under_way -= 1
                        poll.unregister(number)  # the server may close this one while the others go on
    return latencies
