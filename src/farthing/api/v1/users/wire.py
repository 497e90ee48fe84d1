"""Reads the bodies of users."""

import re
from collections.abc import Mapping
from typing import Annotated

from msgspec.structs import replace
from pydantic import BaseModel

from farthing.identity.user import Role, User
from farthing.kernel.fields import FieldParser, Flag, Refused, choice, parse, text
from farthing.kernel.parsed import Parsed

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
_BLOCKED_CODES = ("email_changed",)
_as_text = text(255).read


def _email(value: object) -> str:
    address = str(_as_text(value))
    if not _EMAIL.fullmatch(address):
        raise Refused("The {label} must be a valid email address.")
    return address


Email = Annotated[str, FieldParser(_email, {"type": "string", "format": "email", "maxLength": 255})]


class UserBody(BaseModel):
    email: Email | None = None
    blocked: Flag | None = None
    blocked_code: Annotated[str, choice(*_BLOCKED_CODES)] | None = None
    role: Annotated[str, choice(*Role)] | None = None


def read(raw: Mapping[str, object]) -> Parsed[UserBody]:
    parsed = parse(UserBody, raw)
    parsed.require("email", "blocked")
    return parsed


def apply(user: User, parsed: Parsed[UserBody], *, role_sent: bool) -> User:
    """Omitted fields are cleared, except the role, which old clients do not know."""
    values = parsed.values
    role = str(values.role) if values.role else None
    return replace(
        user,
        email=values.email or user.email,
        blocked=bool(values.blocked),
        blocked_code=values.blocked_code,
        role=role if role_sent and not parsed.wrong("role") else user.role,
    )
