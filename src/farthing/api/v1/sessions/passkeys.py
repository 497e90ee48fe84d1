"""Reads the answers of authenticators, and shows the requests to them. Names and structures are those of WebAuthn."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from farthing.identity.factors.challenges import LASTS
from farthing.identity.factors.passkeys import Assertion, Attestation, decode, encode
from farthing.identity.factors.site import Site
from farthing.identity.factors.store import Factor
from farthing.identity.user import User
from farthing.kernel.fields import FieldParser, Refused, Schema

_NAME = "Farthing"
# Every authenticator supports one of ES256, EdDSA and RS256.
_ALGORITHMS = (-7, -8, -257)
_TIMEOUT_MS = int(LASTS.total_seconds() * 1000)
# `PublicKeyCredential.toJSON` usually writes much shorter texts, but an attestation may contain certificates.
_CHARACTERS_MAX = 20_000
_TRANSPORTS_MAX = 8
_WORD_MAX = 20

_UNREADABLE = "The {label} must be the credential from the browser, as its method `toJSON()` returns it."
_TEXT: Schema = {"type": "string", "maxLength": _CHARACTERS_MAX, "description": "Bytes as base64url."}


def _describe(response: Schema, *required: str) -> Schema:
    inner = {"type": "object", "properties": response, "required": list(required)}
    return {"type": "object", "properties": {"id": _TEXT, "response": inner}, "required": ["id", "response"]}


def _read_response(value: object) -> tuple[str, dict[str, Any]]:
    """Returns the id of the passkey and the response of its authenticator."""
    if not isinstance(value, dict) or not isinstance(value.get("response"), dict):
        raise Refused(_UNREADABLE)
    return encode(_read_bytes(value, "id")), value["response"]


def _read_bytes(group: dict[str, Any], name: str) -> bytes:
    text = group.get(name)
    if not isinstance(text, str) or len(text) > _CHARACTERS_MAX:
        raise Refused(_UNREADABLE)
    try:
        return decode(text)
    except ValueError:
        raise Refused(_UNREADABLE) from None


def _read_assertion(value: object) -> Assertion:
    credential, response = _read_response(value)
    return Assertion(
        credential=credential,
        client_data=_read_bytes(response, "clientDataJSON"),
        authenticator_data=_read_bytes(response, "authenticatorData"),
        signature=_read_bytes(response, "signature"),
        handle=encode(_read_bytes(response, "userHandle")) if response.get("userHandle") else None,
    )


def _read_attestation(value: object) -> Attestation:
    credential, response = _read_response(value)
    sent = response.get("transports")
    words = [word for word in sent if isinstance(word, str)] if isinstance(sent, list) else []
    return Attestation(
        credential=credential,
        client_data=_read_bytes(response, "clientDataJSON"),
        attestation=_read_bytes(response, "attestationObject"),
        transports=tuple(word for word in words[:_TRANSPORTS_MAX] if len(word) <= _WORD_MAX and word.isascii()),
    )


AssertionField = Annotated[
    Assertion,
    FieldParser(
        _read_assertion,
        _describe(
            {"clientDataJSON": _TEXT, "authenticatorData": _TEXT, "signature": _TEXT, "userHandle": _TEXT},
            "clientDataJSON", "authenticatorData", "signature",
        ),
    ),
]  # fmt: skip
AttestationField = Annotated[
    Attestation,
    FieldParser(
        _read_attestation,
        _describe(
            {
                "clientDataJSON": _TEXT,
                "attestationObject": _TEXT,
                "transports": {"type": "array", "items": {"type": "string"}, "maxItems": _TRANSPORTS_MAX},
            },
            "clientDataJSON", "attestationObject",
        ),
    ),
]  # fmt: skip


class CredentialName(Struct, gc=False):
    # This id is base64url, not the id of one of our objects.
    id: Annotated[str, Meta(min_length=1)]
    type: Literal["public-key"]
    transports: list[str]


class PasskeyRequest(Struct, gc=False, rename="camel"):
    """Holds the option `publicKey` of `navigator.credentials.get`, as JSON."""

    challenge: str
    rp_id: str
    timeout: int
    user_verification: Literal["required", "preferred"]
    allow_credentials: list[CredentialName]


class RelyingParty(Struct, gc=False):
    id: Annotated[str, Meta(min_length=1)]
    name: str


class PasskeyOwner(Struct, gc=False, rename="camel"):
    id: Annotated[str, Meta(min_length=1)]
    name: str
    display_name: str


class KeyAlgorithm(Struct, gc=False):
    type: Literal["public-key"]
    alg: int


class AuthenticatorChoice(Struct, gc=False, rename="camel"):
    resident_key: Literal["preferred"]
    user_verification: Literal["preferred"]


class PasskeyCreation(Struct, gc=False, rename="camel"):
    """Holds the option `publicKey` of `navigator.credentials.create`, as JSON."""

    challenge: str
    rp: RelyingParty
    user: PasskeyOwner
    pub_key_cred_params: list[KeyAlgorithm]
    timeout: int
    exclude_credentials: list[CredentialName]
    authenticator_selection: AuthenticatorChoice
    attestation: Literal["none"]


def show_request(
    challenge: str, site: Site, passkeys: Iterable[Factor], *, instead_of_password: bool
) -> PasskeyRequest:
    """Shows the request to sign a challenge. Without `passkeys`, the authenticator offers those
    stored for this site.
    """
    return PasskeyRequest(
        challenge=challenge,
        rp_id=site.id,
        timeout=_TIMEOUT_MS,
        user_verification="required" if instead_of_password else "preferred",
        allow_credentials=[_name(passkey) for passkey in passkeys],
    )


def show_creation(challenge: str, site: Site, user: User, handle: str, passkeys: Iterable[Factor]) -> PasskeyCreation:
    """Shows the request to create a passkey.

    `passkeys` are those that the user already has, so that no authenticator creates a second one.
    """
    return PasskeyCreation(
        challenge=challenge,
        rp=RelyingParty(id=site.id, name=_NAME),
        user=PasskeyOwner(id=handle, name=user.email, display_name=user.email),
        pub_key_cred_params=[KeyAlgorithm(type="public-key", alg=number) for number in _ALGORITHMS],
        timeout=_TIMEOUT_MS,
        exclude_credentials=[_name(passkey) for passkey in passkeys],
        authenticator_selection=AuthenticatorChoice(resident_key="preferred", user_verification="preferred"),
        attestation="none",
    )


def _name(passkey: Factor) -> CredentialName:
    assert passkey.credential is not None, "every passkey has a credential"
    return CredentialName(id=passkey.credential, type="public-key", transports=(passkey.transports or "").split())
