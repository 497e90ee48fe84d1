"""What kinds of disk can fail? One that fills up, and one that takes no writes any more: real ones, made by root."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


def _run(*words: str) -> str:
    """What it complained of."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except OSError as error:
        return str(error)
    return done.stderr.strip() or f"exit code {done.returncode}" if done.returncode else ""


class Disk:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._filler = folder / "filler"

    def fill(self, but: int = 0) -> None:
        """To the last byte, or but for so many."""
        with suppress(OSError), self._filler.open("ab", buffering=0) as filler:
            for size in (2**16, 2**12, 1):
                with suppress(OSError):
                    while True:
                        filler.write(bytes(size))
        os.truncate(self._filler, self._filler.stat().st_size - but)

    def make_room(self) -> None:
        self._filler.unlink()

    def set_writable(self, is_writable: bool) -> None:
        complaint = _run("mount", "-o", f"remount,{'rw' if is_writable else 'ro'}", str(self._folder))
        assert not complaint, complaint


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Disk]:
    folder.mkdir(parents=True, exist_ok=True)
    complaint = _run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "tmpfs", str(folder))
    if complaint:
        pytest.skip(f"!!! no disk can be mounted here, so nothing was filled or write-protected: {complaint}")
    try:
        yield Disk(folder)
    finally:
        _run("umount", "--lazy", str(folder))


@contextmanager
def write_protected(paths: list[Path]) -> Iterator[None]:
    """Also for those who have them open already, which permissions would not do, and a read-only mount refuses."""
    complaint = _run("chattr", "+i", *map(str, paths))
    if complaint:
        pytest.skip(f"!!! no file can be made immutable here, so none was: {complaint}")
    try:
        yield
    finally:
        assert not _run("chattr", "-i", *map(str, paths))
