"""How does the API name what a token is?"""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel, Field

from ..errors import refuse
from ..fields import Name, choice, parse, required, whole
from ..shown import Instant
from ..users.model import TOKEN_DAYS_MAX, Access, Token


class TokenBody(BaseModel):
    name: Name | None = Field(None, description="What it is for.")
    access: Annotated[str, choice(*Access)] | None = None
    expires_in_days: Annotated[int, whole(minimum=1, maximum=TOKEN_DAYS_MAX)] | None = Field(
        None, description="Left out, it counts until it is revoked."
    )


def read(raw: Mapping[str, object]) -> TokenBody:
    parsed = parse(TokenBody, raw)
    refuse([*parsed.problems, *required(parsed, "name", "access")])
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
    return TokenAttributes(token.created_at, token.name, token.access, token.expires_at, token.last_used_at, current)


def show_new(token: Token, secret: str) -> NewTokenAttributes:
    return NewTokenAttributes(
        token.created_at, token.name, token.access, token.expires_at, token.last_used_at, False, secret
    )
