"""Sends messages between a reader and its child, over a socket that carries open files as well."""

import socket
import struct
from typing import Any

from msgspec import Struct

# The length of the pickled task, and the number of its files, which follow as handles.
HEAD = struct.Struct("!QI")
# What kind of answer follows, and how long it is.
ANSWER = struct.Struct("!cQ")
PART, END, FAILURE = b"p", b"e", b"x"
# Systems carry some 250 handles in one message.
FILES_AT_ONCE = 100


class ReadingTask(Struct, frozen=True):
    """`function` as `package.module:name`; it takes the argument and the open files, and yields its results."""

    function: str
    argument: Any
    cpu_s: int


def send(line: socket.socket, kind: bytes, body: bytes) -> None:
    line.sendall(ANSWER.pack(kind, len(body)) + body)


def receive_exactly(line: socket.socket, size: int) -> bytes:
    """Raises EOFError if the other end is gone before."""
    received = bytearray()
    while len(received) < size:
        piece = line.recv(size - len(received))
        if not piece:
            raise EOFError
        received += piece
    return bytes(received)
