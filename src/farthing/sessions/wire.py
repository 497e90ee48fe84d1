"""How does the API name what a session is, and what signing in takes?"""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel, Field

from ..errors import refuse
from ..fields import parse, required, text
from ..shown import Instant
from ..users.model import PASSWORD_MAX, User, password_problems
from .model import Session, csrf_token

_CODE_CHARACTERS_MAX = 200

Password = Annotated[str, text(PASSWORD_MAX)]
Code = Annotated[str, text(_CODE_CHARACTERS_MAX)]


class SignInBody(BaseModel):
    email: Annotated[str, text(255)] | None = Field(None, description="With the password. This or `code`.")
    password: Password | None = Field(None, description="With the email. This or `code`.")
    code: Code | None = Field(None, description="Of a sign-in link; it works once.")


class PasswordBody(BaseModel):
    current_password: Password | None = None
    password: Password | None = Field(None, description="The new one: 8 characters or more.")


def sign_in(raw: Mapping[str, object]) -> SignInBody:
    """What may well be wrong, but is all there."""
    parsed = parse(SignInBody, raw)
    needed = () if parsed.values.code or parsed.wrong("code") else ("email", "password")
    refuse([*parsed.problems, *required(parsed, *needed)])
    return parsed.values


def new_password(raw: Mapping[str, object], email: str) -> tuple[str, str]:
    """The current one and the new one."""
    parsed = parse(PasswordBody, raw)
    values = parsed.values
    found = [*parsed.problems, *required(parsed, "current_password", "password")]
    if values.password:
        found += password_problems("password", values.password, email)
    refuse(found)
    assert values.current_password is not None
    assert values.password is not None
    return values.current_password, values.password


class SessionAttributes(Struct, gc=False):
    created_at: Instant
    last_used_at: Instant
    expires_at: Instant
    device: str
    current: bool


class CurrentSessionAttributes(SessionAttributes, gc=False):
    csrf_token: str
    user_id: str
    email: str
    role: str | None


def show(session: Session, *, current: bool) -> SessionAttributes:
    return SessionAttributes(session.created_at, session.last_used_at, session.expires_at, session.device, current)


def show_current(session: Session, user: User, secret: str) -> CurrentSessionAttributes:
    return CurrentSessionAttributes(
        session.created_at,
        session.last_used_at,
        session.expires_at,
        session.device,
        True,
        csrf_token(secret),
        str(user.id),
        user.email,
        user.role,
    )
