"""Finds the servers that run on this data folder, and their processes. Each process holds a lock on a file.

The system releases the lock when the process ends. Process ids would be unreliable, because they are reused.
"""

import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from farthing.kernel.errors import FileGone
from farthing.storage.drivers.sqlite_files import Identity, identify

try:
    import fcntl
except ImportError:  # Windows: every process counts as running
    fcntl = None  # type: ignore[assignment]

# The environment variable with the folder of the server, for all its processes.
VARIABLE = "_FARTHING_RUN"
SERVER, JOBS, WORKERS = "server", "jobs", "worker-*"
_SERVED, _ADDRESS, _UNNAMED = "database", "address", "starts"
FOLDER = "run"
# Checking a lock acquires it for a moment, so a process that finds a file locked tries again.
_TRIES, _MOMENT_S = 100, 0.01


class Present(Struct, frozen=True):
    """Describes a running server. `lost_jobs` means that its job process was started but is no longer running."""

    workers: int
    has_jobs: bool
    lost_jobs: bool = False


class ServedFile(Struct, frozen=True):
    """Identifies the SQLite file that a server has open."""

    path: str
    identity: Identity | None


class ServedAddress(Struct, frozen=True):
    """Holds the address on which a server listens."""

    host: str
    port: int


@contextmanager
def mark_server(data: Path, file: Path | None = None, address: ServedAddress | None = None) -> Iterator[None]:
    """Creates a folder for the server while it runs, and deletes folders of servers that were killed."""
    folder = _make_folder(data / FOLDER)
    if folder is None:
        yield  # the disk is full or read-only: each worker counts its own requests
        return
    os.environ[VARIABLE] = str(folder)
    try:
        # The file gets its name once it is locked, so that a server that starts now does not consider it abandoned.
        with hold_lock(folder / _UNNAMED):
            (folder / _UNNAMED).rename(folder / SERVER)
            _note_file(folder, file)
            if address:
                with suppress(OSError):
                    (folder / _ADDRESS).write_bytes(msgspec.json.encode(address))
            yield
    finally:
        del os.environ[VARIABLE]
        shutil.rmtree(folder, ignore_errors=True)


def _make_folder(above: Path) -> Path | None:
    folder = above / secrets.token_hex(8)
    try:
        folder.mkdir(mode=0o700, parents=True)
    except OSError:
        return None
    for other in above.iterdir():
        if (other / SERVER).exists() and not is_locked(other / SERVER):
            shutil.rmtree(other, ignore_errors=True)
    return folder


def own_folder() -> Path | None:
    """Returns the folder of the server to which this process belongs, if any."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named and Path(named).is_dir() else None


@contextmanager
def mark_process(name: str) -> Iterator[None]:
    """Makes this process visible to `list_servers` while the block runs. Does nothing if the server has no folder."""
    folder = own_folder()
    if folder is None:
        yield
        return
    with hold_lock(folder / name) as file:
        with suppress(OSError):
            file.truncate(0)
            file.write(str(os.getpid()).encode())
            file.flush()
        yield


@contextmanager
def hold_lock(path: Path) -> Iterator[IO[bytes]]:
    with path.open("a+b") as file:
        lock(file)
        yield file


def lock(file: IO[bytes]) -> None:
    """Locks a file until it is closed or the process ends."""
    for _ in range(_TRIES if fcntl else 0):
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(_MOMENT_S)
        except OSError:
            return  # some file systems have no locks
        else:
            return


def unlock(file: IO[bytes]) -> None:
    if fcntl:
        with suppress(OSError):
            fcntl.flock(file.fileno(), fcntl.LOCK_UN)


def _note_file(folder: Path, file: Path | None) -> None:
    if file:
        with suppress(OSError):
            (folder / _SERVED).write_bytes(msgspec.json.encode(ServedFile(path=str(file), identity=identify(file))))


def find_address(data: Path) -> ServedAddress | None:
    """Finds the address of a server that runs on this data folder."""
    for note in (data / FOLDER).glob(f"*/{_ADDRESS}"):
        with suppress(OSError, msgspec.MsgspecError):
            if is_locked(note.with_name(SERVER)):
                return msgspec.json.decode(note.read_bytes(), type=ServedAddress)
    return None


def refuse_other_file(data: Path, file: Path | None) -> None:
    """Raises FileGone if `file` was replaced while a running server has the original file open.

    Otherwise, SQLite would apply the write-ahead log of the server's file to the new file.
    """
    for file_note in (data / FOLDER).glob(f"*/{_SERVED}") if file else ():
        with suppress(OSError, msgspec.MsgspecError):
            served = msgspec.json.decode(file_note.read_bytes(), type=ServedFile)
            if served == ServedFile(path=str(file), identity=identify(str(file))) or served.path != str(file):
                continue
            if is_locked(file_note.with_name(SERVER)):
                raise FileGone(
                    f"A server is running, and the file that it has open is no longer {file}: "
                    "put that file back, or stop the server first."
                )


def list_servers(data: Path) -> list[Present]:
    return [read_server(path.parent) for path in (data / FOLDER).glob(f"*/{SERVER}") if is_locked(path)]


def read_server(folder: Path) -> Present:
    jobs = folder / JOBS
    was_there, is_there = jobs.exists(), is_locked(jobs)  # in this order, because the process may start in between
    workers = sum(map(is_locked, folder.glob(WORKERS)))
    return Present(workers=workers, has_jobs=is_there, lost_jobs=was_there and not is_there)


def note_lost_jobs() -> None:
    """Notes that the job process has died, perhaps before it could mark itself."""
    folder = own_folder()
    if folder is not None:
        with suppress(OSError):
            (folder / JOBS).touch()


def find_jobs_pid(folder: Path | None) -> int | None:
    """Returns the id of the job process if it runs."""
    if folder is None or not is_held(folder / JOBS):
        return None
    with suppress(OSError, ValueError):
        return int((folder / JOBS).read_bytes())
    return None


def note_turn() -> None:
    """Notes that the job process has begun another turn of its work."""
    folder = own_folder()
    if folder is not None:
        with suppress(OSError):
            os.utime(folder / JOBS)


def read_turn() -> int | None:
    """Returns when the job process began its turn, or None if it does not run. Compare it only with itself."""
    folder = own_folder()
    if folder is None or not is_held(folder / JOBS):
        return None
    with suppress(OSError):
        return (folder / JOBS).stat().st_mtime_ns
    return None


def is_held(path: Path) -> bool:
    """Works like `is_locked`, but returns False on systems without locks."""
    return fcntl is not None and is_locked(path)


def is_locked(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            if fcntl:
                fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
            return fcntl is None
    except FileNotFoundError:
        return False
    except OSError:
        return True
