"""Who uses this installation, and with which tokens?"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ..errors import Problem
from ..text import fold, trimmed

PASSWORD_MIN, PASSWORD_MAX = 8, 1000
TOKEN_DAYS_MAX = 36_500


class Role(StrEnum):
    OWNER = "owner"
    DEMO = "demo"


class User(NamedTuple):
    """Made anew for every request, as is the caller; a struct would have the command line load more for its help."""

    id: int
    email: str
    role: str | None
    blocked: bool
    blocked_code: str | None
    created_at: str
    updated_at: str

    @property
    def is_owner(self) -> bool:
        return self.role == Role.OWNER


class Access(StrEnum):
    """What a token may do."""

    READ = "read"
    FULL = "full"


@dataclass(frozen=True)
class Token:
    id: int
    user_id: int
    name: str
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    access: str


class Caller(NamedTuple):
    """The user behind a request, with what nearly every request needs to know of them.

    They came with a token, or else they are signed in and have a session.
    """

    id: int
    user: User
    token_id: int | None
    session_id: int | None
    access: str
    last_used_at: str | None
    timezone: str
    page_size: int
    currency_code: str
    revision: int
    house_revision: int


# Stands where nobody need be known: no row is theirs.
NOBODY = Caller(0, User(0, "", None, False, None, "", ""), None, None, Access.READ, None, "UTC", 50, "EUR", 0, 0)


def password_problems(field: str, password: str, email: str) -> list[Problem]:
    """Of a new one. Length is what counts: rules about digits and signs make passwords worse."""
    if not PASSWORD_MIN <= len(trimmed(password)) <= PASSWORD_MAX:
        return [Problem(field, f"The password must have {PASSWORD_MIN} to {PASSWORD_MAX} characters.")]
    if fold(password) == fold(email):
        return [Problem(field, "The password may not be the email address.")]
    return []


def change_problems(user: User, after: User, *, by_id: int, has_other_owner: bool) -> list[Problem]:
    """Nobody shuts themselves out, and somebody always owns the installation."""
    if user.id == by_id and after.blocked:
        return [Problem("blocked", "You cannot block yourself.")]
    if has_other_owner or not user.is_owner or (after.is_owner and not after.blocked):
        return []
    field = "blocked" if after.is_owner else "role"
    return [Problem(field, f"Somebody must own this installation, and {user.email} is the last owner.")]


def removal_problems(user: User, *, by_id: int, has_other_owner: bool) -> list[Problem]:
    if user.id == by_id:
        return [Problem("id", "You cannot delete yourself.")]
    if user.is_owner and not has_other_owner:
        return [Problem("id", f"Somebody must own this installation, and {user.email} is the last owner.")]
    return []
