"""Defines the errors that are not bugs. Only `http/answer/problems.py` knows their status codes."""

import errno
from collections.abc import Iterable
from typing import NoReturn

from msgspec import Struct


class Problem(Struct, frozen=True):
    """Describes one problem of one field. The field has the name that the caller used."""

    field: str
    message: str


class FarthingError(Exception):
    """The base of all errors that are not bugs. The message is a sentence for the person who can solve the problem."""


class Invalid(FarthingError):
    """Lists all fields that are invalid."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{problem.field}: {problem.message}" for problem in self.problems))

    @property
    def sentences(self) -> str:
        """Lists the messages without field names, for clients that sent no fields."""
        return " ".join(problem.message for problem in self.problems)


class NotFound(FarthingError):
    """The object does not exist, or belongs to another user."""


class Gone(FarthingError):
    """The request continues something that this database no longer has."""


class Conflict(FarthingError):
    """The request is valid, but cannot be carried out in the current state of the data."""


class Outdated(FarthingError):
    """The object has changed since it was read."""


class Unauthenticated(FarthingError):
    """The token is missing or invalid."""


class Forbidden(FarthingError):
    """The caller is known, but lacks the rights."""


class Forged(FarthingError):
    """The request seems to come from a page of another site."""


class TooMany(FarthingError):
    """The caller made too many attempts or requests. `retry_after_s` is the time to wait, in seconds."""

    def __init__(self, sentence: str, retry_after_s: int = 60) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(sentence)


class TooLong(TooMany):
    """The request took too long. A smaller request may succeed; the same one only if the server was busy."""


class Departed(FarthingError):
    """The client has hung up, so nobody waits for the result any more."""


class Malformed(FarthingError):
    """The body cannot be parsed."""


class TooSlow(FarthingError):
    """The rest of the body did not arrive in time."""


class TooLarge(FarthingError):
    """The request exceeds a limit."""


class OverQuota(TooLarge):
    """The request exceeds what remains of a quota. The status is 413 and not 507, because the server has room."""


class HeadTooLarge(FarthingError):
    """The request has too many or too long headers."""


class Misdirected(FarthingError):
    """The request names a host that this server does not serve."""


class WrongRange(FarthingError):
    """The requested range lies outside the file."""


class UnknownBodyType(FarthingError):
    """The content type is not supported."""


class UnknownTransfer(FarthingError):
    """The transfer encoding is not supported."""


class UnknownVersion(FarthingError):
    """The version of HTTP is not supported."""


class Unavailable(FarthingError):
    """The database does not answer. The message is for the operator; clients get a generic sentence."""


class Overloaded(Unavailable):
    """The server has too many requests at once."""


class DiskFull(Unavailable):
    """The disk is full; reading still works."""


# The error numbers of a full disk, and the exit code with which our own processes report a full disk to the server.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
EXIT_FULL = 28


def is_full(error: BaseException) -> bool:
    return isinstance(error, DiskFull) or (isinstance(error, OSError) and error.errno in NO_ROOM)


class ReadOnly(Unavailable):
    """The database is read-only."""


class Locked(Unavailable):
    """Another program holds the lock; reading still works."""


class FileGone(Unavailable):
    """The database file was deleted, moved or replaced while in use. The error ends when the same file is put back."""


class Damaged(Unavailable):
    """The database file is damaged. Of all kinds of Unavailable, only this one never ends by itself."""


class ContentsUnavailable(Unavailable):
    """The contents of attachments cannot be read or written at the moment."""


class StorageRefused(ContentsUnavailable):
    """The configured key or bucket of S3 is wrong. Somebody has to correct the settings."""


class SchemaMismatch(FarthingError):
    """The database is newer or older than this program."""


class Unusable(FarthingError):
    """A command was given a file or path that it cannot use."""


class Misconfigured(FarthingError):
    """A setting has an invalid value."""


def refuse(problems: Iterable[Problem]) -> None:
    """Raises one error with all problems, or does nothing if there are none."""
    listed = tuple(problems)
    if listed:
        raise Invalid(listed)


def refuse_field(field: str, message: str) -> NoReturn:
    raise Invalid([Problem(field, message)])
