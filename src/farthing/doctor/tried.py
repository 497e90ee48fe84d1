"""What if something cannot be looked at? That is told, with what to do about it; the rest is looked at all the same."""

from collections.abc import Iterator
from contextlib import contextmanager

from ..errors import (
    ContentsUnavailable,
    Damaged,
    DiskFull,
    FarthingError,
    Locked,
    ReadOnly,
    SchemaMismatch,
    Unavailable,
)
from ..storage.unit import Busy, Database, Unit
from .finding import Finding

UNREAD, UNREAD_CONTENTS = "unread", "unread content"
RESTORE = "stop the server, keep a copy of the database as it is, and restore the last backup"


class Unopened(FarthingError):
    """Why it is so, another line says."""

    def __init__(self) -> None:
        super().__init__("the database cannot be opened")


@contextmanager
def read(database: Database) -> Iterator[Unit]:
    """SQLite complains of damage once more in the end; but all has been read by then, and nothing written."""
    is_done = False
    try:
        with database.reading() as db:
            yield db
            is_done = True
    except Unavailable:
        if not is_done:
            raise


def tried(db: Unit, what: str, examination: Iterator[Finding], rule: str = UNREAD) -> Iterator[Finding]:
    """In damaged books anything may come up, therefore any error counts; what it said is in the finding."""
    try:
        with db.savepoint():
            yield from examination
    except Exception as error:
        if _is_all_over(db, error):
            raise
        yield Finding(rule, f"{what}: this cannot be examined: {said(error)}.")


def _is_all_over(db: Unit, error: Exception) -> bool:
    """PostgreSQL itself is gone: whatever else is asked, there is nobody who could answer."""
    passing = ContentsUnavailable | DiskFull | ReadOnly
    return db.dialect == "postgresql" and isinstance(error, Unavailable) and not isinstance(error, passing)


def said(error: Exception) -> str:
    """In one line; what is not ours is named, for whoever looks it up."""
    text = " ".join(str(error).split()).rstrip(".")
    return text if isinstance(error, FarthingError | OSError) else f"{type(error).__name__}: {text}"


def remedy(error: Exception) -> str:
    match error:
        case Unopened():
            return "mend that first"
        case SchemaMismatch():
            return "until then nothing else can be told of it"
        case DiskFull():
            return "make room"
        case ReadOnly():
            return "let the user write who runs Farthing"
        case Locked() | Busy():
            return "find out which program holds it, and let that finish"
        case ContentsUnavailable() | OSError():
            return "see that the disk is there, and that the user who runs Farthing may read and write it"
        case Damaged():
            return RESTORE
        case Unavailable():
            return "see that it is there and can be reached, and that the user who runs Farthing may use it"
        case FarthingError():
            return "mend that, and look again"
    return "it may be damaged, or the mistake is ours: keep a copy of the database as it is, and report what it says"
