"""An authenticator for tests: it makes passkeys and signs with them, or does one thing wrong on purpose."""

import hashlib
import json
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from farthing.identity.factors.passkeys import decode, encode

ORIGIN = "http://localhost"
_PRESENT, _VERIFIED, _ATTESTED = 0x01, 0x04, 0x40
_numbers = count(1)


@dataclass
class Passkey:
    id: str
    handle: str
    rp_id: str
    counter: int = 0
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))


@dataclass
class Authenticator:
    """`counts`: many that synchronise their passkeys do not, and always say 0. `verifies`: it has a PIN or the like."""

    counts: bool = True
    verifies: bool = True
    origin: str = ORIGIN
    passkeys: list[Passkey] = field(default_factory=list)

    def create(self, options: dict[str, Any], passkey_id: str | None = None) -> dict[str, Any]:
        """A new passkey; `passkey_id` is that of another one, where a test wants the same."""
        assert [one["alg"] for one in options["pubKeyCredParams"]].count(-7) == 1
        fresh = encode(f"passkey {next(_numbers)}".encode())
        made = Passkey(passkey_id or fresh, options["user"]["id"], options["rp"]["id"])
        self.passkeys.append(made)
        data = self._data(made, _ATTESTED) + bytes(16) + _length(made.id) + decode(made.id) + _public_key(made)
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        response = {
            "clientDataJSON": self._client_data("webauthn.create", options["challenge"]),
            "attestationObject": encode(attestation),
            "transports": ["internal", "hybrid"],
        }
        return {"id": made.id, "rawId": made.id, "type": "public-key", "response": response}

    def get(self, options: dict[str, Any], *, with_handle: bool = True) -> dict[str, Any]:
        """With the newest passkey that the site would take."""
        named = [one["id"] for one in options["allowCredentials"]]
        used = [one for one in self.passkeys if not named or one.id in named][-1]
        if self.counts:
            used.counter += 1
        data, client_data = self._data(used, 0), self._client_data("webauthn.get", options["challenge"])
        signed = data + hashlib.sha256(decode(client_data)).digest()
        response = {
            "clientDataJSON": client_data,
            "authenticatorData": encode(data),
            "signature": encode(used.key.sign(signed, ec.ECDSA(hashes.SHA256()))),
            "userHandle": used.handle if with_handle else None,
        }
        return {"id": used.id, "rawId": used.id, "type": "public-key", "response": response}

    def _data(self, passkey: Passkey, flags: int) -> bytes:
        flags |= _PRESENT | (_VERIFIED if self.verifies else 0)
        return hashlib.sha256(passkey.rp_id.encode()).digest() + bytes([flags]) + passkey.counter.to_bytes(4)

    def _client_data(self, kind: str, challenge: str) -> str:
        said = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return encode(json.dumps(said).encode())


def _length(passkey_id: str) -> bytes:
    return len(decode(passkey_id)).to_bytes(2)


def _public_key(passkey: Passkey) -> bytes:
    point = passkey.key.public_key().public_numbers()
    return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)})
