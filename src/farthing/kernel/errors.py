"""The errors that are not bugs.

FarthingError            anything but a bug of ours
├─ Invalid               422  invalid fields, all of them listed
├─ NotFound              404  does not exist, or belongs to another user
├─ Conflict              409  valid, but not in the current state
├─ Outdated              412  changed since it was read
├─ Unauthenticated       401  no token, or an invalid one
├─ Forbidden             403  the caller is known, but lacks the rights
├─ Forged                403  cross-site request forgery
├─ Malformed             400  the body cannot be parsed
├─ TooSlow               408  the rest of the body did not arrive in time
├─ TooLarge              413  exceeds a limit
│  └─ OverQuota          413  exceeds a quota of this user
├─ HeadTooLarge          431  too many or too long headers
├─ Misdirected           421  the request is for another host
├─ WrongRange            416  the file has no such range
├─ TooMany               429  too many attempts or requests; says how long to wait
│  └─ TooLong            429  took longer than one request may; the caller should ask for less
├─ Departed              499  the client has hung up, so nobody reads this answer
├─ UnknownBodyType       415  unsupported content type
├─ UnknownTransfer       501  unsupported transfer encoding
├─ UnknownVersion        505  unsupported version of HTTP
├─ Unavailable           503  the database does not answer; temporary
│  ├─ Overloaded         503  too many requests at once
│  ├─ DiskFull           503  the disk is full; reading still works
│  ├─ ReadOnly           503  the database is read-only
│  ├─ Locked             503  another program holds the lock; reading still works
│  ├─ FileGone           503  the database file was deleted, moved or replaced while in use
│  ├─ Damaged            503  the database file is damaged; permanent
│  └─ ContentsUnavailable 503  attachments cannot be read or written; maybe temporary
│     └─ StorageRefused   503  the key or the bucket of S3 is wrong; lasts until somebody corrects it
├─ SchemaMismatch        the database is newer or older than this program
├─ Unusable              a command was given an unusable file or path
└─ Misconfigured         a setting has an invalid value

(Status codes are shown for reference; only http/answer/problems.py knows them.)
"""

import errno
from collections.abc import Iterable
from typing import NoReturn

from msgspec import Struct


class Problem(Struct, frozen=True):
    """One thing wrong with one field, the field named as the caller wrote it."""

    field: str
    message: str


class FarthingError(Exception):
    """The message is a sentence for the person who can fix it."""


class Invalid(FarthingError):
    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{problem.field}: {problem.message}" for problem in self.problems))

    @property
    def sentences(self) -> str:
        """Lists the messages without field names, for clients that sent no fields."""
        return " ".join(problem.message for problem in self.problems)


class NotFound(FarthingError):
    pass


class Conflict(FarthingError):
    pass


class Outdated(FarthingError):
    pass


class Unauthenticated(FarthingError):
    pass


class Forbidden(FarthingError):
    pass


class Forged(FarthingError):
    pass


class TooMany(FarthingError):
    def __init__(self, sentence: str, retry_after_s: int = 60) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(sentence)


class TooLong(TooMany):
    """Trying again does not help, unless the server was busy; asking for less does."""


class Departed(FarthingError):
    """The client that asked has gone, so nobody waits for the result."""


class Malformed(FarthingError):
    pass


class TooSlow(FarthingError):
    pass


class TooLarge(FarthingError):
    pass


class OverQuota(TooLarge):
    """413 and not 507: the request could be carried out, but is larger than what is left of the quota."""


class HeadTooLarge(FarthingError):
    pass


class Misdirected(FarthingError):
    pass


class WrongRange(FarthingError):
    pass


class UnknownBodyType(FarthingError):
    pass


class UnknownTransfer(FarthingError):
    pass


class UnknownVersion(FarthingError):
    pass


class Unavailable(FarthingError):
    """The message is for the operator of the server; clients get a generic sentence."""


class Overloaded(Unavailable):
    pass


class DiskFull(Unavailable):
    pass


# How the system reports a full disk; and the exit code with which our own processes report it to the server.
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
EXIT_FULL = 28


def is_full(error: BaseException) -> bool:
    """Says whether an error means that the disk is full."""
    return isinstance(error, DiskFull) or (isinstance(error, OSError) and error.errno in NO_ROOM)


class ReadOnly(Unavailable):
    pass


class Locked(Unavailable):
    pass


class FileGone(Unavailable):
    """It passes when the very same file is put back."""


class Damaged(Unavailable):
    """The only kind that does not go away by waiting."""


class ContentsUnavailable(Unavailable):
    pass


class StorageRefused(ContentsUnavailable):
    pass


class SchemaMismatch(FarthingError):
    pass


class Unusable(FarthingError):
    pass


class Misconfigured(FarthingError):
    pass


def refuse(problems: Iterable[Problem]) -> None:
    """Raises once with all problems, or does nothing."""
    listed = tuple(problems)
    if listed:
        raise Invalid(listed)


def refuse_field(field: str, message: str) -> NoReturn:
    raise Invalid([Problem(field, message)])
