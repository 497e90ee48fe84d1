"""What would be left after a power cut? A disk that keeps only what it was told to keep, beside the real one.

It stands between SQLite and the operating system. Every write goes through, and is also noted; what was written since
the last sync of a file may be lost when the power goes, all of it or any part.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

NAME = "farthing-disk"


class Disk(apsw.VFS):
    """`safe` are the files as they would be found; `risky` is what has been written to them since."""

    def __init__(self, real: str) -> None:
        self.real = real
        self.safe: dict[str, bytearray] = {}
        self.risky: dict[str, list[tuple[int, bytes | None]]] = {}
        self.on_write: Callable[[], None] = _nothing
        self.failing: apsw.Error | None = None
        self._spared = 0
        super().__init__(NAME, real)

    def xOpen(self, name: Any, flags: list[int]) -> "File":  # noqa: N802 -- SQLite's name
        self.access()
        return File(self, name, flags)

    def xDelete(self, name: str, sync: bool) -> None:  # noqa: N802
        super().xDelete(name, sync)
        self.safe.pop(name, None)
        self.risky.pop(name, None)

    def fail(self, error: apsw.Error, *, after: int) -> None:
        """From then on every access fails, once so many have worked."""
        self.failing, self._spared = error, after

    def heal(self) -> None:
        self.failing = None

    def access(self) -> None:
        if self.failing:
            self._spared -= 1
            if self._spared < 0:
                raise self.failing

    def sync(self, name: str) -> None:
        _replay(self.safe.setdefault(name, bytearray()), self.risky.pop(name, []))

    def write(self, name: str, offset: int, data: bytes | None) -> None:
        """Without data it is cut there."""
        self.risky.setdefault(name, []).append((offset, data))
        self.on_write()

    def after_power_cut(self, folder: Path, chance: random.Random | None = None) -> None:
        """Writes down the files as they might be found: without all that was at risk, or with some of it."""
        folder.mkdir()
        for name, content in self.safe.items():
            found = bytearray(content)
            at_risk = self.risky.get(name, [])
            _replay(found, [one for one in at_risk if chance and chance.random() < 0.5])
            (folder / Path(name).name).write_bytes(found)


class File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        self._name = name.filename() if isinstance(name, apsw.URIFilename) else name
        super().__init__(disk.real, name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        self._disk.access()
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.access()
        super().xWrite(data, offset)
        self._disk.write(self._name, offset, bytes(data))

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self._disk.access()
        super().xTruncate(size)
        self._disk.write(self._name, size, None)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.access()
        super().xSync(flags)
        self._disk.sync(self._name)


def _nothing() -> None:
    pass


def _replay(content: bytearray, writes: list[tuple[int, bytes | None]]) -> None:
    for offset, data in writes:
        if data is None:
            del content[offset:]
        else:
            content.extend(bytes(max(0, offset - len(content))))
            content[offset : offset + len(data)] = data


@contextmanager
def disk_beneath_sqlite() -> Iterator[Disk]:
    """Whoever opens a SQLite file meanwhile opens it on this disk."""
    usual = apsw.vfs_names()[0]
    disk = Disk(usual)
    try:
        with _default(NAME, afterwards=usual):
            yield disk
    finally:
        disk.unregister()


@contextmanager
def real_disk(disk: Disk) -> Iterator[None]:
    """For a while files are opened as usual; those that are open stay where they are."""
    with _default(disk.real, afterwards=NAME):
        yield


@contextmanager
def _default(name: str, *, afterwards: str) -> Iterator[None]:
    apsw.set_default_vfs(name)
    try:
        yield
    finally:
        apsw.set_default_vfs(afterwards)
