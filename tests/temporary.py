"""Where do tests, and the programs they start, keep their files? In one folder, which goes when they have passed."""

import atexit
import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

# In memory where there is room: waiting for the disk would take longer than most tests. TMPDIR says otherwise.
MEMORY, MEMORY_BYTES_MIN = Path("/dev/shm"), 4 * 2**30
PREFIX = "farthing."


def make_folder() -> None:
    """In the first process; those that this starts find it in their environment."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    has_room = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= MEMORY_BYTES_MIN
    place = MEMORY if "TMPDIR" not in os.environ and has_room else Path(tempfile.gettempdir())
    _remove_what_was_left(place)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
    _lock(folder)
    folder.chmod(0o1777)  # as root, PostgreSQL runs as a user who makes folders in it
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)


def keep_folder() -> None:
    """For whoever wants to see what a test that failed has left, until the next run that fails."""
    folder = Path(tempfile.gettempdir())
    kept = folder.with_name(f"farthing-failed-{os.getuid()}")
    shutil.rmtree(kept, ignore_errors=True)
    folder.rename(kept)


def _remove_what_was_left(place: Path) -> None:
    """By runs that were killed: whoever still runs holds a lock."""
    for folder in place.glob(f"{PREFIX}*"):
        with suppress(OSError):  # another's, or held
            _lock(folder)
            shutil.rmtree(folder, ignore_errors=True)


def _lock(folder: Path) -> None:
    """Until this process ends, however it does."""
    fcntl.flock(os.open(folder, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
