"""Reads and shows second factors."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel, Field

from farthing.identity.factors.store import Factor
from farthing.identity.user import PASSWORD_MAX
from farthing.kernel.fields import Name, parse, text
from farthing.kernel.parsed import Parsed, ensure
from farthing.kernel.shown import Instant

_CODE_CHARACTERS_MAX = 40

Otp = Annotated[str, text(_CODE_CHARACTERS_MAX)]


class AppBody(BaseModel):
    name: Name | None = Field(None, description="Which app or phone it is.")
    current_password: Annotated[str, text(PASSWORD_MAX)] | None = Field(None, description="A fresh proof.")


class ConfirmBody(BaseModel):
    otp: Otp | None = Field(None, description="The code that the app shows.")


class ProofBody(BaseModel):
    otp: Otp | None = Field(None, description="The code of an authenticator app, or a recovery code: a fresh proof.")


class FactorAttributes(Struct, gc=False):
    created_at: Instant
    kind: str
    name: str
    last_used_at: Instant | None


class NewAppAttributes(Struct, gc=False):
    """To be scanned: `address` as text, `picture` as an SVG image of it. `secret` is for typing it in."""

    created_at: Instant
    kind: str
    name: str
    secret: str
    address: str
    picture: str


class RecoveryCodes(Struct, gc=False):
    """Each works once instead of a second factor. They are shown this once."""

    recovery_codes: list[str]


class FactorsMeta(Struct, gc=False):
    recovery_codes_left: int


def read_app(raw: Mapping[str, object]) -> Parsed[AppBody]:
    parsed = parse(AppBody, raw)
    parsed.require("name", "current_password")
    return parsed


def read_otp(raw: Mapping[str, object]) -> str:
    parsed = parse(ProofBody, raw)
    parsed.require("otp")
    parsed.finish()
    return ensure(parsed.values.otp)


def show(factor: Factor) -> FactorAttributes:
    return FactorAttributes(
        created_at=factor.created_at, kind=factor.kind.value, name=factor.name, last_used_at=factor.last_used_at
    )


def show_app(factor: Factor, address: str, picture: str) -> NewAppAttributes:
    return NewAppAttributes(
        created_at=factor.created_at,
        kind=factor.kind.value,
        name=factor.name,
        secret=factor.secret,
        address=address,
        picture=picture,
    )
