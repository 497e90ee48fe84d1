"""Reads and shows second factors."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from farthing.http.answer.document import Thing
from farthing.identity.factors.store import Factor
from farthing.identity.user import PASSWORD_MAX
from farthing.kernel.fields import Name, RequestBody, described, parse, text
from farthing.kernel.parsed import Parsed
from farthing.kernel.shown import Instant, show_as

from ..sessions.passkeys import AssertionField, AttestationField

_CODE_CHARACTERS_MAX = 40

Otp = Annotated[str, text(_CODE_CHARACTERS_MAX)]
Password = Annotated[str, text(PASSWORD_MAX)]
_SIGNED = "A challenge from `/factors/challenge`, signed by one of your passkeys."


class PersonBody(RequestBody):
    """Proves that the request comes from the user, and not from somebody with a stolen session."""

    current_password: Password | None = described("Either this or `passkey` is required.")
    passkey: AssertionField | None = described(
        f"{_SIGNED} Replaces the password if the device verified you, for example by PIN."
    )


class AppBody(PersonBody):
    name: Name | None = described("A name for the app or phone.")


class PasskeyBody(RequestBody):
    name: Name | None = described("A name for the device or key.")
    credential: AttestationField | None = described("The credential that the browser has created.")


class NameBody(RequestBody):
    name: Name | None = None


class ConfirmBody(RequestBody):
    otp: Otp | None = described("The code shown by the app.")


class ProofBody(RequestBody):
    otp: Otp | None = described(
        "The code of an authenticator app, or a recovery code. Either this or `passkey` is required."
    )
    passkey: AssertionField | None = described(f"{_SIGNED} Replaces the code.")


class FactorAttributes(Struct, gc=False):
    created_at: Instant
    kind: str
    name: str
    last_used_at: Instant | None


class NewAppAttributes(Struct, gc=False):
    """`picture` is a QR code of `address` as SVG. Instead of scanning it, users can type `secret` into the app."""

    created_at: Instant
    kind: str
    name: str
    secret: str
    address: str
    picture: str


class NewPasskeyAttributes(FactorAttributes, gc=False):
    """`recovery_codes` is empty unless the user has just added their first factor. The codes are shown only once."""

    recovery_codes: list[str]


class RecoveryCodes(Struct, gc=False):
    """Each code can replace a second factor once. The codes are shown only once."""

    recovery_codes: list[str]


class FactorsMeta(Struct, gc=False):
    recovery_codes_left: int


class FactorList(Struct, gc=False):
    """Lists all factors on one page. `included` is not used yet."""

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


def read_proof(raw: Mapping[str, object]) -> ProofBody:
    parsed = parse(ProofBody, raw)
    if parsed.absent("passkey"):
        parsed.require("otp")
    parsed.finish()
    return parsed.values


def show_app(factor: Factor, address: str, picture: str) -> NewAppAttributes:
    return show_as(NewAppAttributes, factor, kind=factor.kind.value, address=address, picture=picture)


def show_passkey(factor: Factor, codes: list[str]) -> NewPasskeyAttributes:
    return show_as(NewPasskeyAttributes, factor, kind=factor.kind.value, recovery_codes=codes)
