"""Sends messages between a reader and its child process, over a socket that can also pass open files."""

import socket
import struct
from typing import Any

from msgspec import Struct

# The length of the pickled task, and the number of its files. Their handles follow.
HEAD = struct.Struct("!QI")
# What kind of answer follows, and how long it is.
ANSWER = struct.Struct("!cQ")
PART, END, FAILURE = b"p", b"e", b"x"
# Operating systems allow about 250 handles in one message.
FILES_AT_ONCE = 100


class ReadingTask(Struct, frozen=True):
    """Describes a task. `function` is written as `package.module:name`.

    The function is called with the argument and the open files, and yields its results.
    """

    function: str
    argument: Any
    cpu_s: int


def send(line: socket.socket, kind: bytes, body: bytes) -> None:
    line.sendall(ANSWER.pack(kind, len(body)) + body)


def receive_exactly(line: socket.socket, size: int) -> bytes:
    """Receives exactly `size` bytes. Raises EOFError if the connection ends earlier."""
    received = bytearray()
    while len(received) < size:
        piece = line.recv(size - len(received))
        if not piece:
            raise EOFError
        received += piece
    return bytes(received)
