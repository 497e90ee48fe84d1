"""Hashes and checks passwords with argon2id."""

import base64
import secrets
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from farthing.kernel.text import trim

if TYPE_CHECKING:
    from argon2 import PasswordHasher


# The stored hash of users who have no password.
NONE = ""


class Checked(Struct, frozen=True):
    """Holds the result of a check. `right` is true if the password matches `hash`.

    `renewed` is a new hash of the same password, if `hash` has outdated parameters.
    """

    right: bool
    hash: str
    renewed: str | None = None


class Changed(Struct, frozen=True):
    """Holds the hashes of the old and the new password."""

    before: str
    after: str


@cache
def hasher() -> "PasswordHasher":
    """Returns the hasher, with the cost parameters that the library recommends."""
    from argon2 import PasswordHasher  # imported late: only sign-in and the command line need it

    return PasswordHasher()


def hash_password(password: str) -> str:
    return hasher().hash(_normalize(password))


def check(stored: str | None, password: str) -> Checked:
    """Checks a password. Without a stored hash, the check takes just as long, so that the duration does not reveal
    whether the user exists."""
    from argon2.exceptions import InvalidHashError, VerificationError

    against = stored or make_unmatchable_hash()
    try:
        hasher().verify(against, _normalize(password))
    except InvalidHashError:
        return check(None, password)
    except VerificationError:
        return Checked(right=False, hash=against)
    renewed = hash_password(password) if hasher().check_needs_rehash(against) else None
    return Checked(right=stored is not None, hash=against, renewed=renewed)


def change(stored: str, current: str, new: str) -> Changed | None:
    """Hashes a new password. Returns None if the current password is wrong."""
    return Changed(before=stored, after=hash_password(new)) if check(stored, current).right else None


def random_password() -> str:
    return secrets.token_urlsafe(15)


def make_unmatchable_hash() -> str:
    """Returns random bytes in argon2's format. No password matches, but checking one takes as long as usual."""
    costs = hasher()
    salt, digest = (
        base64.b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (costs.salt_len, costs.hash_len)
    )
    return f"$argon2id$v=19$m={costs.memory_cost},t={costs.time_cost},p={costs.parallelism}${salt}${digest}"


def _normalize(password: str) -> str:
    """Removes differences that people cannot see: surrounding spaces, and how a keyboard composes letters."""
    return unicodedata.normalize("NFKC", trim(password))
