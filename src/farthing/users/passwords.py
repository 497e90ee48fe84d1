"""How is a password kept, and how is one checked? As an argon2id hash, slow to guess on purpose."""

import base64
import secrets
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ..text import trimmed

if TYPE_CHECKING:
    from argon2 import PasswordHasher


@dataclass(frozen=True)
class Checked:
    """Was it the password behind this hash? `renewed` is the hash to keep from now on, where ours is out of fashion."""

    right: bool
    hash: str
    renewed: str | None = None


@dataclass(frozen=True)
class Changed:
    """The hashes of the password that was right, and of the new one."""

    before: str
    after: str


def hash_password(password: str) -> str:
    return _hasher().hash(_meant(password))


def check(kept: str | None, password: str) -> Checked:
    """Without anything to check against it takes just as long: nobody learns from the time whether there is a user."""
    from argon2.exceptions import InvalidHashError, VerificationError

    against = kept or no_password()
    try:
        _hasher().verify(against, _meant(password))
    except InvalidHashError:
        return check(None, password)
    except VerificationError:
        return Checked(False, against)
    renewed = hash_password(password) if _hasher().check_needs_rehash(against) else None
    return Checked(kept is not None, against, renewed)


def change(kept: str, current: str, new: str) -> Changed | None:
    """None if the current one is not right."""
    return Changed(kept, hash_password(new)) if check(kept, current).right else None


def random_password() -> str:
    return secrets.token_urlsafe(15)


def no_password() -> str:
    """A hash that no password has: random bytes in argon2's own form, so that signing in reads it like any other."""
    costs = _hasher()
    salt, digest = (
        base64.b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (costs.salt_len, costs.hash_len)
    )
    return f"$argon2id$v=19$m={costs.memory_cost},t={costs.time_cost},p={costs.parallelism}${salt}${digest}"


@cache
def _hasher() -> "PasswordHasher":
    from argon2 import PasswordHasher  # imported late: only sign-in and the command line need it

    return PasswordHasher()


def _meant(password: str) -> str:
    """However it was typed: spaces around it never count, and letters are the same on every keyboard."""
    return unicodedata.normalize("NFKC", trimmed(password))
