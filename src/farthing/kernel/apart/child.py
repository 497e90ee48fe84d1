"""`python -m farthing.kernel.apart.child SOCKET MEMORY`: does one task after the other, as `reader.Reader` asks.

The process has no secrets, no settings and no database, but only the open files that are passed to it with a task. It
ends when it has received no task for a while, and after a task that has taken much memory.
"""

import pickle
import resource
import select
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from . import frames

# The child ends after this time without a task. Readers stop using it a little earlier.
IDLE_S = 60.0
# Results are sent when they have reached this size, or this age.
_SENT_BYTES, _SENT_S = 64 * 1024, 0.05
_BLOATED_BYTES = 160 * 2**20
# A task may unpack files into its own temporary folder, but must not fill the disk.
_FILE_BYTES_MAX = 512 * 2**20


def main() -> None:
    line = socket.socket(fileno=int(sys.argv[1]))
    memory = int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_BYTES_MAX, _FILE_BYTES_MAX))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while _measure_memory() < _BLOATED_BYTES and select.select([line], [], [], IDLE_S)[0]:
        task = _receive(line)
        if task is None:
            return
        _do(line, *task)


def _measure_memory() -> int:
    """Returns the memory currently in use, or 0 if unknown. The peak is of no use, because a process inherits it from
    the process that started it."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def _receive(line: socket.socket) -> tuple[frames.ReadingTask, list[BinaryIO]] | None:
    """Receives a task and its open files. Returns None if the reader has closed the connection."""
    try:
        size, count = frames.HEAD.unpack(frames.receive_exactly(line, frames.HEAD.size))
        handles: list[int] = []
        while len(handles) < count:
            handles += socket.recv_fds(line, 1, frames.FILES_AT_ONCE)[1]
        task: frames.ReadingTask = pickle.loads(frames.receive_exactly(line, size))  # noqa: S301 -- our own parent's words
    except EOFError:
        return None
    return task, [open(handle, "rb") for handle in handles]  # noqa: PTH123 -- closed after the task


def _do(line: socket.socket, task: frames.ReadingTask, files: list[BinaryIO]) -> None:
    """Does one task. The limit of processor time applies to each task separately."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + task.cpu_s + 1, resource.RLIM_INFINITY))
    with ExitStack() as opened:
        for file in files:
            opened.enter_context(file)
        try:
            module, _, name = task.function.partition(":")
            function: Callable[[Any, list[BinaryIO]], Iterable[Any]] = getattr(import_module(module), name)
            for piece in _gather(function(task.argument, files)):
                frames.send(line, frames.PART, piece)
        except MemoryError:
            sys.exit(1)
        except Exception as error:
            frames.send(line, frames.FAILURE, _pickle_failure(error))
        else:
            frames.send(line, frames.END, b"")


def _gather(results: Iterable[Any]) -> Iterator[bytes]:
    """Pickles the results, with many small ones in one message."""
    piece, since = bytearray(), time.monotonic()
    for result in results:
        piece += pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
        if len(piece) >= _SENT_BYTES or time.monotonic() - since >= _SENT_S:
            yield bytes(piece)
            piece, since = bytearray(), time.monotonic()
    if piece:
        yield bytes(piece)


def _pickle_failure(error: Exception) -> bytes:
    try:
        return pickle.dumps(error, pickle.HIGHEST_PROTOCOL)
    except Exception:  # it contains something that cannot be pickled
        return pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))


if __name__ == "__main__":
    main()
