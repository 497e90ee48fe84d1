"""Temporary folders with copies of the books. Each is locked by its process, so that others find those left behind."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from farthing.kernel.clock import wall_clock
from farthing.kernel.config import Settings

from ..watch import presence

PREFIX = ".farthing-"
_OWNER = "owner"
_NOTES = "scratch"
# One without an owner's mark is just being made, or comes from an older version.
_UNMARKED_S = 24 * 60 * 60


@contextmanager
def temporary() -> Iterator[Path]:
    """In the system's folder for temporary files."""
    with _make(Path(tempfile.gettempdir())) as folder:
        yield folder


@contextmanager
def beside(path: Path, data: Path) -> Iterator[Path]:
    """On the same disk as `path`; noted in the data folder, because nobody would look for it there."""
    with _make(path.parent) as folder:
        note = data / _NOTES / folder.name
        with suppress(OSError):
            note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            note.write_text(str(folder.absolute()))
        try:
            yield folder
        finally:
            note.unlink(missing_ok=True)


@contextmanager
def _make(place: Path) -> Iterator[Path]:
    sweep_place(place)
    folder = Path(tempfile.mkdtemp(dir=place, prefix=PREFIX))
    try:
        new = folder / "new"
        new.touch(mode=0o600)
        with presence.hold_lock(new):
            new.rename(folder / _OWNER)  # whoever finds this name finds it locked
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep(settings: Settings) -> None:
    """Wherever this installation makes such folders."""
    for note in (settings.data / _NOTES).glob(f"{PREFIX}*"):
        with suppress(OSError, ValueError):
            folder = Path(note.read_text())
            if folder.name == note.name:
                _remove_abandoned(folder)
            if not folder.exists():
                note.unlink()
    for place in (Path(tempfile.gettempdir()), settings.backup_folder, settings.data / "backups"):
        if place:
            sweep_place(place)


def sweep_place(place: Path) -> None:
    with suppress(OSError):
        for folder in place.glob(f"{PREFIX}*"):
            _remove_abandoned(folder)


def _remove_abandoned(folder: Path) -> None:
    """Only our own: others may put anything into a folder for temporary files."""
    with suppress(OSError):
        found = folder.lstat()
        is_ours = folder.is_dir() and not folder.is_symlink() and found.st_uid == _own_id(found.st_uid)
        owner = folder / _OWNER
        is_in_use = (
            presence.is_locked(owner) if owner.exists() else wall_clock().timestamp() - found.st_mtime < _UNMARKED_S
        )
        if is_ours and not is_in_use:
            shutil.rmtree(folder, ignore_errors=True)


def _own_id(default: int) -> int:
    return os.geteuid() if hasattr(os, "geteuid") else default
