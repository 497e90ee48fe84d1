"""Who uses this installation, and with which tokens?"""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    OWNER = "owner"
    DEMO = "demo"


@dataclass(frozen=True)
class User:
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


@dataclass(frozen=True)
class Token:
    id: int
    user_id: int
    name: str
    created_at: str
    expires_at: str | None
    last_used_at: str | None


@dataclass(frozen=True)
class Caller:
    """The user behind a request, with what nearly every request needs to know of them."""

    user: User
    token_id: int
    timezone: str
    page_size: int
    currency_code: str

    @property
    def id(self) -> int:
        return self.user.id
