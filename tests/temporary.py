"""Where do tests, and the programs they start, keep their files? In one folder, which goes when they have passed."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

# In memory where there is room: waiting for the disk would take longer than most tests. TMPDIR says otherwise.
MEMORY, MEMORY_BYTES_MIN = Path("/dev/shm"), 4 * 2**30


def make_folder() -> None:
    """In the first process; those that this starts find it in their environment."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return
    has_room = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= MEMORY_BYTES_MIN
    place = MEMORY if "TMPDIR" not in os.environ and has_room else None
    folder = tempfile.mkdtemp(prefix="farthing-", dir=place)
    Path(folder).chmod(0o711)  # as root, PostgreSQL runs as a user who has to pass through it
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    atexit.register(shutil.rmtree, folder, ignore_errors=True)


def keep_folder() -> None:
    """For whoever wants to see what a test that failed has left."""
    atexit.unregister(shutil.rmtree)
