"""Reads and shows tokens."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel, Field

from farthing.identity.session import RECENT_MINUTES
from farthing.identity.user import PASSWORD_MAX, Access, Token
from farthing.kernel.fields import Name, choice, parse, text, whole
from farthing.kernel.limits import DAYS_MAX
from farthing.kernel.shown import Instant

_AGAIN = f"You signed in more than {RECENT_MINUTES} minutes ago: enter your password once more."


class TokenBody(BaseModel):
    name: Name | None = Field(None, description="What it is for.")
    access: Annotated[str, choice(*Access)] | None = None
    expires_in_days: Annotated[int, whole(minimum=1, maximum=DAYS_MAX)] | None = Field(
        None, description="Left out, it counts until it is revoked."
    )
    current_password: Annotated[str, text(PASSWORD_MAX)] | None = Field(
        None, description=f"Needed if the session began more than {RECENT_MINUTES} minutes ago."
    )


def read(raw: Mapping[str, object], *, needs_password: bool) -> TokenBody:
    parsed = parse(TokenBody, raw)
    parsed.require("name", "access")
    if needs_password and parsed.absent("current_password"):
        parsed.report("current_password", _AGAIN)
    parsed.finish()
    return parsed.values


class TokenAttributes(Struct, gc=False):
    created_at: Instant
    name: str
    access: str
    expires_at: Instant | None
    last_used_at: Instant | None
    current: bool


class NewTokenAttributes(TokenAttributes, gc=False):
    token: str


def show(token: Token, *, current: bool) -> TokenAttributes:
    return TokenAttributes(
        created_at=token.created_at,
        name=token.name,
        access=token.access,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
        current=current,
    )


def show_new(token: Token, secret: str) -> NewTokenAttributes:
    return NewTokenAttributes(
        created_at=token.created_at,
        name=token.name,
        access=token.access,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
        current=False,
        token=secret,
    )
