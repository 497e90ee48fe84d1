"""Lists what can go wrong that is not a bug of ours.

FarthingError            the world is at fault, never our code
├─ Invalid               422  fields were wrong (all of them listed)
├─ NotFound              404  not there, or not yours: the same answer
├─ Conflict              409  true, but not now
├─ Outdated              412  changed since it was read
├─ Unauthenticated       401  no token, or one that no longer counts
├─ Forbidden             403  known, but may not: only the owner may, or only who may write
├─ Forged                403  a page that is not ours seems to ask in somebody's name
├─ Malformed             400  the body cannot be read at all
├─ TooSlow               408  the rest of the body did not come
├─ TooLarge              413  more than a stated limit
├─ WrongRange            416  a part of a file that it does not have
├─ TooMany               429  tried too often; it says how long to wait
├─ UnknownBodyType       415  a body in an encoding we do not speak
├─ Unavailable           503  the database does not answer; it will pass
│  ├─ DiskFull           503  there is no room to write; reading goes on
│  ├─ ReadOnly           503  it can be read, but not written to
│  ├─ Locked             503  another program holds it for long; reading goes on
│  ├─ FileGone           503  the database file was deleted, moved or replaced while it was in use
│  ├─ Damaged            503  the database file is broken; it will not pass
│  └─ ContentsUnavailable 503  the contents of attachments cannot be read or written; it may pass
├─ SchemaMismatch        the database is newer or older than this program
├─ Unusable              a file or a place that a command was given will not do
└─ Misconfigured         a setting has a value that cannot be used

(Status codes are shown here for the reader; only http/problems.py knows them.)
"""

from collections.abc import Iterable
from typing import NoReturn

from msgspec import Struct


class Problem(Struct, frozen=True):
    """One thing wrong with one field, the field named as the caller wrote it."""

    field: str
    message: str


class FarthingError(Exception):
    """The message is a sentence for the person who can mend it."""


class Invalid(FarthingError):
    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{problem.field}: {problem.message}" for problem in self.problems))


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


class Malformed(FarthingError):
    pass


class TooSlow(FarthingError):
    pass


class TooLarge(FarthingError):
    pass


class WrongRange(FarthingError):
    pass


class UnknownBodyType(FarthingError):
    pass


class Unavailable(FarthingError):
    """The message is for whoever runs the server; callers hear a sentence without names of ours."""


class DiskFull(Unavailable):
    pass


class ReadOnly(Unavailable):
    pass


class Locked(Unavailable):
    pass


class FileGone(Unavailable):
    """It passes when the very same file is put back."""


class Damaged(Unavailable):
    """The one kind that waiting does not mend."""


class ContentsUnavailable(Unavailable):
    pass


class SchemaMismatch(FarthingError):
    pass


class Unusable(FarthingError):
    pass


class Misconfigured(FarthingError):
    pass


def refuse(problems: Iterable[Problem]) -> None:
    """Raises once, with everything, or not at all."""
    found = tuple(problems)
    if found:
        raise Invalid(found)


def refuse_field(field: str, message: str) -> NoReturn:
    raise Invalid([Problem(field, message)])
