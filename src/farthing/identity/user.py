"""Defines users, tokens and callers, and the rules for changing users."""

from enum import StrEnum

from msgspec import Struct

from farthing.kernel.errors import Problem
from farthing.kernel.languages import ENGLISH
from farthing.kernel.text import fold, trim

PASSWORD_MIN, PASSWORD_MAX = 8, 1000
PAGE_SIZE_MAX = 1000


class Role(StrEnum):
    OWNER = "owner"
    DEMO = "demo"


class Share(StrEnum):
    """Defines what a member may do in the books of another user. Each role includes the roles before it."""

    VIEWER = "viewer"
    BOOKKEEPER = "bookkeeper"
    FULL = "full"

    def includes(self, other: "Share") -> bool:
        ranks = list(Share)
        return ranks.index(self) >= ranks.index(other)


class User(Struct, frozen=True):
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
    READ = "read"
    FULL = "full"


class ApiVersion(StrEnum):
    """Defines the versions of the API. Every token is issued for one, and uses it at addresses without a prefix."""

    V1 = "v1"
    V6 = "v6"


class Token(Struct, frozen=True):
    """Describes a token. `scopes` and `networks` are separated by spaces; None means that there is no limit.

    `books_id` is set if the token is for the books of another user.
    """

    id: int
    user_id: int
    name: str
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    access: str
    scopes: str | None = None
    networks: str | None = None
    books_id: int | None = None
    api_version: str = ApiVersion.V1


class Caller(Struct, frozen=True):
    """Identifies the person behind a request and the books they work in, with facts that most requests need.

    A caller has either a token or a session. `id` is the owner of the books and `user` is the person. `share` is the
    person's role in these books, or None in their own books. `books_id` and `app_id` belong to the token. Time zone,
    currency and revision belong to the books, and so does `requests_max`, the requests that a token may make each
    minute. `language` is that of the person.
    """

    id: int
    user: User
    books: User
    token_id: int | None
    session_id: int | None
    access: str
    last_used_at: str | None
    timezone: str
    page_size: int
    currency_code: str
    language: str
    revision: int
    installation_revision: int
    requests_max: int | None = None
    share: Share | None = None
    scopes: str | None = None
    networks: str | None = None
    books_id: int | None = None
    app_id: int | None = None


_NO_USER = User(id=0, email="", role=None, blocked=False, blocked_code=None, created_at="", updated_at="")
# The caller of routes that need no sign-in; no row belongs to user 0.
NOBODY = Caller(
    id=0,
    user=_NO_USER,
    books=_NO_USER,
    token_id=None,
    session_id=None,
    access=Access.READ,
    last_used_at=None,
    timezone="UTC",
    page_size=50,
    currency_code="EUR",
    language=ENGLISH,
    revision=0,
    installation_revision=0,
)


def password_problems(field: str, password: str, email: str) -> list[Problem]:
    """Checks the length of a new password. Demands no digits or symbols, because such rules make passwords worse."""
    if not PASSWORD_MIN <= len(trim(password)) <= PASSWORD_MAX:
        return [Problem(field, f"The password must have {PASSWORD_MIN} to {PASSWORD_MAX} characters.")]
    if fold(password) == fold(email):
        return [Problem(field, "The password may not be the email address.")]
    return []


def change_problems(user: User, after: User, *, by_id: int, has_other_owner: bool) -> list[Problem]:
    """Refuses changes with which users block themselves, or after which the installation has no owner."""
    if user.id == by_id and after.blocked:
        return [Problem("blocked", "You cannot block yourself.")]
    if has_other_owner or not user.is_owner or (after.is_owner and not after.blocked):
        return []
    field = "blocked" if after.is_owner else "role"
    return [Problem(field, f"This installation must have an owner, and {user.email} is the last one.")]


def removal_problems(user: User, *, by_id: int, has_other_owner: bool) -> list[Problem]:
    if user.id == by_id:
        return [Problem("id", "You cannot delete yourself.")]
    if user.is_owner and not has_other_owner:
        return [Problem("id", f"This installation must have an owner, and {user.email} is the last one.")]
    return []
