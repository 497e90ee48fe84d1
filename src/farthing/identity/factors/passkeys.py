"""Checks what authenticators answer (WebAuthn), and uses passkeys: as second factor, or instead of the password."""

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
    """The answer to a challenge, signed with a passkey. Nothing of it is checked yet."""

    credential: str
    client_data: bytes
    authenticator_data: bytes
    signature: bytes
    handle: str | None


class Attestation(Struct, frozen=True, kw_only=True):
    """A new passkey, as its authenticator tells it. Nothing of it is checked yet."""

    credential: str
    client_data: bytes
    attestation: bytes
    transports: tuple[str, ...]


class AssertionCheck(Struct, frozen=True, kw_only=True):
    """`passkey` is the one that the answer names, None where there is no such passkey."""

    assertion: Assertion
    passkey: Factor | None
    site: Site


class AttestationCheck(Struct, frozen=True, kw_only=True):
    attestation: Attestation
    site: Site


class CheckedAssertion(Struct, frozen=True, kw_only=True):
    """The signature is right; whether the challenge is ours has still to be seen.

    `is_user_verified`: the authenticator has asked for a PIN, a finger or a face, so it stands for two factors.
    """

    passkey: Factor
    challenge: str
    counter: int
    is_user_verified: bool


class CheckedAttestation(Struct, frozen=True, kw_only=True):
    """In order; whether the challenge is ours has still to be seen. `public_key` is in base64url."""

    credential: str
    public_key: str
    counter: int
    challenge: str
    transports: str


class Outcome(StrEnum):
    RIGHT = "right"
    WRONG = "wrong"
    COPIED = "copied"


def use(db: Unit, checked: CheckedAssertion | None, purpose: Purpose, user_id: int | None, now: str) -> Outcome:
    """`user_id` is whose passkey it must be; None if that is not known yet."""
    if checked is None or user_id not in (None, checked.passkey.user_id):
        return Outcome.WRONG
    passkey = store.get(db, checked.passkey.user_id, checked.passkey.id)
    if passkey is None or challenges.use(db, checked.challenge, purpose, user_id, now) is None:
        return Outcome.WRONG
    return Outcome.RIGHT if store.use_passkey(db, passkey, checked.counter, now) else Outcome.COPIED


def check_assertion(asked: AssertionCheck) -> CheckedAssertion | None:
    """None if anything is wrong with it. Loads a large library when it is first called: not on the event loop."""
    from webauthn import verify_authentication_response

    assertion, passkey = asked.assertion, asked.passkey
    if passkey is None or assertion.handle not in (None, passkey.handle):
        return None
    try:
        challenge = _read_challenge(assertion.client_data)
        found = verify_authentication_response(
            credential=_write_assertion(assertion),
            expected_challenge=decode(challenge),
            expected_rp_id=asked.site.id,
            expected_origin=asked.site.origin,
            credential_public_key=decode(passkey.secret),
            # Compared when it is used: the library looks at it before the signature, so anybody could report a copy.
            credential_current_sign_count=0,
        )
    except Exception as error:  # whatever its parsers raise: strangers write what they read
        _note_refusal(error)
        return None
    return CheckedAssertion(
        passkey=passkey,
        challenge=challenge,
        counter=found.new_sign_count,
        is_user_verified=found.user_verified,
    )


def check_attestation(asked: AttestationCheck) -> CheckedAttestation | None:
    """None if anything is wrong with it. Loads a large library when it is first called: not on the event loop."""
    from webauthn import verify_registration_response

    attestation = asked.attestation
    try:
        challenge = _read_challenge(attestation.client_data)
        found = verify_registration_response(
            credential=_write_attestation(attestation),
            expected_challenge=decode(challenge),
            expected_rp_id=asked.site.id,
            expected_origin=asked.site.origin,
        )
    except Exception as error:  # as above
        _note_refusal(error)
        return None
    return CheckedAttestation(
        credential=encode(found.credential_id),
        public_key=encode(found.credential_public_key),
        counter=found.sign_count,
        challenge=challenge,
        transports=" ".join(attestation.transports),
    )


def encode(data: bytes) -> str:
    """Base64url without padding, as in all of WebAuthn."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text: str) -> bytes:
    """Raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _read_challenge(client_data: bytes) -> str:
    challenge = json.loads(client_data)["challenge"]
    if not isinstance(challenge, str):
        raise TypeError("the challenge is no text")
    return challenge


def _write_assertion(assertion: Assertion) -> dict[str, Any]:
    response = {
        "clientDataJSON": encode(assertion.client_data),
        "authenticatorData": encode(assertion.authenticator_data),
        "signature": encode(assertion.signature),
    }
    return _write_credential(assertion.credential, response)


def _write_attestation(attestation: Attestation) -> dict[str, Any]:
    response = {
        "clientDataJSON": encode(attestation.client_data),
        "attestationObject": encode(attestation.attestation),
    }
    return _write_credential(attestation.credential, response)


def _write_credential(credential: str, response: dict[str, str]) -> dict[str, Any]:
    return {"id": credential, "rawId": credential, "type": "public-key", "response": response}


def _note_refusal(error: Exception) -> None:
    """For whoever runs the server: the answer does not say what exactly was wrong."""
    _LOG.info("passkey refused: %s", type(error).__name__, extra={"reason": str(error)[:200]})
