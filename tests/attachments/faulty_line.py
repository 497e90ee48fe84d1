"""A line to a real S3 server on which things go wrong when a test says so."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

_ANSWER = "HTTP/1.1 {status} Whatever\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"


class FaultyLine:
    """A port that leads to the server: `fault` is None, `away`, `silent`, or the status and code of an S3 error.

    A third word limits the error to one HTTP method.
    """

    def __init__(self, address: str) -> None:
        self._server = (urlsplit(address).hostname, urlsplit(address).port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self._fault: str | None = None
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    @contextmanager
    def failing(self, fault: str) -> Iterator[None]:
        self._fault = fault
        self.cut()
        try:
            yield
        finally:
            self._fault = None
            self.cut()

    def cut(self) -> None:
        """Connections that were open before are of no use any more."""
        ends, self._open = self._open, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close(self) -> None:
        self._listening.close()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                threading.Thread(target=self._serve, args=(near, self._fault), daemon=True).start()

    def _serve(self, near: socket.socket, fault: str | None) -> None:
        if fault == "away":
            near.close()
        elif fault == "silent":
            self._open.append(near)
        elif fault and near.recv(6, socket.MSG_PEEK).startswith(" ".join(fault.split()[2:]).encode()):
            _refuse(near, *fault.split()[:2])
        else:
            far = socket.create_connection(self._server)
            self._open += [near, far]
            threading.Thread(target=_pump, args=(far, near), daemon=True).start()
            _pump(near, far)


def _refuse(near: socket.socket, status: str, code: str) -> None:
    """Only after all of the request: it would be broken off otherwise."""
    head = b""
    with suppress(OSError), near:
        while b"\r\n\r\n" not in head:
            head += near.recv(65_536)
        head, _, body = head.partition(b"\r\n\r\n")
        names = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        missing = int(names.get(b"content-length", b"0")) - len(body)
        while missing > 0:
            missing -= len(near.recv(65_536))
        told = f"<Error><Code>{code}</Code></Error>"
        near.sendall((_ANSWER.format(status=status, length=len(told)) + told).encode())


def _pump(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while sent := one.recv(65_536):
            other.sendall(sent)
    with suppress(OSError):
        other.shutdown(socket.SHUT_RDWR)
