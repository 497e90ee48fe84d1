"""Runs checks. If a check fails, that becomes a finding with a remedy, and the other checks still run."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from farthing.kernel.errors import (
    ContentsUnavailable,
    Damaged,
    DiskFull,
    FarthingError,
    FileGone,
    Locked,
    ReadOnly,
    SchemaMismatch,
    Unavailable,
)
from farthing.storage.drivers import dialects
from farthing.storage.unit import Database, Unit

from .finding import DoctorFinding

Answer = TypeVar("Answer")

UNREAD, UNREAD_CONTENTS = "unread", "unread content"
RESTORE = "stop the server, keep a copy of the database as it is, and restore the last backup"


class Unopened(FarthingError):
    """Raised if the database could not be opened. Another line of the page states the reason."""

    def __init__(self) -> None:
        super().__init__("the database cannot be opened")


@contextmanager
def open_snapshot(database: Database) -> Iterator[Unit]:
    """Opens a snapshot. Ignores errors when the snapshot is closed, because SQLite then repeats reports of damage."""
    is_done = False
    try:
        with database.reading() as db:
            yield db
            is_done = True
    except Unavailable:
        if not is_done:
            raise


def run_check(db: Unit, what: str, examination: Iterator[DoctorFinding], rule: str = UNREAD) -> Iterator[DoctorFinding]:
    """Runs a check, and turns any error into a finding. All errors are caught, as damaged books may raise any error."""
    try:
        with db.savepoint():
            yield from examination
    except Exception as error:
        if _is_unreachable(db, error):
            raise
        yield DoctorFinding(rule, f"{what}: this cannot be examined: {describe_error(error)}.")


def try_quickly(db: Unit, question: Callable[[], Answer], unknown: Answer) -> Answer:
    """Tries a quick check before the full check. Returns `unknown` on errors, which the full check then reports."""
    try:
        with db.savepoint():
            return question()
    except Exception:
        return unknown


def _is_unreachable(db: Unit, error: Exception) -> bool:
    """Tells whether PostgreSQL does not answer, so that no further check can run."""
    passing = ContentsUnavailable | DiskFull | ReadOnly
    return dialects.is_remote(db) and isinstance(error, Unavailable) and not isinstance(error, passing)


def describe_error(error: Exception) -> str:
    """Describes an error in one line. For errors of libraries, this includes the name of the class."""
    text = " ".join(str(error).split()).rstrip(".")
    return text if isinstance(error, FarthingError | OSError) else f"{type(error).__name__}: {text}"


def suggest_remedy(error: Exception) -> str:
    match error:
        case Unopened():
            return "fix that first"
        case SchemaMismatch() | FileGone():
            return "nothing else can be checked until then"
        case DiskFull():
            return "free some space"
        case ReadOnly():
            return "give the user who runs Farthing write access"
        case Locked():
            return "find out which program locks it, and let it finish"
        case ContentsUnavailable() | OSError():
            return "check that the disk or the S3 server can be reached, and that the user who runs Farthing may use it"
        case Damaged():
            return RESTORE
        case Unavailable():
            return "check that it runs and can be reached, and that the user who runs Farthing may use it"
        case FarthingError():
            return "fix that, and run this again"
    return "the database may be damaged, or this is a bug: keep a copy of the database as it is, and report the message"
