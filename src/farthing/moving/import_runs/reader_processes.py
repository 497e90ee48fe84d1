"""Reads the files of an import in a separate process, and takes parts as they become ready, almost without waiting."""

import pickle
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import Any, BinaryIO, cast

from msgspec import Struct

from farthing.kernel.apart.reader import Exhausted, Reader, ReadingLimits
from farthing.storage.blobs import Blobs

from ..findings import Unreadable
from ..import_jobs.files import FILE_DELETED, list_files
from ..import_jobs.formats import NamedFile, RunQuestion
from .turn import ImportTurn

# These limits apply to each pass through the files.
LIMITS = ReadingLimits(cpu_s=300, memory_bytes=2 * 2**30, silent_s=60)
TOO_MUCH = "Reading this file took too much time or memory, so it was stopped. Import a part of it."
# How long to wait for data, which has usually arrived already.
_WAIT_S = 0.02
_IDLE_MAX = 2
_SPOOLED_BYTES_MAX = 2**30
_LENGTH_BYTES = 8


class Readers(Struct, kw_only=True):
    """Manages the reader processes, one per import. A few idle ones are kept for the next imports."""

    blobs: Blobs
    idle: list[Reader] = []

    def begin(self, turn: ImportTurn, function: str, *, currency: str = "", question: object = None) -> "ReaderParts":
        """Starts a separate process in which `function` reads the files. The function gets `question` or, without one,
        a `RunQuestion`. Returns the object from which to take its parts. Raises Unreadable if a file was deleted.
        """
        with ExitStack() as opened:
            files = open_files(turn, self.blobs, opened)
            names = tuple(named.name for named in files)
            request = question or RunQuestion(job=turn.import_job, names=names, currency=currency)
            reader = self.idle.pop() if self.idle else Reader(LIMITS)
            parts = ReaderParts(self, reader)
            try:
                reader.begin(function, request, [named.file for named in files])
            except Exhausted as error:
                parts.close()
                raise Unreadable(TOO_MUCH) from error
            return parts

    def give_back(self, reader: Reader) -> None:
        if len(self.idle) < _IDLE_MAX:
            self.idle.append(reader)
        else:
            reader.close()

    def close(self) -> None:
        for reader in self.idle:
            reader.close()
        self.idle.clear()


def open_files(turn: ImportTurn, blobs: Blobs, opened: ExitStack) -> list[NamedFile]:
    """Opens the files of an import. Raises Unreadable if a file was deleted."""
    files = list_files(turn.db, turn.user_id, turn.import_job)
    if len(files) < len(turn.import_job.file_ids):
        raise Unreadable(FILE_DELETED)
    return [NamedFile(file.name, opened.enter_context(blobs.open(turn.user_id, file.sha256))) for file in files]


class ReaderParts:
    def __init__(self, readers: Readers, reader: Reader) -> None:
        self._readers = readers
        self._reader: Reader | None = reader
        self.is_at_end = False

    def take(self) -> list[Any]:
        """Returns the parts that have arrived; an empty list if none have yet, or at the end. Raises Unreadable."""
        if self._reader is None:
            return []
        try:
            some = self._reader.take(_WAIT_S)
        except Exhausted as error:
            raise Unreadable(TOO_MUCH) from error
        if some is None:
            self.is_at_end = True
            self.close()
        return some or []

    def close(self) -> None:
        if self._reader:
            if not self.is_at_end:
                self._reader.stop()
            self._readers.give_back(self._reader)
        self._reader = None


class Spool:
    """Stores items on disk in order, so that they can be read again."""

    def __init__(self) -> None:
        self._file = cast(BinaryIO, TemporaryFile())  # noqa: SIM115 -- closed by `close`
        self._size = 0

    def add(self, items: Sequence[object]) -> None:
        piece = pickle.dumps(items, pickle.HIGHEST_PROTOCOL)
        if self._size + len(piece) > _SPOOLED_BYTES_MAX:
            raise Unreadable(TOO_MUCH)
        self._file.seek(self._size)
        self._file.write(len(piece).to_bytes(_LENGTH_BYTES) + piece)
        self._size = self._file.tell()

    def __iter__(self) -> Iterator[Any]:
        position = 0
        while position < self._size:
            self._file.seek(position)
            length = int.from_bytes(self._file.read(_LENGTH_BYTES))
            items = pickle.loads(self._file.read(length))  # noqa: S301 -- written above
            position = self._file.tell()
            yield from items

    def close(self) -> None:
        self._file.close()
