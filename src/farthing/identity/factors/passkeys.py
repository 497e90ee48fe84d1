"""Checks the answers of authenticators (WebAuthn). Passkeys are used as a second factor or instead of a password."""

import base64
import json
import logging
from enum import StrEnum
from typing import Any

from msgspec import Struct

from farthing.storage.unit import Unit

from . import challenges, store
from .challenges import Purpose
from .site import Site
from .store import Factor

_LOG = logging.getLogger("farthing.passkeys")


class Assertion(Struct, frozen=True, kw_only=True):
    """Holds an unchecked answer to a challenge, signed with a passkey."""

    credential: str
    client_data: bytes
    authenticator_data: bytes
    signature: bytes
    handle: str | None


class Attestation(Struct, frozen=True, kw_only=True):
    """Holds an unchecked new passkey, as its authenticator sent it."""

    credential: str
    client_data: bytes
    attestation: bytes
    transports: tuple[str, ...]


class AssertionCheck(Struct, frozen=True, kw_only=True):
    """Holds what is needed to check an answer. `passkey` is the one that the answer names, or None if it does not
    exist."""

    assertion: Assertion
    passkey: Factor | None
    site: Site


class AttestationCheck(Struct, frozen=True, kw_only=True):
    attestation: Attestation
    site: Site


class CheckedAssertion(Struct, frozen=True, kw_only=True):
    """Holds an answer with a valid signature, whose challenge has not been checked yet.

    `is_user_verified` means that the authenticator also asked for a PIN, a fingerprint or a face. Then the passkey
    counts as two factors.
    """

    passkey: Factor
    challenge: str
    counter: int
    is_user_verified: bool


class CheckedAttestation(Struct, frozen=True, kw_only=True):
    """Holds a valid new passkey, whose challenge has not been checked yet. `public_key` is in base64url."""

    credential: str
    public_key: str
    counter: int
    challenge: str
    transports: str


class PasskeyOutcome(StrEnum):
    RIGHT = "right"
    WRONG = "wrong"
    COPIED = "copied"


def use(db: Unit, checked: CheckedAssertion | None, purpose: Purpose, user_id: int | None, now: str) -> PasskeyOutcome:
    """Uses a passkey and its challenge. `user_id` must own the passkey; None if the user is not known yet."""
    if checked is None or user_id not in (None, checked.passkey.user_id):
        return PasskeyOutcome.WRONG
    passkey = store.get(db, checked.passkey.user_id, checked.passkey.id)
    if passkey is None or challenges.use(db, checked.challenge, purpose, user_id, now) is None:
        return PasskeyOutcome.WRONG
    return PasskeyOutcome.RIGHT if store.use_passkey(db, passkey, checked.counter, now) else PasskeyOutcome.COPIED


def check_assertion(check: AssertionCheck) -> CheckedAssertion | None:
    """Checks an answer, and returns None if it is invalid. Do not call this on the event loop, because the first call
    loads a large library."""
    from webauthn import verify_authentication_response

    assertion, passkey = check.assertion, check.passkey
    if passkey is None or assertion.handle not in (None, passkey.handle):
        return None
    try:
        challenge = _read_challenge(assertion.client_data)
        verified = verify_authentication_response(
            credential=_write_credential(
                assertion.credential,
                clientDataJSON=assertion.client_data,
                authenticatorData=assertion.authenticator_data,
                signature=assertion.signature,
            ),
            expected_challenge=decode(challenge),
            expected_rp_id=check.site.id,
            expected_origin=check.site.origin,
            credential_public_key=decode(passkey.secret),
            # We compare the counter later. The library would check it before the signature, so that anybody could make
            # a passkey look copied.
            credential_current_sign_count=0,
        )
    except Exception as error:  # its parsers may raise anything on hostile input
        _note_refusal(error)
        return None
    return CheckedAssertion(
        passkey=passkey,
        challenge=challenge,
        counter=verified.new_sign_count,
        is_user_verified=verified.user_verified,
    )


def check_attestation(check: AttestationCheck) -> CheckedAttestation | None:
    """Checks a new passkey, and returns None if it is invalid. Do not call this on the event loop, because the first
    call loads a large library."""
    from webauthn import verify_registration_response

    attestation = check.attestation
    try:
        challenge = _read_challenge(attestation.client_data)
        verified = verify_registration_response(
            credential=_write_credential(
                attestation.credential,
                clientDataJSON=attestation.client_data,
                attestationObject=attestation.attestation,
            ),
            expected_challenge=decode(challenge),
            expected_rp_id=check.site.id,
            expected_origin=check.site.origin,
        )
    except Exception as error:  # as above
        _note_refusal(error)
        return None
    return CheckedAttestation(
        credential=encode(verified.credential_id),
        public_key=encode(verified.credential_public_key),
        counter=verified.sign_count,
        challenge=challenge,
        transports=" ".join(attestation.transports),
    )


def encode(data: bytes) -> str:
    """Encodes data in base64url without padding, as WebAuthn does everywhere."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text: str) -> bytes:
    """Decodes base64url without padding. Raises ValueError if the text is invalid."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _read_challenge(client_data: bytes) -> str:
    challenge = json.loads(client_data)["challenge"]
    if not isinstance(challenge, str):
        raise TypeError("the challenge is no text")
    return challenge


def _write_credential(credential: str, **response: bytes) -> dict[str, Any]:
    encoded = {name: encode(value) for name, value in response.items()}
    return {"id": credential, "rawId": credential, "type": "public-key", "response": encoded}


def _note_refusal(error: Exception) -> None:
    """Logs why a passkey was refused. Only the operator may know this, so the API's answer does not contain it."""
    _LOG.info("passkey refused: %s", type(error).__name__, extra={"reason": str(error)[:200]})
