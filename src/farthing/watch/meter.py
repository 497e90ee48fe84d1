"""How many requests, and how long did they take? Each worker counts in a small file that all workers of a server read.

The files are mapped into memory: to count is to add to a few numbers there; what a worker counted stays when it dies.
"""

import mmap
import secrets
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import msgspec

from . import presence

# Seconds; what takes longer than the last is counted as well.
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
# By the first digit of the status; 0 stands for whoever went away before there was one.
CLASSES = 6
_BUCKETS = len(BOUNDS) + 1
# For each key: its classes, its buckets, and all its microseconds together.
_MICROSECONDS = CLASSES + _BUCKETS
_NUMBERS = _MICROSECONDS + 1
_BYTES = 8

# A method, and the address as the document writes it.
Key = tuple[str, str]
OTHER: Key = ("OTHER", "other")


@dataclass
class Counted:
    """What is known of one key."""

    statuses: list[int] = field(default_factory=lambda: [0] * CLASSES)
    buckets: list[int] = field(default_factory=lambda: [0] * _BUCKETS)
    microseconds: int = 0

    def add(self, numbers: Sequence[int]) -> None:
        self.statuses = [a + b for a, b in zip(self.statuses, numbers[:CLASSES], strict=True)]
        self.buckets = [a + b for a, b in zip(self.buckets, numbers[CLASSES:_MICROSECONDS], strict=True)]
        self.microseconds += numbers[_MICROSECONDS]


class Meter:
    """Used by the event loop alone. Without a folder it counts for this process only."""

    def __init__(self, keys: Iterable[Key], folder: Path | None) -> None:
        self._keys = [OTHER, *keys]
        self._folder = folder
        head = _head(self._keys)
        size = len(head) + len(self._keys) * _NUMBERS * _BYTES
        self._file = _file(folder, head.ljust(size, b"\0")) if folder else None
        self._memory = mmap.mmap(self._file.fileno() if self._file else -1, size)
        self._numbers = memoryview(self._memory)[len(head) :].cast("Q")
        self._places = {key: place * _NUMBERS for place, key in enumerate(self._keys)}

    def count(self, method: str, template: str, status: int, seconds: float) -> None:
        """Every request ends here: a microsecond, no more."""
        numbers, place = self._numbers, self._places.get((method, template), 0)
        numbers[place + status // 100] += 1
        numbers[place + CLASSES + bisect_left(BOUNDS, seconds)] += 1
        numbers[place + _MICROSECONDS] += int(seconds * 1_000_000)

    def counted(self) -> dict[Key, Counted]:
        """All workers together, those that are gone included."""
        found: dict[Key, Counted] = {}
        for keys, numbers in self._all():
            for place, key in enumerate(keys):
                of_key = numbers[place * _NUMBERS : (place + 1) * _NUMBERS]
                if any(of_key[:CLASSES]):
                    found.setdefault(key, Counted()).add(of_key)
        return found

    def present(self) -> presence.Present:
        """The server that this worker belongs to."""
        return presence.of(self._folder) if self._folder and self._file else presence.Present(1, has_jobs=False)

    def close(self) -> None:
        """This worker is no longer there; what it counted is."""
        if self._file and not self._file.closed:
            presence.let_go(self._file)  # to close it would not do: the mapped memory holds the file as well
            self._file.close()

    def _all(self) -> Iterator[tuple[list[Key], Sequence[int]]]:
        if self._folder is None or self._file is None:
            yield self._keys, self._numbers.tolist()
            return
        for path in self._folder.glob(presence.WORKERS):
            yield _read(path.read_bytes())


def _file(folder: Path, content: bytes) -> IO[bytes] | None:
    """Filled to its size at once: on a full disk writing into the mapped memory would be the end of us.

    The others see it when it is whole and held: half of one would be in their way.
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
    """The keys are in the file: a worker that was started later may have others."""
    told = msgspec.json.encode(keys)
    told += b" " * (-len(told) % _BYTES)
    return len(told).to_bytes(_BYTES, "little") + told


def _read(content: bytes) -> tuple[list[Key], Sequence[int]]:
    length = int.from_bytes(content[:_BYTES], "little")
    keys = msgspec.json.decode(content[_BYTES : _BYTES + length] or b"[]", type=list[Key])
    return keys, memoryview(content)[_BYTES + length :].cast("Q").tolist()
