"""Which servers run on this data folder, with which processes? Each holds a lock on a file as long as it lives.

A lock ends with its process, however that ends; a number of a process would not tell, for another may have it by then.
"""

import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows: there everybody counts as present
    fcntl = None  # type: ignore[assignment]

# Where the processes of a server find its folder.
VARIABLE = "_FARTHING_RUN"
SERVER, JOBS, WORKERS = "server", "jobs", "worker-*"
_FOLDER = "run"
# To look whether a file is held is to hold it oneself, for a moment: whoever comes just then tries again.
_TRIES, _MOMENT_S = 100, 0.01


@dataclass(frozen=True)
class Present:
    """A server that runs."""

    workers: int
    has_jobs: bool


@contextmanager
def serving(data: Path) -> Iterator[None]:
    """As long as the server lives it has a folder of its own; what servers that were killed left behind goes away."""
    folder = _made(data / _FOLDER)
    if folder is None:
        yield  # the disk is full or may not be written to: then each worker counts for itself
        return
    os.environ[VARIABLE] = str(folder)
    try:
        with held(folder / SERVER):
            yield
    finally:
        del os.environ[VARIABLE]
        shutil.rmtree(folder, ignore_errors=True)


def _made(above: Path) -> Path | None:
    folder = above / secrets.token_hex(8)
    try:
        folder.mkdir(mode=0o700, parents=True)
    except OSError:
        return None
    for other in above.iterdir():
        if other != folder and not _is_held(other / SERVER):
            shutil.rmtree(other, ignore_errors=True)
    return folder


def own_folder() -> Path | None:
    """That of the server which this process belongs to."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named and Path(named).is_dir() else None


@contextmanager
def seen(name: str) -> Iterator[None]:
    """By those who ask which processes a server has; one without a folder goes unseen."""
    folder = own_folder()
    if folder is None:
        yield
        return
    with held(folder / name):
        yield


@contextmanager
def held(path: Path) -> Iterator[IO[bytes]]:
    with path.open("a+b") as file:
        lock(file)
        yield file


def lock(file: IO[bytes]) -> None:
    """Kept until the file is closed, or its process ends."""
    for _ in range(_TRIES if fcntl else 0):
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_MOMENT_S)
        except OSError:
            return  # some file systems know no locks
        else:
            return


def let_go(file: IO[bytes]) -> None:
    if fcntl:
        with suppress(OSError):
            fcntl.flock(file.fileno(), fcntl.LOCK_UN)


def present(data: Path) -> list[Present]:
    return [of(path.parent) for path in (data / _FOLDER).glob(f"*/{SERVER}") if _is_held(path)]


def of(folder: Path) -> Present:
    return Present(sum(map(_is_held, folder.glob(WORKERS))), _is_held(folder / JOBS))


def _is_held(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            if fcntl:
                fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
            return fcntl is None
    except FileNotFoundError:
        return False
    except OSError:
        return True
