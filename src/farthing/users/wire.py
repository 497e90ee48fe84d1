"""How does the API name what a user is?"""

import re
from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel

from ..errors import Problem
from ..fields import Flag, Parsed, Reads, Refused, choice, parse, required, text
from ..shown import Instant
from .model import Role, User

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_BLOCKED_CODES = ("email_changed",)
_as_text = text(255).read


def _email(value: object) -> str:
    address = str(_as_text(value))
    if not _EMAIL.fullmatch(address):
        raise Refused("The {label} must be a valid email address.")
    return address


Email = Annotated[str, Reads(_email, {"type": "string", "format": "email", "maxLength": 255})]


class UserBody(BaseModel):
    email: Email | None = None
    blocked: Flag | None = None
    blocked_code: Annotated[str, choice(*_BLOCKED_CODES)] | None = None
    role: Annotated[str, choice(*Role)] | None = None


def read(raw: Mapping[str, object]) -> Parsed[UserBody]:
    return parse(UserBody, raw)


def problems(parsed: Parsed[UserBody]) -> list[Problem]:
    return required(parsed, "email", "blocked")


def changed(user: User, parsed: Parsed[UserBody], *, role_sent: bool) -> User:
    """What is left out is blanked; only the role stays then, because old clients do not know of it."""
    values = parsed.values
    role = str(values.role) if values.role else None
    return user._replace(
        email=values.email or user.email,
        blocked=bool(values.blocked),
        blocked_code=values.blocked_code,
        role=role if role_sent and not parsed.wrong("role") else user.role,
    )


class UserAttributes(Struct, gc=False):
    updated_at: Instant
    created_at: Instant
    email: str
    blocked: bool
    blocked_code: str | None
    role: str | None


def show(user: User) -> UserAttributes:
    return UserAttributes(user.updated_at, user.created_at, user.email, user.blocked, user.blocked_code, user.role)
