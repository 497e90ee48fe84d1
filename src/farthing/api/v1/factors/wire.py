"""Reads and shows second factors."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType
from pydantic import Field

from farthing.http.answer.document import Thing
from farthing.identity.factors.store import Factor
from farthing.identity.user import PASSWORD_MAX
from farthing.kernel.fields import Name, RequestBody, parse, parse_complete, text
from farthing.kernel.parsed import Parsed, ensure
from farthing.kernel.shown import Instant

from ..sessions.passkeys import AssertionField, AttestationField

_CODE_CHARACTERS_MAX = 40

Otp = Annotated[str, text(_CODE_CHARACTERS_MAX)]
Password = Annotated[str, text(PASSWORD_MAX)]
_SIGNED = "What one of your passkeys has signed; `/factors/challenge` gives what to sign."


class PersonBody(RequestBody):
    """Proves that it is the person, and not only their session."""

    current_password: Password | None = Field(None, description="A fresh proof. This or `passkey`.")
    passkey: AssertionField | None = Field(
        None, description=f"Instead of the password: with a PIN or the like. {_SIGNED}"
    )


class AppBody(PersonBody):
    name: Name | None = Field(None, description="Which app or phone it is.")


class PasskeyBody(RequestBody):
    name: Name | None = Field(None, description="Which device or key it is.")
    credential: AttestationField | None = Field(None, description="What the browser has made.")


class NameBody(RequestBody):
    name: Name | None = None


class ConfirmBody(RequestBody):
    otp: Otp | None = Field(None, description="The code that the app shows.")


class ProofBody(RequestBody):
    otp: Otp | None = Field(
        None, description="The code of an authenticator app, or a recovery code: a fresh proof. This or `passkey`."
    )
    passkey: AssertionField | None = Field(None, description=f"Instead of a code. {_SIGNED}")


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


class NewPasskeyAttributes(FactorAttributes, gc=False):
    """With recovery codes if it is the first factor. They are shown this once."""

    recovery_codes: list[str]


class RecoveryCodes(Struct, gc=False):
    """Each works once instead of a second factor. They are shown this once."""

    recovery_codes: list[str]


class FactorsMeta(Struct, gc=False):
    recovery_codes_left: int


class FactorList(Struct, gc=False):
    """Never paged. Nothing is included so far."""

    data: list[Thing[FactorAttributes]]
    meta: FactorsMeta
    included: list[Thing[Any]] | UnsetType = UNSET


def read_app(raw: Mapping[str, object], *, has_password: bool) -> AppBody:
    parsed = parse(AppBody, raw)
    parsed.require("name")
    _require_person(parsed, has_password=has_password)
    parsed.finish()
    return parsed.values


def read_person(raw: Mapping[str, object], *, has_password: bool) -> PersonBody:
    parsed = parse(PersonBody, raw)
    _require_person(parsed, has_password=has_password)
    parsed.finish()
    return parsed.values


def _require_person(parsed: Parsed[PersonBody], *, has_password: bool) -> None:
    if has_password and parsed.absent("passkey"):
        parsed.require("current_password")


def read_passkey(raw: Mapping[str, object]) -> PasskeyBody:
    return parse_complete(PasskeyBody, raw, "name", "credential")


def read_name(raw: Mapping[str, object]) -> str:
    return ensure(parse_complete(NameBody, raw, "name").name)


def read_otp(raw: Mapping[str, object]) -> str:
    return ensure(parse_complete(ConfirmBody, raw, "otp").otp)


def read_proof(raw: Mapping[str, object]) -> ProofBody:
    parsed = parse(ProofBody, raw)
    if parsed.absent("passkey"):
        parsed.require("otp")
    parsed.finish()
    return parsed.values


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


def show_passkey(factor: Factor, codes: list[str]) -> NewPasskeyAttributes:
    return NewPasskeyAttributes(
        created_at=factor.created_at,
        kind=factor.kind.value,
        name=factor.name,
        last_used_at=factor.last_used_at,
        recovery_codes=codes,
    )
