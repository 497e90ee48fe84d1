"""Creates temporary folders for copies of the books.

Each process locks its own folders, so that other processes can recognize and delete abandoned ones.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from farthing.kernel.clock import wall_clock
from farthing.kernel.config import Settings

from ..watch import presence

PREFIX = ".farthing-"
_OWNER = "owner"
_NOTES = "scratch"
# A folder without a lock file is either just being created, or was left behind by an older version. It is deleted when
# it is this old.
_UNMARKED_S = 24 * 60 * 60


def temporary() -> AbstractContextManager[Path]:
    """Creates a folder in the system's folder for temporary files."""
    return _make(Path(tempfile.gettempdir()))


@contextmanager
def beside(path: Path, data: Path) -> Iterator[Path]:
    """Creates a folder on the same disk as `path`, and notes it in the data folder so that `sweep` can find it."""
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
def _make(parent: Path) -> Iterator[Path]:
    sweep_folder(parent)
    folder = Path(tempfile.mkdtemp(dir=parent, prefix=PREFIX))
    try:
        new = folder / "new"
        new.touch(mode=0o600)
        with presence.hold_lock(new):
            new.rename(folder / _OWNER)  # the file gets its final name once it is locked
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep(settings: Settings) -> None:
    """Removes abandoned folders from all places where this installation creates them."""
    for note in (settings.data / _NOTES).glob(f"{PREFIX}*"):
        with suppress(OSError, ValueError):
            folder = Path(note.read_text())
            if folder.name == note.name:
                _remove_abandoned(folder)
            if not folder.exists():
                note.unlink()
    for parent in (Path(tempfile.gettempdir()), settings.backup_folder, settings.data / "backups"):
        if parent:
            sweep_folder(parent)


def sweep_folder(parent: Path) -> None:
    with suppress(OSError):
        for folder in parent.glob(f"{PREFIX}*"):
            _remove_abandoned(folder)


def _remove_abandoned(folder: Path) -> None:
    """Removes a folder if no process uses it. Ignores folders of other system users, who may share the parent."""
    with suppress(OSError):
        status = folder.lstat()
        is_own = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
        is_ours = folder.is_dir() and not folder.is_symlink() and is_own
        owner = folder / _OWNER
        is_in_use = (
            presence.is_locked(owner) if owner.exists() else wall_clock().timestamp() - status.st_mtime < _UNMARKED_S
        )
        if is_ours and not is_in_use:
            shutil.rmtree(folder, ignore_errors=True)
