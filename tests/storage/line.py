"""A line to PostgreSQL that can be cut, and that counts how often somebody waits for an answer."""

import socket
import struct
import threading
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

_RESET = struct.pack("ii", 1, 0)  # closed at once, and what was not sent yet is not sent


class Line:
    """A port whose connections lead to the socket of a PostgreSQL server, until they are cut."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        query = parse_qs(parts.query)
        self._path = f"{query['host'][0]}/.s.PGSQL.{query.get('port', ['5432'])[0]}"
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self.url = f"postgresql://{parts.username}@127.0.0.1:{self._listening.getsockname()[1]}{parts.path}"
        # How often an answer was followed by something else to answer, or came first.
        self.round_trips = 0
        self._is_refusing = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                if self._is_refusing:
                    near.close()
                    continue
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._path)
                self._ends += [near, far]
                _Exchange(self, near, far).begin()

    def cut(self) -> None:
        """With a reset; whoever of us reads stops reading first, or the connection would stay."""
        ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                end.shutdown(socket.SHUT_RD)
            end.close()

    def refuse(self) -> None:
        """Cuts all connections, and closes each new one at once."""
        self._is_refusing = True
        self.cut()

    def lead_to(self, port: int) -> None:
        """From now on to another server in the same folder."""
        self._path = f"{self._path.rpartition('.')[0]}.{port}"
        self.cut()

    def accept(self) -> None:
        self._is_refusing = False

    def end(self) -> None:
        self._listening.close()
        self.cut()


class _Exchange:
    """One connection, and who speaks."""

    def __init__(self, line: Line, near: socket.socket, far: socket.socket) -> None:
        self._line, self._near, self._far = line, near, far
        self._is_asked = False

    def begin(self) -> None:
        threading.Thread(target=self._pump, args=(self._near, self._far, True), daemon=True).start()
        threading.Thread(target=self._pump, args=(self._far, self._near, False), daemon=True).start()

    def _pump(self, one: socket.socket, other: socket.socket, is_asking: bool) -> None:
        with suppress(OSError):
            while sent := one.recv(65_536):
                if self._is_asked and not is_asking:
                    self._line.round_trips += 1
                self._is_asked = is_asking
                other.sendall(sent)
        with suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)
