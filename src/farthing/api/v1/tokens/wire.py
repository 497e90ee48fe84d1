"""Reads and shows tokens."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel, Field

from farthing.identity.user import Access, Token
from farthing.kernel.fields import Name, choice, parse, whole
from farthing.kernel.limits import DAYS_MAX
from farthing.kernel.shown import Instant


class TokenBody(BaseModel):
    name: Name | None = Field(None, description="What it is for.")
    access: Annotated[str, choice(*Access)] | None = None
    expires_in_days: Annotated[int, whole(minimum=1, maximum=DAYS_MAX)] | None = Field(
        None, description="Left out, it counts until it is revoked."
    )


def read(raw: Mapping[str, object]) -> TokenBody:
    parsed = parse(TokenBody, raw)
    parsed.require("name", "access")
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
