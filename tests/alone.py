"""Who may change the machine? One process at a time: what is installed for the tests is installed once."""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def alone(what: str) -> Iterator[None]:
    """Whoever else wants to do this waits, in whichever process."""
    with (Path(tempfile.gettempdir()) / f"farthing-{what}-{os.getuid()}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
