"""Counts requests and their durations in one small file for each worker. All workers of a server read all files.

The files are mapped into memory, so that counting takes only a few additions, and a worker's counts survive its death.
"""

import mmap
import os
import secrets
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct, field

from . import presence

# The upper bounds of the buckets, in seconds. One more bucket is for longer requests.
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
# The number of status classes: the first digit of the status, or 0 if the client disconnected before the answer.
CLASSES = 6
_BUCKETS = len(BOUNDS) + 1
# Each key has a row of numbers: the counts by status class, the counts by bucket, and the total in microseconds.
_MICROSECONDS = CLASSES + _BUCKETS
_NUMBERS = _MICROSECONDS + 1
_BYTES = 8

# A method and a path template. The last key is for the process itself: its row has its id and its listeners.
Key = tuple[str, str]
OTHER: Key = ("OTHER", "other")
_PROCESS: Key = ("", "")
_LISTENERS = 1


class RequestCounts(Struct):
    """Holds the counts of one method and path template."""

    statuses: list[int] = field(default_factory=lambda: [0] * CLASSES)
    buckets: list[int] = field(default_factory=lambda: [0] * _BUCKETS)
    microseconds: int = 0

    def add(self, numbers: Sequence[int]) -> None:
        self.statuses = [a + b for a, b in zip(self.statuses, numbers[:CLASSES], strict=True)]
        self.buckets = [a + b for a, b in zip(self.buckets, numbers[CLASSES:_MICROSECONDS], strict=True)]
        self.microseconds += numbers[_MICROSECONDS]


class ProcessFigures(Struct, frozen=True):
    """Holds the listeners of all workers, and the memory of the server's processes in bytes, by their task."""

    listeners: int
    memory: dict[str, int]


class Meter:
    """Counts requests. Use it only on the event loop. Without a folder, other workers do not see the counts."""

    def __init__(self, keys: Iterable[Key], folder: Path | None) -> None:
        self._keys = [OTHER, *keys, _PROCESS]
        self._folder = folder
        head = _head(self._keys)
        size = len(head) + len(self._keys) * _NUMBERS * _BYTES
        self._file = _create_file(folder, head.ljust(size, b"\0")) if folder else None
        self._memory = mmap.mmap(self._file.fileno() if self._file else -1, size)
        self._numbers = memoryview(self._memory)[len(head) :].cast("Q")
        self._places = {key: index * _NUMBERS for index, key in enumerate(self._keys)}

        self._own = self._places[_PROCESS]
        self._numbers[self._own] = os.getpid()

    def note_listeners(self, number: int) -> None:
        self._numbers[self._own + _LISTENERS] = number

    def count(self, method: str, template: str, status: int, seconds: float) -> None:
        """Counts a request. Takes about a microsecond."""
        numbers, offset = self._numbers, self._places.get((method, template), 0)
        numbers[offset + status // 100] += 1
        numbers[offset + CLASSES + bisect_left(BOUNDS, seconds)] += 1
        numbers[offset + _MICROSECONDS] += int(seconds * 1_000_000)

    def measure(self) -> ProcessFigures:
        """Adds up the listeners of all workers that are alive, and asks the system for the memory of the processes."""
        rows = [numbers[-_NUMBERS:] for _, numbers in self._all(only_living=True)]
        memory = {"workers": sum(_read_memory(row[0]) for row in rows)}
        if jobs := presence.find_jobs_pid(self._folder):
            memory["jobs"] = _read_memory(jobs)
        listeners = sum(row[_LISTENERS] for row in rows)
        return ProcessFigures(listeners=listeners, memory={task: size for task, size in memory.items() if size})

    def counted(self) -> dict[Key, RequestCounts]:
        """Returns the total counts of all workers, including workers that have stopped."""
        counts: dict[Key, RequestCounts] = {}
        for keys, numbers in self._all():
            for index, key in enumerate(keys):
                of_key = numbers[index * _NUMBERS : (index + 1) * _NUMBERS]
                if key != _PROCESS and any(of_key[:CLASSES]):
                    counts.setdefault(key, RequestCounts()).add(of_key)
        return counts

    def present(self) -> presence.Present:
        """Describes the server that this worker belongs to."""
        return (
            presence.read_server(self._folder)
            if self._folder and self._file
            else presence.Present(workers=1, has_jobs=False)
        )

    def close(self) -> None:
        """Marks this worker as stopped. Its counts are kept."""
        if self._file and not self._file.closed:
            presence.unlock(self._file)  # closing is not enough, because the memory map keeps the file open
            self._file.close()

    def _all(self, *, only_living: bool = False) -> Iterator[tuple[list[Key], Sequence[int]]]:
        if self._folder is None or self._file is None:
            yield self._keys, self._numbers.tolist()
            return
        for path in self._folder.glob(presence.WORKERS):
            if not only_living or presence.is_locked(path):
                yield _read(path.read_bytes())


def _read_memory(pid: int) -> int:
    """Returns the memory of a process, or 0 on systems that do not tell."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _create_file(folder: Path, content: bytes) -> IO[bytes] | None:
    """Creates the file of a worker. Returns None if that fails.

    The file has its full size from the beginning: if the disk were full later, writing to the memory map would kill the
    process. The file gets its final name when it is complete and locked, so that others never read half a file.
    """
    name = secrets.token_hex(4)
    path = folder / f"new-{name}"
    try:
        path.write_bytes(content)
        file = path.open("r+b")
        presence.lock(file)
        path.rename(folder / presence.WORKERS.replace("*", name))
    except OSError:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        return None
    return file


def _head(keys: Sequence[Key]) -> bytes:
    """Encodes the keys for the head of the file. Workers that start later may have different keys."""
    encoded = msgspec.json.encode(keys)
    encoded += b" " * (-len(encoded) % _BYTES)
    return len(encoded).to_bytes(_BYTES, "little") + encoded


def _read(content: bytes) -> tuple[list[Key], Sequence[int]]:
    length = int.from_bytes(content[:_BYTES], "little")
    keys = msgspec.json.decode(content[_BYTES : _BYTES + length] or b"[]", type=list[Key])
    return keys, memoryview(content)[_BYTES + length :].cast("Q").tolist()
