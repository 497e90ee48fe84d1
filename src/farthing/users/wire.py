"""How does the API name what a user is?"""

import re
from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel

from ..fields import Flag, Reads, Refused, choice, text
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


class UserAttributes(Struct):
    updated_at: Instant
    created_at: Instant
    email: str
    blocked: bool
    blocked_code: str | None
    role: str | None


def show(user: User) -> UserAttributes:
    return UserAttributes(user.updated_at, user.created_at, user.email, user.blocked, user.blocked_code, user.role)
