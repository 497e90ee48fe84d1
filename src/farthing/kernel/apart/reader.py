"""Lets a separate process read files, and returns the results."""

import io
import os
import pickle
import select
import shutil
import signal
import socket
import subprocess  # nosec
import sys
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from tempfile import mkdtemp
from typing import Any, BinaryIO

from msgspec import Struct

from . import frames

_CHILD = "farthing.kernel.apart.child"
# An idle child is reused for up to this long. The child itself ends after a minute without a task.
_IDLE_S = 50.0
_ANSWER_BYTES_MAX = 256 * 2**20
_RECEIVED_AT_ONCE = 256 * 1024
# With this value, requests get ten times the processor time of a reader. With 19, the lowest priority, a reader would
# get almost none on a busy machine.
_NICENESS = 10


class Exhausted(Exception):
    """The task took more time or memory than allowed, or its process was ended from outside."""


class ReadingLimits(Struct, frozen=True, kw_only=True):
    """Limits one task. `cpu_s` is its processor time.

    `silent_s` is the time that the process may stay silent in addition to `cpu_s`, before it is ended.
    """

    cpu_s: int
    memory_bytes: int
    silent_s: float


class Reader:
    """Does one task at a time, in a separate process. If a task succeeds, its process is kept for the next one.

    Another thread may call `end` if nobody waits for the result any more.
    """

    def __init__(self, limits: ReadingLimits) -> None:
        self._limits = limits
        self._child: _Child | None = None
        self._lock = threading.Lock()
        self._buffer = bytearray()
        self._idle_since = time.monotonic()
        self._silent_since: float | None = None
        self._is_at_work = self._is_ended = False

    def results(self, function: str, argument: object, files: Sequence[BinaryIO]) -> Iterator[Any]:
        """Runs a task and yields its results. Raises the error that the task raises, or Exhausted."""
        self.begin(function, argument, files)
        while (some := self.take(self._limits.silent_s)) is not None:
            yield from some

    def begin(self, function: str, argument: object, files: Sequence[BinaryIO]) -> None:
        """Starts a task. The files may be closed as soon as this method returns."""
        self.stop()
        self._buffer.clear()
        self._silent_since = None
        self._is_at_work = True
        task = pickle.dumps(frames.ReadingTask(function, argument, self._limits.cpu_s), pickle.HIGHEST_PROTOCOL)
        try:
            self._awake().send(task, [file.fileno() for file in files])
        except OSError as error:
            self._discard()
            raise Exhausted from error

    def take(self, wait_s: float) -> list[Any] | None:
        """Returns the results that have arrived, or None at the end of the task. Raises the error that the task raises.

        Waits at most `wait_s` seconds for the first result. If none arrives in time, the list is empty.
        """
        until = time.monotonic() + wait_s
        while True:
            if answer := self._cut_answer():
                return self._understand(*answer)
            left = until - time.monotonic()
            if not self._receive(max(0.0, left)) and left <= 0:
                return []

    def end(self) -> None:
        """Ends the process at once. May be called from any thread. After that, the reader can no longer be used."""
        with self._lock:
            self._is_ended = True
            if self._child:
                self._child.kill()

    def stop(self) -> None:
        """Ends the current task, if there is one. After that, the reader can be used for another task."""
        if self._is_at_work:
            self._discard()

    def close(self) -> None:
        """Ends the process and removes its files. Call it when the reader is no longer needed."""
        self.end()
        self._discard()

    def _awake(self) -> "_Child":
        with self._lock:
            if self._is_ended:
                raise Exhausted
            is_old = time.monotonic() - self._idle_since > _IDLE_S
            if self._child and (is_old or not self._child.is_alive()):
                self._child.end()
                self._child = None
            if self._child is None:
                self._child = _Child(self._limits.memory_bytes)
            return self._child

    def _receive(self, wait_s: float) -> bool:
        """Waits for data, and returns whether any has arrived. Ends a process that is silent for too long."""
        child = self._child
        if child is None:
            raise Exhausted
        now = time.monotonic()
        self._silent_since = self._silent_since or now
        try:
            piece = child.receive(wait_s)
        except OSError as error:
            self._discard()
            raise Exhausted from error
        if piece:
            self._silent_since = None
            self._buffer += piece
            return True
        if piece == b"" or time.monotonic() - self._silent_since > self._limits.cpu_s + self._limits.silent_s:
            self._discard()
            raise Exhausted
        return False

    def _cut_answer(self) -> tuple[bytes, bytes] | None:
        if len(self._buffer) < frames.ANSWER.size:
            return None
        kind, size = frames.ANSWER.unpack_from(self._buffer)
        if size > _ANSWER_BYTES_MAX:
            self._discard()
            raise Exhausted
        end = frames.ANSWER.size + size
        if len(self._buffer) < end:
            return None
        body = bytes(self._buffer[frames.ANSWER.size : end])
        del self._buffer[:end]
        return kind, body

    def _understand(self, kind: bytes, body: bytes) -> list[Any] | None:
        if kind == frames.PART:
            return list(_unpickle_all(body))
        self._is_at_work = False
        self._idle_since = time.monotonic()
        if kind == frames.END:
            return None
        raise pickle.loads(body)  # noqa: S301 -- written by our own code, see _unpickle_all

    def _discard(self) -> None:
        with self._lock:
            child, self._child = self._child, None
            self._is_at_work = False
        if child:
            child.end()


class _Child:
    """Runs a child process. When this object is deleted, the process is ended and its temporary files are removed."""

    def __init__(self, memory_bytes: int) -> None:
        folder = mkdtemp(prefix="farthing-reading-")
        self._line, theirs = socket.socketpair()
        with theirs:
            handle = theirs.fileno()
            self._process = subprocess.Popen(  # noqa: S603 -- our own module, with words of our own
                [sys.executable, "-I", "-m", _CHILD, str(handle), str(memory_bytes)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[handle],
                env={"TMPDIR": folder},
                # A separate group, so that all processes that it starts end with it, and Ctrl-C does not reach it.
                process_group=0,
            )
        _give_way(self._process.pid)
        self.end = weakref.finalize(self, _end, self._process, self._line, folder)

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def send(self, task: bytes, handles: Sequence[int]) -> None:
        self._line.sendall(frames.HEAD.pack(len(task), len(handles)))
        for start in range(0, len(handles), frames.FILES_AT_ONCE):
            socket.send_fds(self._line, [b"f"], handles[start : start + frames.FILES_AT_ONCE])
        self._line.sendall(task)

    def receive(self, wait_s: float) -> bytes | None:
        """Returns the data that has arrived, None if there is none in time, or empty bytes at the end."""
        if not select.select([self._line], [], [], wait_s)[0]:
            return None
        return self._line.recv(_RECEIVED_AT_ONCE)

    def kill(self) -> None:
        _kill(self._process)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def _end(process: "subprocess.Popen[bytes]", line: socket.socket, folder: str) -> None:
    _kill(process)
    process.wait()
    line.close()
    shutil.rmtree(folder, ignore_errors=True)


def _give_way(process_id: int) -> None:
    """Lowers the priority of the process, because requests to the server are more urgent than reading files."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process_id, _NICENESS)


def _unpickle_all(body: bytes) -> Iterator[Any]:
    """Unpickles all results. Pickles are safe only if our own code has written them. This is the case here: the child
    runs our code, which never unpickles the content of untrusted files."""
    stream = io.BytesIO(body)
    while stream.tell() < len(body):
        yield pickle.load(stream)  # noqa: S301
